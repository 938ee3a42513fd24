//! Statements, and-or lists and compound commands, one step at a time.

use std::rc::Rc;

use super::Machine;
use super::flow::{Flow, Unwind};
use super::frame::{Frame, Next, Purpose};
use crate::env::Function;
use crate::expand::{ExpandResult, Expander, now};
use crate::pattern::Glob;
use crate::syntax::{
    AndOr, ArithCode, CaseArm, CaseEnd, Command, Compound, CompoundCommand, FunctionDefinition,
    Part, Script, Statement, Word,
};
use crate::value::{EcoString, Value};

impl Machine {
    pub(super) fn statement(
        &mut self,
        script: &Rc<Script>,
        statement: &Statement,
        index: usize,
    ) -> Flow {
        if statement.background {
            return self.start_job(script, index);
        }
        if statement.rest.is_empty() {
            return self.pipeline(&statement.first);
        }
        self.frames.push(Frame::AndOr(Rc::clone(script), index, 0));
        self.tested();
        self.pipeline(&statement.first)
    }

    /// Failures of what follows are tested.
    fn tested(&mut self) {
        self.tested += 1;
        self.frames.push(Frame::Tested);
    }

    fn test(&mut self, script: &Rc<Script>) {
        self.tested();
        self.frames.push(Frame::Script(Rc::clone(script), 0));
    }

    fn body(&mut self, script: &Rc<Script>) {
        self.frames.push(Frame::Script(Rc::clone(script), 0));
    }

    pub(super) fn next_pipeline(&mut self, script: &Rc<Script>, index: usize, next: usize) -> Flow {
        let Some(statement) = script.statements.get(index) else { return Ok(()) };
        for (at, (op, pipeline)) in statement.rest.iter().enumerate().skip(next) {
            if (self.status() == 0) != (*op == AndOr::And) {
                continue;
            }
            if at + 1 < statement.rest.len() {
                self.frames.push(Frame::AndOr(Rc::clone(script), index, at + 1));
                self.tested();
            }
            return self.pipeline(pipeline);
        }
        self.checked = false;
        Ok(())
    }

    pub(super) fn command(&mut self, command: &Command) -> Flow {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => self.compound(compound),
            Command::Function(definition) => {
                self.define(definition);
                self.finish(0);
                Ok(())
            }
        }
    }

    fn define(&mut self, definition: &Rc<FunctionDefinition>) {
        let function =
            Function { definition: Rc::clone(definition), source: Rc::clone(&self.source) };
        let mut functions = self.cx.session.functions.borrow_mut();
        Rc::make_mut(&mut functions).insert(definition.name.clone(), Rc::new(function));
    }

    pub(super) fn compound(&mut self, node: &Rc<CompoundCommand>) -> Flow {
        self.at_line(node.line);
        if node.redirects.is_empty() {
            return self.start_compound(node);
        }
        let start = Rc::clone(node);
        self.with_redirects(Rc::clone(node), move |machine| machine.start_compound(&start))
    }

    fn start_compound(&mut self, node: &Rc<CompoundCommand>) -> Flow {
        match &node.kind {
            Compound::Subshell(script) => {
                self.enter_shell(Purpose::Subshell)?;
                self.body(script);
                return Ok(());
            }
            Compound::Arithmetic(code) => return self.arithmetic(code),
            Compound::Condition(_) => return self.condition(node),
            _ => self.frames.push(Frame::Compound),
        }
        match &node.kind {
            Compound::Group(script) => self.body(script),
            Compound::If { arms, .. } => {
                self.frames.push(Frame::If(Rc::clone(node), 0));
                if let Some((condition, _)) = arms.first() {
                    self.test(condition);
                }
            }
            Compound::While { condition, .. } => {
                self.frames.push(Frame::While { node: Rc::clone(node), testing: true, status: 0 });
                self.test(condition);
            }
            Compound::For { words, .. } | Compound::Select { words, .. } => {
                return self.start_for(node, words.as_deref());
            }
            Compound::ForArith { .. } => {
                self.set_status(0);
                self.frames.push(Frame::ForArith(Rc::clone(node), false));
            }
            Compound::Case { .. } => return self.start_case(node),
            _ => {}
        }
        Ok(())
    }

    pub(super) fn next_if(&mut self, node: &Rc<CompoundCommand>, arm: usize) -> Flow {
        let Compound::If { arms, otherwise } = &node.kind else { return Ok(()) };
        if self.status() == 0 {
            if let Some((_, body)) = arms.get(arm) {
                self.body(body);
            }
        } else if let Some((condition, _)) = arms.get(arm + 1) {
            self.frames.push(Frame::If(Rc::clone(node), arm + 1));
            self.test(condition);
        } else {
            match otherwise {
                // `$?` at the start of the body is the status of the failed test.
                Some(body) => self.body(body),
                None => self.set_status(0),
            }
        }
        Ok(())
    }

    pub(super) fn next_while(
        &mut self,
        node: Rc<CompoundCommand>,
        testing: bool,
        status: u8,
    ) -> Flow {
        let shared = Rc::clone(&node);
        let Compound::While { until, condition, body } = &shared.kind else { return Ok(()) };
        if !testing {
            let status = self.status();
            self.frames.push(Frame::While { node, testing: true, status });
            self.test(condition);
        } else if (self.status() == 0) == *until {
            self.set_status(status);
        } else {
            self.frames.push(Frame::While { node, testing: false, status });
            self.body(body);
        }
        Ok(())
    }

    fn start_for(&mut self, node: &Rc<CompoundCommand>, words: Option<&[Word]>) -> Flow {
        let Some(words) = words else {
            let items = self.session().scope.borrow().positional().to_vec();
            return self.loop_over(Rc::clone(node), Ok(items));
        };
        let expander = self.expander();
        if words.iter().all(|word| !word.traits.runs && !word.traits.globs) {
            let items = now(expander.items(words));
            return self.loop_over(Rc::clone(node), items);
        }
        let node = Rc::clone(node);
        self.wait(async move {
            let items = match &node.kind {
                Compound::For { words: Some(words), .. }
                | Compound::Select { words: Some(words), .. } => expander.items(words).await,
                _ => Ok(Vec::new()),
            };
            Box::new(move |machine: &mut Self| machine.loop_over(node, items)) as Next
        });
        Ok(())
    }

    fn loop_over(&mut self, node: Rc<CompoundCommand>, items: ExpandResult<Vec<Value>>) -> Flow {
        match items {
            Err(error) => self.expansion_failed(&error, true),
            Ok(items) => {
                self.set_status(0);
                if matches!(node.kind, Compound::Select { .. }) {
                    return self.start_select(&node);
                }
                self.frames.push(Frame::For { node, items: items.into_iter() });
                Ok(())
            }
        }
    }

    fn start_select(&mut self, node: &Rc<CompoundCommand>) -> Flow {
        self.complain(node.span, "select needs a person at the prompt");
        self.finish(1);
        Ok(())
    }

    pub(super) fn next_item(
        &mut self,
        node: Rc<CompoundCommand>,
        mut items: std::vec::IntoIter<Value>,
    ) -> Flow {
        let shared = Rc::clone(&node);
        let Compound::For { name, body, .. } = &shared.kind else { return Ok(()) };
        let Some(item) = items.next() else { return Ok(()) };
        self.frames.push(Frame::For { node, items });
        match self.expander().set(name, item, false, shared.span) {
            Ok(()) => self.body(body),
            Err(error) => return self.expansion_failed(&error, true),
        }
        Ok(())
    }

    pub(super) fn next_for_arith(&mut self, node: Rc<CompoundCommand>, started: bool) -> Flow {
        let Compound::ForArith { init, condition, step, .. } = &node.kind else { return Ok(()) };
        let before = if started { step } else { init };
        let runs = |code: &Option<Rc<ArithCode>>| code.as_ref().is_some_and(|code| code.runs);
        if !runs(before) && !runs(condition) {
            let expander = self.expander();
            let holds = for_arith_turn(&expander, before.as_deref(), condition.as_deref());
            let holds = now(holds);
            return self.for_arith_body(node, holds);
        }
        let expander = self.expander();
        let (before, condition) = (before.clone(), condition.clone());
        self.wait(async move {
            let holds = for_arith_turn(&expander, before.as_deref(), condition.as_deref()).await;
            Box::new(move |machine: &mut Self| machine.for_arith_body(node, holds)) as Next
        });
        Ok(())
    }

    fn for_arith_body(&mut self, node: Rc<CompoundCommand>, holds: ExpandResult<bool>) -> Flow {
        match holds {
            Err(error) => self.expansion_failed(&error, true),
            Ok(false) => Ok(()),
            Ok(true) => {
                let shared = Rc::clone(&node);
                if let Compound::ForArith { body, .. } = &shared.kind {
                    self.frames.push(Frame::ForArith(node, true));
                    self.body(body);
                }
                Ok(())
            }
        }
    }

    fn arithmetic(&mut self, code: &Rc<ArithCode>) -> Flow {
        let expander = self.expander();
        if !code.runs {
            let value = expander.arith_now(code);
            return self.arithmetic_done(value);
        }
        let code = Rc::clone(code);
        self.wait(async move {
            let value = expander.arith(&code).await;
            Box::new(move |machine: &mut Self| machine.arithmetic_done(value)) as Next
        });
        Ok(())
    }

    fn arithmetic_done(&mut self, value: ExpandResult<i64>) -> Flow {
        match value {
            Err(error) => self.expansion_failed(&error, true),
            Ok(value) => {
                self.finish(u8::from(value == 0));
                Ok(())
            }
        }
    }

    fn condition(&mut self, node: &Rc<CompoundCommand>) -> Flow {
        let expander = self.expander();
        let node = Rc::clone(node);
        let future = async move {
            let holds = match &node.kind {
                Compound::Condition(condition) => expander.condition(condition).await,
                _ => Ok(false),
            };
            Box::new(move |machine: &mut Self| match holds {
                Err(error) => machine.expansion_failed(&error, true),
                Ok(holds) => {
                    machine.finish(u8::from(!holds));
                    Ok(())
                }
            }) as Next
        };
        self.wait(future);
        Ok(())
    }

    fn start_case(&mut self, node: &Rc<CompoundCommand>) -> Flow {
        let Compound::Case { subject, arms } = &node.kind else { return Ok(()) };
        let expander = self.expander();
        let runs = subject.traits.runs
            || arms.iter().flat_map(|arm| &arm.patterns).any(|pattern| pattern.traits.runs);
        if !runs {
            let chosen = now(choose(&expander, subject, arms));
            return self.run_arm(Rc::clone(node), chosen);
        }
        let node = Rc::clone(node);
        self.wait(async move {
            let chosen = match &node.kind {
                Compound::Case { subject, arms } => choose(&expander, subject, arms).await,
                _ => Ok(None),
            };
            Box::new(move |machine: &mut Self| machine.run_arm(node, chosen)) as Next
        });
        Ok(())
    }

    fn run_arm(
        &mut self,
        node: Rc<CompoundCommand>,
        chosen: ExpandResult<Option<(EcoString, usize)>>,
    ) -> Flow {
        let shared = Rc::clone(&node);
        let Compound::Case { arms, .. } = &shared.kind else { return Ok(()) };
        match chosen {
            Err(error) => return self.expansion_failed(&error, true),
            Ok(None) => self.set_status(0),
            Ok(Some((subject, at))) => {
                let Some(arm) = arms.get(at) else { return Ok(()) };
                self.set_status(0);
                if arm.end != CaseEnd::Break {
                    self.frames.push(Frame::Case(node, subject, at));
                }
                self.body(&arm.body);
            }
        }
        Ok(())
    }

    /// After the body of an arm that ends in `;&` or `;;&`.
    pub(super) fn after_arm(
        &mut self,
        node: Rc<CompoundCommand>,
        subject: EcoString,
        at: usize,
    ) -> Flow {
        let shared = Rc::clone(&node);
        let Compound::Case { arms, .. } = &shared.kind else { return Ok(()) };
        let Some(arm) = arms.get(at) else { return Ok(()) };
        if arm.end == CaseEnd::FallThrough {
            let Some(next) = arms.get(at + 1) else { return Ok(()) };
            if next.end != CaseEnd::Break {
                self.frames.push(Frame::Case(node, subject, at + 1));
            }
            self.body(&next.body);
            return Ok(());
        }
        let expander = self.expander();
        self.wait(async move {
            let found = match &node.kind {
                Compound::Case { arms, .. } => first_match(&expander, &subject, arms, at + 1).await,
                _ => Ok(None),
            };
            Box::new(move |machine: &mut Self| match found {
                // Without a further match the status stays that of the body.
                Ok(None) => Ok(()),
                found => {
                    let chosen = found.map(|at| at.map(|at| (subject, at)));
                    machine.run_arm(node, chosen)
                }
            }) as Next
        });
        Ok(())
    }

    pub(super) fn report_time(&mut self, start: std::time::Duration) {
        let elapsed = self.cx.services.host.monotonic().saturating_sub(start).as_secs_f64();
        let minutes = (elapsed / 60.0).floor();
        let seconds = elapsed - minutes * 60.0;
        let text = format!(
            "\nreal\t{minutes}m{seconds:.3}s\nuser\t{minutes}m{seconds:.3}s\nsys\t0m0.000s\n"
        );
        self.write_error(&text);
    }

    /// Leaves the innermost shell because its reader is gone.
    pub(super) fn broken_pipe(&mut self) -> Flow {
        Err(Unwind::Exit(141))
    }
}

async fn for_arith_turn(
    expander: &Expander,
    before: Option<&ArithCode>,
    condition: Option<&ArithCode>,
) -> ExpandResult<bool> {
    if let Some(code) = before {
        expander.arith(code).await?;
    }
    Ok(match condition {
        Some(code) if !code.ops.is_empty() || code.error.is_some() => {
            expander.arith(code).await? != 0
        }
        _ => true,
    })
}

async fn choose(
    expander: &Expander,
    subject: &Word,
    arms: &[CaseArm],
) -> ExpandResult<Option<(EcoString, usize)>> {
    let subject = expander.text(subject).await?;
    let at = first_match(expander, &subject, arms, 0).await?;
    Ok(at.map(|at| (subject, at)))
}

async fn first_match(
    expander: &Expander,
    subject: &EcoString,
    arms: &[CaseArm],
    from: usize,
) -> ExpandResult<Option<usize>> {
    for (at, arm) in arms.iter().enumerate().skip(from) {
        for pattern in &arm.patterns {
            let matches = match pattern.parts.as_slice() {
                [Part::Literal(text) | Part::Quoted(text)] => text == subject,
                [Part::Glob(star)] if star == "*" => true,
                _ => {
                    let glob: Glob = expander.pattern(pattern).await?;
                    glob.matches(subject.as_str())
                }
            };
            if matches {
                return Ok(Some(at));
            }
        }
    }
    Ok(None)
}
