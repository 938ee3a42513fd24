//! `tsort`: pairs of names, the first before the second, to one order of all names.

use std::collections::{HashMap, VecDeque};

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{Args, Builtin, Example, ExecContext, Outcome, Reply, Run, Spec, Stop, Topic};

/// `tsort`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "tsort",
    about: "order names so that every pair is in order",
    topic: Topic::Text,
    operands: "[FILE]",
    arity: (0, 1),
    examples: &[Example { script: "echo a b b c a c | tsort", output: "a\nb\nc\n" }],
    ..Spec::DEFAULT
};

/// The names and which come before which.
#[derive(Default)]
struct Graph {
    names: Vec<Vec<u8>>,
    /// What must come after each, the latest first.
    after: Vec<Vec<usize>>,
    /// How many must come before each.
    before: Vec<usize>,
    done: Vec<bool>,
}

impl Graph {
    fn add(&mut self, numbers: &mut HashMap<Vec<u8>, usize>, name: &[u8]) -> usize {
        let next = self.names.len();
        let number = *numbers.entry(name.to_vec()).or_insert(next);
        if number == next {
            self.names.push(name.to_vec());
            self.after.push(Vec::new());
            self.before.push(0);
            self.done.push(false);
        }
        number
    }

    fn pair(&mut self, first: usize, second: usize) {
        if first == second {
            return;
        }
        if let (Some(after), Some(before)) =
            (self.after.get_mut(first), self.before.get_mut(second))
        {
            after.insert(0, second);
            *before += 1;
        }
    }

    fn is_free(&self, number: usize) -> bool {
        self.before.get(number) == Some(&0) && self.done.get(number) == Some(&false)
    }

    /// Marks a name as printed; those that it was the last to hold back are free.
    fn finish(&mut self, number: usize) -> Vec<usize> {
        if let Some(done) = self.done.get_mut(number) {
            *done = true;
        }
        let after = self.after.get_mut(number).map(std::mem::take).unwrap_or_default();
        let mut freed = Vec::new();
        for next in after {
            if let Some(before) = self.before.get_mut(next) {
                *before -= 1;
                if *before == 0 {
                    freed.push(next);
                }
            }
        }
        freed
    }

    /// A loop among those left, each the one that must come before the next.
    fn find_loop(&self) -> Vec<usize> {
        let left = |number: &usize| self.done.get(*number) == Some(&false);
        let mut holder = vec![None; self.names.len()];
        for (number, after) in self.after.iter().enumerate().filter(|(number, _)| left(number)) {
            for next in after {
                if let Some(slot) = holder.get_mut(*next) {
                    *slot = Some(number);
                }
            }
        }
        // Going backwards from a name that is held back comes round sooner or later.
        let Some(mut at) = (0..self.names.len()).find(|number| left(number)) else {
            return Vec::new();
        };
        let mut seen = Vec::new();
        while let Some(before) = holder.get(at).copied().flatten() {
            if let Some(start) = seen.iter().position(|number| *number == at) {
                let mut found = seen.split_off(start);
                found.reverse();
                let name = |number: &usize| self.names.get(*number);
                let first = (0..found.len()).min_by_key(|index| found.get(*index).and_then(name));
                found.rotate_left(first.unwrap_or(0));
                return found;
            }
            seen.push(at);
            at = before;
        }
        Vec::new()
    }
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let operand = args.operand(0).unwrap_or_else(|| "-".into());
        let Some(stream) = cx.open_input(&operand).await? else { return Reply::status(1) };
        let text = cx.read_all(&stream).await?;
        let mut graph = Graph::default();
        let mut numbers = HashMap::new();
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        while let Some(first) = words.next() {
            let Some(second) = words.next() else {
                return Err(
                    cx.fail(1, format_args!("{operand}: input contains an odd number of tokens"))
                );
            };
            let first = graph.add(&mut numbers, first);
            let second = graph.add(&mut numbers, second);
            graph.pair(first, second);
            cx.checkpoint(4).await?;
        }
        let found_loop = print(cx, &mut graph, &operand).await?;
        Reply::success(!found_loop)
    }
    .boxed_local()
}

/// Prints all names; answers whether some stood in a loop.
async fn print(cx: &mut ExecContext, graph: &mut Graph, operand: &str) -> Result<bool, Stop> {
    let mut sorted: Vec<usize> = (0..graph.names.len()).collect();
    sorted.sort_by(|a, b| graph.names.get(*a).cmp(&graph.names.get(*b)));
    let mut queue: VecDeque<usize> =
        sorted.iter().copied().filter(|number| graph.is_free(*number)).collect();
    let (mut printed, mut found_loop) = (0, false);
    while printed < graph.names.len() {
        let Some(number) = queue.pop_front() else {
            found_loop = true;
            let found = graph.find_loop();
            cx.complain(format_args!("{operand}: input contains a loop:")).await?;
            for number in &found {
                let name = graph.names.get(*number).cloned().unwrap_or_default();
                cx.complain(String::from_utf8_lossy(&name)).await?;
            }
            // The loop is broken at its first name.
            let Some(first) = found.first().copied() else { break };
            for after in &mut graph.after {
                after.retain(|next| *next != first);
            }
            if let Some(before) = graph.before.get_mut(first) {
                *before = 0;
            }
            queue.push_back(first);
            continue;
        };
        printed += 1;
        let name = graph.names.get(number).cloned().unwrap_or_default();
        cx.write_line(&name).await?;
        queue.extend(graph.finish(number));
        cx.checkpoint(4).await?;
    }
    Ok(found_loop)
}
