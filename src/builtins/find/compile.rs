//! Words to a program: paths, then an expression with its operators turned into jumps.

use super::actions::Action;
use super::primaries::{self, Primary};
use super::test::Test;
use crate::builtins::common::quoted;
use crate::host::Timestamp;
use crate::tool::{Args, ExecContext, Stop};
use crate::value::EcoString;

/// Most parentheses and `!` within each other.
const MAX_DEPTH: usize = 200;

/// One step of the program; each leaves a truth value.
#[derive(Debug)]
pub(super) enum Step {
    Test(Test),
    Action(Action),
    Not,
    /// Goes to a step where the value is false, or true.
    JumpUnless(usize),
    JumpIf(usize),
}

/// Which links are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Follow {
    #[default]
    Never,
    Operands,
    Always,
}

/// What the words say.
#[derive(Default)]
pub(super) struct Query {
    pub(super) paths: Vec<EcoString>,
    pub(super) program: Vec<Step>,
    pub(super) settings: Settings,
}

/// The global options, wherever they stand.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) follow: Follow,
    pub(super) min_depth: usize,
    pub(super) max_depth: Option<usize>,
    /// A directory's entries before itself.
    pub(super) depth_first: bool,
    pub(super) one_mount: bool,
}

/// The state of the reader; primaries take their arguments from it.
pub(super) struct Reader<'a> {
    words: std::slice::Iter<'a, EcoString>,
    pub(super) settings: Settings,
    /// What ages are measured from.
    pub(super) origin: Timestamp,
    pub(super) regex: primaries::RegexType,
    has_action: bool,
    program: Vec<Step>,
    depth: usize,
}

/// Reads the words of a call.
pub(super) async fn query(cx: &mut ExecContext, args: &Args) -> Result<Query, Stop> {
    let words = args.operand_texts();
    let mut rest = words.as_slice();
    let mut settings = Settings::default();
    while let Some((word, after)) = rest.split_first() {
        settings.follow = match word.as_str() {
            "-P" => Follow::Never,
            "-L" => Follow::Always,
            "-H" => Follow::Operands,
            word if word.starts_with("-O") => settings.follow,
            "--" => {
                rest = after;
                break;
            }
            _ => break,
        };
        rest = after;
    }
    let begins = |word: &EcoString| {
        (word.starts_with('-') && word.len() > 1) || matches!(word.as_str(), "(" | ")" | "!" | ",")
    };
    let count = rest.iter().position(begins).unwrap_or(rest.len());
    let (paths, expression) = rest.split_at_checked(count).unwrap_or((rest, &[]));
    let mut paths = paths.to_vec();
    if paths.is_empty() {
        paths.push(".".into());
    }
    let origin = cx.services.host.now();
    let mut reader = Reader {
        words: expression.iter(),
        settings,
        origin,
        regex: primaries::RegexType::default(),
        has_action: false,
        program: Vec::new(),
        depth: 0,
    };
    reader.expression(cx).await?;
    if !reader.has_action {
        reader.add_default_print();
    }
    Ok(Query { paths, program: reader.program, settings: reader.settings })
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.as_slice().first().map(EcoString::as_str)
    }

    /// The next word.
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.words.next().map(EcoString::as_str)
    }

    /// The argument of a primary; complains where there is none.
    pub(super) fn argument(&mut self, cx: &mut ExecContext, name: &str) -> Result<&'a str, Stop> {
        self.next().ok_or_else(|| cx.fail(2, format_args!("missing argument to '{name}'")))
    }

    /// `( A -o B )` would print only B's without parentheses around the whole.
    fn add_default_print(&mut self) {
        let end = self.program.len() + 2;
        if !self.program.is_empty() {
            self.program.push(Step::JumpUnless(end));
        }
        self.program.push(Step::Action(Action::Print));
    }

    async fn expression(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        if self.peek().is_none() {
            return Ok(());
        }
        self.list(cx).await?;
        match self.peek() {
            None => Ok(()),
            Some(")") => Err(cx.fail(1, "invalid expression; you have too many ')'")),
            Some(word) => {
                let word = quoted(word);
                Err(cx.fail(1, format_args!("paths must precede expression: {word}")))
            }
        }
    }

    /// `A , B` and everything that binds tighter, by the levels of precedence.
    async fn list(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        self.either(cx).await?;
        while self.peek() == Some(",") {
            self.next();
            if self.peek().is_none() {
                return Err(cx.fail(1, "expected an expression after ','"));
            }
            self.either(cx).await?;
        }
        Ok(())
    }

    async fn either(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        self.both(cx).await?;
        let mut jumps = Vec::new();
        while matches!(self.peek(), Some("-o" | "-or")) {
            self.next();
            if self.peek().is_none() {
                return Err(cx.fail(1, "expected an expression after '-o'"));
            }
            jumps.push(self.program.len());
            self.program.push(Step::JumpIf(0));
            self.both(cx).await?;
        }
        self.land(&jumps);
        Ok(())
    }

    async fn both(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        self.negated(cx).await?;
        let mut jumps = Vec::new();
        loop {
            match self.peek() {
                Some("-a" | "-and") => {
                    self.next();
                    if self.peek().is_none() {
                        return Err(cx.fail(1, "expected an expression after '-a'"));
                    }
                }
                Some(word) if starts_primary(word) => {}
                _ => break,
            }
            jumps.push(self.program.len());
            self.program.push(Step::JumpUnless(0));
            self.negated(cx).await?;
        }
        self.land(&jumps);
        Ok(())
    }

    /// Lets jumps lead to here.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.program.len();
        for at in jumps {
            if let Some(Step::JumpIf(to) | Step::JumpUnless(to)) = self.program.get_mut(*at) {
                *to = here;
            }
        }
    }

    async fn negated(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        let mut negated = false;
        while let Some(word @ ("!" | "-not")) = self.peek() {
            self.next();
            negated = !negated;
            if self.peek().is_none() {
                return Err(cx.fail(1, format_args!("expected an expression after '{word}'")));
            }
        }
        self.primary(cx).await?;
        if negated {
            self.program.push(Step::Not);
        }
        Ok(())
    }

    async fn primary(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        match self.next() {
            Some("(") => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    let message = format!("more than {MAX_DEPTH} parentheses within each other");
                    return Err(cx.fail(1, message));
                }
                if self.peek() == Some(")") {
                    return Err(
                        cx.fail(1, "invalid expression; empty parentheses are not allowed.")
                    );
                }
                Box::pin(self.list(cx)).await?;
                self.depth -= 1;
                if self.next() != Some(")") {
                    let message = "invalid expression; I was expecting to find a ')' somewhere but \
                        did not see one.";
                    return Err(cx.fail(1, message));
                }
                Ok(())
            }
            Some(")") => Err(cx.fail(1, "invalid expression; you have too many ')'")),
            Some(word @ ("-o" | "-or" | "-a" | "-and" | ",")) => {
                let message = format!(
                    "invalid expression; you have used a binary operator '{word}' with nothing \
                     before it."
                );
                Err(cx.fail(1, message))
            }
            Some(word) => {
                let primary = primaries::read(cx, self, word).await?;
                let step = match primary {
                    Primary::Test(test) => Step::Test(test),
                    Primary::Action(action) => {
                        self.has_action |= !matches!(action, Action::Prune | Action::Quit);
                        // What a directory holds must be gone before the directory.
                        self.settings.depth_first |= matches!(action, Action::Delete);
                        Step::Action(action)
                    }
                };
                self.program.push(step);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

fn starts_primary(word: &str) -> bool {
    !matches!(word, ")" | "," | "-o" | "-or")
        && (word.starts_with('-') || matches!(word, "(" | "!"))
}
