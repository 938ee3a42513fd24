//! `{a,b}` in a pattern that is data: the pattern in, the patterns without braces out.

/// The most alternatives one pattern may stand for.
pub const MAX_ALTERNATIVES: usize = 4096;

/// The patterns that `pattern` stands for once its `{a,b}` groups (nested too) are written out, in
/// order, backslash escapes kept; `None` beyond [`MAX_ALTERNATIVES`].
///
/// Braces without a comma and unbalanced ones stay as they are.
#[must_use]
pub fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let mut pending = vec![pattern.to_owned()];
    let mut done = Vec::new();
    // Depth first and left to right: the first group of the last pending pattern is written out.
    while let Some(text) = pending.pop() {
        match first_group(&text) {
            None => done.push(text),
            Some(group) => {
                for choice in group.choices.iter().rev() {
                    pending.push([group.before, choice, group.after].concat());
                }
            }
        }
        if pending.len() + done.len() > MAX_ALTERNATIVES {
            return None;
        }
    }
    Some(done)
}

struct Group<'a> {
    before: &'a str,
    choices: Vec<&'a str>,
    after: &'a str,
}

/// The first group that holds a comma at its own level.
fn first_group(text: &str) -> Option<Group<'_>> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '{' => {
                if let Some(group) = group_at(text, at) {
                    return Some(group);
                }
            }
            _ => {}
        }
    }
    None
}

fn group_at(text: &str, open: usize) -> Option<Group<'_>> {
    let (mut depth, mut from) = (0usize, open + 1);
    let mut choices = Vec::new();
    let mut chars = text.get(open..)?.char_indices();
    while let Some((offset, c)) = chars.next() {
        let at = open + offset;
        match c {
            '\\' => {
                chars.next();
            }
            '{' => depth += 1,
            ',' if depth == 1 => {
                choices.push(text.get(from..at)?);
                from = at + 1;
            }
            '}' if depth == 1 => {
                if choices.is_empty() {
                    return None;
                }
                choices.push(text.get(from..at)?);
                return Some(Group {
                    before: text.get(..open)?,
                    choices,
                    after: text.get(at + 1..)?,
                });
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, expect: &[&str]) {
        assert_eq!(alternatives(pattern).unwrap(), expect, "{pattern}");
    }

    #[test]
    fn groups_are_written_out_in_order() {
        check("*.txt", &["*.txt"]);
        check("*.{rs,md}", &["*.rs", "*.md"]);
        check("{a,b}{1,2}", &["a1", "a2", "b1", "b2"]);
        check("x{a,b{1,2}}y", &["xay", "xb1y", "xb2y"]);
        check("{a}{}{", &["{a}{}{"]);
        check("{a,", &["{a,"]);
        check("{{a,b}}", &["{a}", "{b}"]);
        check("{,x}", &["", "x"]);
        check(r"\{a,b}", &[r"\{a,b}"]);
        check(r"{a\,b,c}", &[r"a\,b", "c"]);
    }

    #[test]
    fn their_number_is_limited() {
        assert_eq!(alternatives(&"{a,b}".repeat(20)), None);
        assert_eq!(alternatives(&"{a,b}".repeat(12)).map(|all| all.len()), Some(4096));
    }
}
