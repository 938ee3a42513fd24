//! The tree of a pattern to its program, bounded in size.

use std::rc::Rc;

use super::Step;
use super::parse::{Node, Parsed};

/// How long a program may be.
const MAX_STEPS: usize = 50_000;

/// The program of a tree with so many groups.
pub(super) fn compile(node: &Node, groups: usize) -> Parsed<Vec<Step>> {
    let mut compiler = Compiler { slots: 2 * (groups + 1), steps: 0 };
    let mut program = Vec::new();
    compiler.node(node, &mut program)?;
    program.push(Step::Match);
    Ok(program)
}

struct Compiler {
    slots: usize,
    steps: usize,
}

impl Compiler {
    fn push(&mut self, step: Step, out: &mut Vec<Step>) -> Parsed<usize> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err("too large");
        }
        out.push(step);
        Ok(out.len() - 1)
    }

    fn node(&mut self, node: &Node, out: &mut Vec<Step>) -> Parsed<()> {
        match node {
            Node::Empty => {}
            Node::Step(step) => {
                self.push(step.clone(), out)?;
            }
            Node::Join(nodes) => {
                for node in nodes {
                    self.node(node, out)?;
                }
            }
            Node::Either(branches) => self.either(branches, out)?,
            Node::Group(number, node) => {
                self.push(Step::Save(2 * number), out)?;
                self.node(node, out)?;
                self.push(Step::Save(2 * number + 1), out)?;
            }
            Node::Look(kind, node) => {
                let mut program = Vec::new();
                self.node(node, &mut program)?;
                program.push(Step::Match);
                self.push(Step::Look { program: Rc::new(program), kind: *kind }, out)?;
            }
            Node::Repeat { node, least, most, greedy } => {
                for _ in 0..*least {
                    self.node(node, out)?;
                }
                match most {
                    None => self.endless(node, *greedy, out)?,
                    Some(most) => self.optional(node, most - least, *greedy, out)?,
                }
            }
        }
        Ok(())
    }

    fn either(&mut self, branches: &[Node], out: &mut Vec<Step>) -> Parsed<()> {
        let mut ends = Vec::new();
        for (index, branch) in branches.iter().enumerate() {
            let is_last = index + 1 == branches.len();
            let fork = if is_last { None } else { Some(self.push(Step::Match, out)?) };
            self.node(branch, out)?;
            if let Some(fork) = fork {
                ends.push(self.push(Step::Match, out)?);
                let next = out.len();
                set(out, fork, Step::Fork(fork + 1, next));
            }
        }
        let end = out.len();
        for at in ends {
            set(out, at, Step::Jump(end));
        }
        Ok(())
    }

    fn endless(&mut self, node: &Node, greedy: bool, out: &mut Vec<Step>) -> Parsed<()> {
        let slot = self.slots;
        self.slots += 1;
        let fork = self.push(Step::Match, out)?;
        self.push(Step::Save(slot), out)?;
        self.node(node, out)?;
        self.push(Step::Progress(slot), out)?;
        self.push(Step::Jump(fork), out)?;
        let end = out.len();
        set(out, fork, forked(fork + 1, end, greedy));
        Ok(())
    }

    fn optional(
        &mut self,
        node: &Node,
        count: u32,
        greedy: bool,
        out: &mut Vec<Step>,
    ) -> Parsed<()> {
        let mut forks = Vec::new();
        for _ in 0..count {
            forks.push(self.push(Step::Match, out)?);
            self.node(node, out)?;
        }
        let end = out.len();
        for fork in forks {
            set(out, fork, forked(fork + 1, end, greedy));
        }
        Ok(())
    }
}

fn forked(inside: usize, outside: usize, greedy: bool) -> Step {
    if greedy { Step::Fork(inside, outside) } else { Step::Fork(outside, inside) }
}

fn set(out: &mut [Step], at: usize, step: Step) {
    if let Some(place) = out.get_mut(at) {
        *place = step;
    }
}
