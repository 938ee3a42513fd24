//! A line and a cursor to what may stand there: commands, options, variables, jobs, files.

use crate::editor::{Completion, Completions, Ending, Quoting};
use crate::kernel::Kernel;
use crate::tool::{Completes, Spec};
use crate::value::InOrder;
use crate::vfs::Path;

/// The word at the cursor and what stands before it in its command.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// Where the word starts.
    start: usize,
    /// Its text without quotes and backslashes.
    word: String,
    /// The command's earlier words, as typed.
    before: Vec<String>,
}

/// Words after which a command follows.
const OPENERS: [&str; 10] =
    ["if", "then", "else", "elif", "while", "until", "do", "!", "{", "time"];

/// Splits what stands before the cursor; a word goes on through quotes and escapes.
fn place(line: &str) -> Place {
    let mut place = Place { start: 0, word: String::new(), before: Vec::new() };
    let (mut quote, mut escaped, mut in_word) = (None, false, false);
    for (at, ch) in line.char_indices() {
        let separates = !escaped && quote.is_none() && " \t\n;|&(){}<>".contains(ch);
        if separates {
            if in_word {
                place.before.push(std::mem::take(&mut place.word));
            }
            if ";|&({\n".contains(ch) {
                place.before.clear();
            }
            if "<>".contains(ch) {
                place.before.push(ch.to_string());
            }
            in_word = false;
            continue;
        }
        if !in_word {
            (in_word, place.start) = (true, at);
        }
        match (ch, quote) {
            _ if escaped => {
                escaped = false;
                place.word.push(ch);
            }
            ('\\', None | Some('"')) => escaped = true,
            ('"' | '\'', None) => quote = Some(ch),
            (_, Some(open)) if ch == open => quote = None,
            _ => place.word.push(ch),
        }
    }
    if !in_word {
        place.start = line.len();
    }
    while place.before.first().is_some_and(|word| skipped(word)) {
        place.before.remove(0);
    }
    place
}

/// Whether the next word is a command all the same: a reserved word or an assignment before it.
fn skipped(word: &str) -> bool {
    OPENERS.contains(&word)
        || word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
        })
}

impl Kernel {
    /// What may stand at the byte `cursor` of a line, sorted.
    pub async fn complete(&self, line: &str, cursor: usize) -> Completions {
        let place = place(line.get(..cursor).unwrap_or(line));
        let mut candidates = match place.word.rsplit_once('$') {
            Some((head, name)) if !name.contains('/') => self.variables(head, name),
            _ => self.words(&place).await,
        };
        candidates.order_by(|a, b| a.text.cmp(&b.text));
        candidates.dedup_by(|a, b| a.text == b.text);
        Completions { replaces: place.start..cursor.min(line.len()), candidates }
    }

    async fn words(&self, place: &Place) -> Vec<Completion> {
        let Some(name) = place.before.first() else {
            let mut found = self.commands(&place.word);
            if place.word.contains('/') || found.is_empty() {
                found.extend(self.files(&place.word, false).await);
            }
            return found;
        };
        let after_redirect = place.before.last().is_some_and(|word| word == "<" || word == ">");
        let spec = self.services().registry.builtin(name).map(|builtin| builtin.spec);
        match spec {
            Some(spec) if place.word.starts_with('-') && !after_redirect => {
                options(&spec, &place.word)
            }
            Some(spec) if !after_redirect => match spec.completes {
                Completes::Files => self.files(&place.word, false).await,
                Completes::Directories => self.files(&place.word, true).await,
                Completes::Commands if place.before.len() == 1 => self.commands(&place.word),
                Completes::Commands => self.files(&place.word, false).await,
                Completes::Variables => self.names(&place.word),
                Completes::Jobs => self.jobs(&place.word),
                Completes::Nothing => Vec::new(),
            },
            _ => self.files(&place.word, false).await,
        }
    }

    fn commands(&self, prefix: &str) -> Vec<Completion> {
        let registry = &self.services().registry;
        let about = |name: &str| registry.builtin(name).map(|builtin| builtin.spec.about);
        let functions = self.session().functions.borrow();
        let aliases = self.session().aliases.borrow();
        let names = registry.names();
        let names = names.iter().chain(functions.keys()).chain(aliases.keys());
        names
            .filter(|name| name.starts_with(prefix))
            .map(|name| described(name.to_string(), about(name).unwrap_or_default()))
            .collect()
    }

    fn variables(&self, head: &str, prefix: &str) -> Vec<Completion> {
        let (open, name) = match prefix.strip_prefix('{') {
            Some(name) => ("${", name),
            None => ("$", prefix),
        };
        let close = if open == "${" { "}" } else { "" };
        let scope = self.session().scope.borrow();
        let found = scope.variables().map(|(known, _)| known).filter(|it| it.starts_with(name));
        let spelled = |known: &str| format!("{head}{open}{known}{close}");
        found
            .map(|known| Completion { quoting: Quoting::Source, ..described(spelled(known), "") })
            .collect()
    }

    fn names(&self, prefix: &str) -> Vec<Completion> {
        let scope = self.session().scope.borrow();
        let known = scope.variables().map(|(name, _)| described(name.to_string(), ""));
        known.filter(|name| name.text.starts_with(prefix)).collect()
    }

    fn jobs(&self, prefix: &str) -> Vec<Completion> {
        let jobs = self.services().jobs.all();
        let named = jobs.iter().map(|job| described(format!("%{}", job.id), &job.command));
        named.filter(|job| job.text.starts_with(prefix)).collect()
    }

    /// The entries that a path may go on with; hidden ones where a dot was typed.
    async fn files(&self, prefix: &str, only_directories: bool) -> Vec<Completion> {
        let (folder, start) = match prefix.rsplit_once('/') {
            Some((folder, start)) => (format!("{folder}/"), start),
            None => (String::new(), prefix),
        };
        let home = self.session().scope.borrow().get("HOME").map(|home| home.to_text_lossy());
        let place = match (folder.strip_prefix("~/"), home) {
            (Some(rest), Some(home)) => format!("{home}/{rest}"),
            _ => folder.clone(),
        };
        let cwd = self.session().cwd.borrow().clone();
        let path = Path::new(cwd.as_str()).join(Path::new(&place));
        let backend = &self.services().backend;
        let Ok(entries) = backend.list(&path).await else { return Vec::new() };
        let mut found = Vec::new();
        for entry in entries {
            let hidden = entry.name.starts_with('.') && !start.starts_with('.');
            if hidden || !entry.name.starts_with(start) {
                continue;
            }
            let mut is_dir = entry.metadata.is_dir();
            if entry.metadata.is_symlink() {
                let target = backend.stat(&path.join(Path::new(entry.name.as_str()))).await;
                is_dir = target.is_ok_and(|target| target.is_dir());
            }
            if !is_dir && only_directories {
                continue;
            }
            let slash = if is_dir { "/" } else { "" };
            found.push(Completion {
                text: format!("{folder}{}{slash}", entry.name),
                label: format!("{}{slash}", entry.name),
                ending: if is_dir { Ending::Open } else { Ending::Word },
                ..Completion::default()
            });
        }
        found
    }
}

fn options(spec: &Spec<'_>, prefix: &str) -> Vec<Completion> {
    let letters = spec.options.iter().filter(|option| option.letter != '\0');
    let letters = letters.map(|option| described(format!("-{}", option.letter), option.about));
    let longs = spec.options.iter().filter(|option| !option.long.is_empty());
    let longs = longs.map(|option| described(format!("--{}", option.long), option.about));
    let common = [described("--help".to_owned(), "shows how it is used")];
    letters.chain(longs).chain(common).filter(|option| option.text.starts_with(prefix)).collect()
}

fn described(text: String, description: &str) -> Completion {
    Completion { text, description: description.to_owned(), ..Completion::default() }
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn the_word_at_the_cursor_and_its_command() {
        let check = |line: &str, start: usize, word: &str, before: &[&str]| {
            let found = place(line);
            assert_eq!((found.start, found.word.as_str()), (start, word), "{line}");
            assert_eq!(found.before, before, "{line}");
        };
        check("", 0, "", &[]);
        check("ec", 0, "ec", &[]);
        check("cat no", 4, "no", &["cat"]);
        check("cat ", 4, "", &["cat"]);
        check("cat a b | so", 10, "so", &[]);
        check("if X=1 gr", 7, "gr", &[]);
        check("cat 'my fi", 4, "my fi", &["cat"]);
        check("cat my\\ fi", 4, "my fi", &["cat"]);
        check("ls > o", 5, "o", &["ls", ">"]);
    }
}
