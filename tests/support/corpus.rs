//! Reads case files: text in, cases out.

/// A script case.
#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) known_failure: Option<String>,
    pub(crate) files: Vec<(String, Vec<u8>)>,
    pub(crate) stdin: Vec<u8>,
    pub(crate) script: String,
    pub(crate) stdout: String,
    pub(crate) stderr: Vec<String>,
    pub(crate) status: Status,
}

/// The exit status a case expects.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Is(u8),
    NonZero,
}

impl Default for Status {
    fn default() -> Self {
        Self::Is(0)
    }
}

/// The cases of a file's text.
pub(crate) fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut section: Option<(String, String)> = None;
    for line in text.split_inclusive('\n') {
        let plain = line.trim_end_matches('\n');
        let marker = plain.strip_prefix("--- ").or_else(|| plain.strip_prefix("### "));
        let Some(marker) = marker else {
            match (&mut section, cases.last_mut()) {
                (Some((_, body)), _) => body.push_str(line.strip_prefix('\\').unwrap_or(line)),
                (None, Some(case)) => attribute(case, plain),
                (None, None) => {}
            }
            continue;
        };
        let begins = plain.starts_with("### ");
        if let (Some((head, body)), Some(case)) = (section.take(), cases.last_mut()) {
            fill(case, &head, body, begins);
        }
        if begins {
            cases.push(Case { name: marker.into(), ..Case::default() });
        } else {
            section = Some((marker.into(), String::new()));
        }
    }
    if let (Some((head, body)), Some(case)) = (section, cases.last_mut()) {
        fill(case, &head, body, false);
    }
    cases
}

fn attribute(case: &mut Case, line: &str) {
    if let Some(("known_failure", why)) = line.split_once(": ") {
        case.known_failure = Some(why.into());
    }
}

/// Puts a section's text where it belongs; `last` tells that an empty line follows before the next
/// case, which is not part of the text.
fn fill(case: &mut Case, head: &str, mut body: String, last: bool) {
    if last && (body == "\n" || body.ends_with("\n\n")) {
        body.pop();
    }
    let head = match head.strip_suffix(" no-newline") {
        Some(head) => {
            body.pop();
            head
        }
        None => head,
    };
    match head.split_once(' ').unwrap_or((head, "")) {
        ("file", name) => match name.strip_suffix(" base64") {
            Some(name) => case.files.push((name.into(), super::decode_base64(&body))),
            None => case.files.push((name.into(), body.into_bytes())),
        },
        ("stdin", _) => case.stdin = body.into_bytes(),
        ("script", _) => case.script = body,
        ("stdout", _) => case.stdout = body,
        ("stderr", _) => case.stderr = body.lines().map(String::from).collect(),
        ("status", "nonzero") => case.status = Status::NonZero,
        ("status", number) => case.status = Status::Is(number.parse().unwrap_or(0)),
        (other, _) => panic!("{}: unknown section '{other}'", case.name),
    }
}
