//! A name that is no command: what people type by reflex, what was meant, near names.

use crate::syntax::{invisible, is_name};
use crate::value::{EcoString, InOrder};

/// What people type by reflex and cannot be here, with the way out.
pub fn refusal(name: &str) -> Option<&'static str> {
    Some(match name {
        "eval" => {
            "not available: text is never run as code in place; use `sh -c TEXT` for a program in a text, ${!name} for indirection"
        }
        "vi" | "vim" | "nano" | "emacs" | "ed" => {
            "no terminal editor here; use `edit FILE` where the page has an editor, or sed -i and here-documents"
        }
        "sudo" | "su" | "doas" => {
            "there are no users and nothing to elevate: run the command itself"
        }
        "apt" | "apt-get" | "yum" | "dnf" | "brew" | "pacman" | "apk" | "npm" | "pip" | "cargo" => {
            "packages cannot be installed: this shell lives in a page; `help` lists what it has"
        }
        "git" => {
            "no git here; the files live in this page (kaish-vfs shows changes where an overlay is on)"
        }
        "python" | "python3" | "node" | "perl" | "ruby" => {
            "no other interpreters here; awk, jq and the shell itself may do"
        }
        "curl" | "wget" | "ssh" | "scp" | "nc" | "ping" => {
            "no network here unless the page provides a command for it"
        }
        "spawn" | "bg" | "nohup" | "disown" => "there are no processes here; `cmd &` starts a job",
        "top" | "ps" | "htop" => "there are no processes here; `jobs` lists what runs",
        "shopt" => {
            "no such switches: `**`, aliases in scripts and loud globs are as they are; `set +o glob` passes patterns on, $(glob '*.x') gives none"
        }
        "coproc" => "no coprocesses: a pipe, or `cmd &` with a file between",
        "ulimit" => "limits are set by the page; kaish-output-limit sets that of output",
        "times" => "no times of processes; `time COMMAND` measures one",
        "enable" | "bind" | "complete" | "compgen" | "caller" | "suspend" | "logout" => {
            "not available here; `help` lists the commands"
        }
        "man" => "no manual pages here; `help COMMAND` or `COMMAND --help` tells",
        "less" | "more" => "no pager here; the terminal scrolls, `head` and `tail` show parts",
        _ => return None,
    })
}

/// What a name that is no command was probably meant as, beyond a near name.
pub fn meant(name: &str, words: &[EcoString], names: &[EcoString]) -> Option<String> {
    const NO_BLANKS: &str = "an assignment has no blanks around `=`";
    let second = words.get(1).map(EcoString::as_str).unwrap_or_default();
    let third = words.get(2..).unwrap_or_default().join(" ");
    if name.is_empty() {
        return Some("the name is empty: an expansion or quotes gave no text".into());
    }
    if let Some(c) = name.chars().find(|c| invisible(*c).is_some()) {
        let what = invisible(c).unwrap_or_default();
        return Some(format!("the name holds {what} (U+{:04X}): write a plain blank", c as u32));
    }
    if name.contains(['“', '”', '„', '‘', '’']) {
        return Some("typographic quotes quote nothing: write \" or '".into());
    }
    if let Some(value) = name.strip_prefix('=') {
        return Some(format!("the target of an assignment is written without `$`: x={value}"));
    }
    if second == "=" && is_name(name) {
        return Some(format!("{NO_BLANKS}: {name}={third}"));
    }
    if second == "==" {
        return Some(format!("a test is written [[ {name} == {third} ]]"));
    }
    if let Some(value) = second.strip_prefix('=').filter(|_| is_name(name)) {
        return Some(format!("{NO_BLANKS}: {name}={value}"));
    }
    if matches!(name, "var" | "int" | "const" | "string" | "my" | "Dim" | "dim" | "auto") {
        return Some(format!("an assignment needs no word before it: {second}"));
    }
    if name.parse::<f64>().is_ok() {
        return Some(format!("a number is no command; {NO_BLANKS}, and $((…)) computes"));
    }
    let lower = name.to_lowercase();
    if lower != name && names.iter().any(|known| *known == lower) {
        return Some(format!("did you mean {lower}? Capitals matter"));
    }
    let glued = name.find(|c: char| !(c.is_alphanumeric() || c == '_'))?;
    let (command, rest) = name.split_at_checked(glued)?;
    names.iter().any(|known| *known == command).then(|| format!("did you mean {command} {rest}?"))
}

/// Up to three names that differ from `name` by few edits, nearest first.
pub fn nearest(name: &str, names: &[EcoString]) -> Vec<String> {
    let limit = if name.chars().count() <= 3 { 1 } else { 2 };
    let mut near: Vec<(usize, &EcoString)> = names
        .iter()
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    near.order_by(Ord::cmp);
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

/// Edits (insertions, deletions, replacements, swaps of neighbours) between two short names.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().take(64).collect();
    let right: Vec<char> = right.chars().take(64).collect();
    let width = right.len() + 1;
    let mut table: Vec<usize> = vec![0; (left.len() + 1) * width];
    let at = |row: usize, column: usize| row * width + column;
    for row in 0..=left.len() {
        for column in 0..=right.len() {
            let best = if row == 0 || column == 0 {
                row + column
            } else {
                let change = usize::from(left[row - 1] != right[column - 1]);
                let mut best = (table[at(row - 1, column - 1)] + change)
                    .min(table[at(row - 1, column)] + 1)
                    .min(table[at(row, column - 1)] + 1);
                let swapped = row > 1
                    && column > 1
                    && left[row - 1] == right[column - 2]
                    && left[row - 2] == right[column - 1];
                if swapped {
                    best = best.min(table[at(row - 2, column - 2)] + 1);
                }
                best
            };
            table[at(row, column)] = best;
        }
    }
    table.last().copied().unwrap_or(0)
}
