//! Compound commands and conditions to source text.

use super::Printer;
use crate::syntax::{
    CaseArm, CaseEnd, Compound, CompoundCommand, Condition, ConditionOp, Script, Word,
};

impl Printer {
    pub(super) fn compound(&mut self, command: &CompoundCommand) {
        self.compound_kind(&command.kind);
        for redirect in &command.redirects {
            self.push(" ");
            self.redirect(redirect);
        }
    }

    pub(super) fn compound_kind(&mut self, kind: &Compound) {
        match kind {
            Compound::Group(script) => self.between("{", script, "}"),
            Compound::Subshell(script) => self.between("(", script, ")"),
            Compound::If { arms, otherwise } => {
                for (i, (condition, body)) in arms.iter().enumerate() {
                    self.between(if i > 0 { "elif" } else { "if" }, condition, "then");
                    self.block(body);
                }
                if let Some(body) = otherwise {
                    self.push("else");
                    self.block(body);
                }
                self.push("fi");
            }
            Compound::For { name, words, body } => self.each("for", name, words.as_deref(), body),
            Compound::Select { name, words, body } => {
                self.each("select", name, words.as_deref(), body);
            }
            Compound::ForArith { init, condition, step, body } => {
                self.push("for ((");
                for (i, code) in [init, condition, step].into_iter().enumerate() {
                    self.push(if i > 0 { ";" } else { "" });
                    self.push(code.as_ref().map_or("", |code| code.text.as_str()));
                }
                self.push("))");
                self.newline();
                self.line_start();
                self.between("do", body, "done");
            }
            Compound::While { until, condition, body } => {
                self.between(if *until { "until" } else { "while" }, condition, "do");
                self.block(body);
                self.push("done");
            }
            Compound::Case { subject, arms } => {
                self.push("case ");
                self.word(subject);
                self.push(" in");
                self.newline();
                arms.iter().for_each(|arm| self.arm(arm));
                self.line_start();
                self.push("esac");
            }
            Compound::Arithmetic(code) => self.push(&format!("(({}))", code.text)),
            Compound::Condition(condition) => {
                self.push("[[ ");
                self.condition(condition);
                self.push(" ]]");
            }
        }
    }

    pub(super) fn between(&mut self, opening: &str, script: &Script, closing: &str) {
        self.push(opening);
        self.block(script);
        self.push(closing);
    }

    pub(super) fn each(
        &mut self,
        keyword: &str,
        name: &str,
        words: Option<&[Word]>,
        body: &Script,
    ) {
        self.push(&format!("{keyword} {name}"));
        if let Some(words) = words {
            self.push(" in");
            for word in words {
                self.push(" ");
                self.word(word);
            }
        }
        self.newline();
        self.line_start();
        self.between("do", body, "done");
    }

    pub(super) fn arm(&mut self, arm: &CaseArm) {
        self.line_start();
        self.push("(");
        for (i, pattern) in arm.patterns.iter().enumerate() {
            self.push(if i > 0 { "|" } else { "" });
            self.word(pattern);
        }
        self.push(")");
        self.block(&arm.body);
        self.push(match arm.end {
            CaseEnd::Break => ";;",
            CaseEnd::FallThrough => ";&",
            CaseEnd::TestNext => ";;&",
        });
        self.newline();
    }

    pub(super) fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Word(word) => self.word(word),
            Condition::Unary(operator, word, _) => {
                self.push(&format!("-{operator} "));
                self.word(word);
            }
            Condition::Binary(operator, left, right, _) => {
                self.word(left);
                self.push(&format!(" {} ", condition_operator(*operator)));
                self.word(right);
            }
            Condition::In { negated, left, right, .. } => {
                self.word(left);
                self.push(if *negated { " not in " } else { " in " });
                self.value(right);
            }
            Condition::Not(inner) => {
                self.push("! ");
                let nested = matches!(**inner, Condition::Not(_));
                self.push(if nested { "( " } else { "" });
                self.condition_group(inner);
                self.push(if nested { " )" } else { "" });
            }
            Condition::And(all) => self.conditions(all, " && "),
            Condition::Or(all) => self.conditions(all, " || "),
        }
    }

    pub(super) fn conditions(&mut self, all: &[Condition], operator: &str) {
        for (i, condition) in all.iter().enumerate() {
            self.push(if i > 0 { operator } else { "" });
            self.condition_group(condition);
        }
    }

    /// A condition in parentheses where it could fall apart.
    pub(super) fn condition_group(&mut self, condition: &Condition) {
        let joined = matches!(condition, Condition::And(_) | Condition::Or(_));
        self.push(if joined { "( " } else { "" });
        self.condition(condition);
        self.push(if joined { " )" } else { "" });
    }
}

fn condition_operator(operator: ConditionOp) -> &'static str {
    match operator {
        ConditionOp::Equal => "==",
        ConditionOp::NotEqual => "!=",
        ConditionOp::Less => "<",
        ConditionOp::Greater => ">",
        ConditionOp::Match => "=~",
        ConditionOp::NotMatch => "!~",
        ConditionOp::NumEqual => "-eq",
        ConditionOp::NumNotEqual => "-ne",
        ConditionOp::NumLess => "-lt",
        ConditionOp::NumLessEqual => "-le",
        ConditionOp::NumGreater => "-gt",
        ConditionOp::NumGreaterEqual => "-ge",
        ConditionOp::Newer => "-nt",
        ConditionOp::Older => "-ot",
        ConditionOp::SameFile => "-ef",
    }
}
