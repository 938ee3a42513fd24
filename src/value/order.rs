//! Sorting that costs little code: one copy of the algorithm, over indices, serves items of all types.

use std::cmp::Ordering;

/// Stable sorting of slices of any type. For what is sorted a lot at once, the standard library's is
/// faster and, with kilobytes for each type, larger.
pub trait InOrder<T> {
    /// Sorts by `compare`; equal items keep their order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by what `key` answers; equal items keep their order.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> InOrder<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order = order_of(self.len(), &mut |a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        for start in 0..order.len() {
            follow(&mut order, start, &mut |a, b| self.swap(a, b));
        }
    }
}

/// The indices below `len`, sorted.
fn order_of(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Moves the items of one cycle of the permutation to their places.
fn follow(order: &mut [usize], start: usize, swap: &mut dyn FnMut(usize, usize)) {
    let mut at = start;
    while let Some(slot) = order.get_mut(at) {
        let next = std::mem::replace(slot, at);
        if next == start || next == at {
            return;
        }
        swap(at, next);
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::InOrder;

    fn check(input: &str, expect: &str) {
        let mut words: Vec<&str> = input.split(' ').collect();
        words.order_by_key(|word| word.chars().next());
        assert_eq!(words.join(" "), expect);
    }

    #[test]
    fn stable_and_complete() {
        check("a", "a");
        check("b a", "a b");
        check("c2 a1 b1 a2 c1 b2 a3", "a1 a2 a3 b1 b2 c2 c1");
        check("d c b a", "a b c d");
        check("b1 c1 d1 a1 a2", "a1 a2 b1 c1 d1");
    }
}
