//! A value in, whether it nests within limits out: what walks values natively relies on it.

use super::{EcoString, Value};

/// How deep collections may stand in collections.
pub const MAX_NESTING: usize = 1000;

/// How many collections a value may hold, counting a shared one each time.
const MAX_COLLECTIONS: usize = 8_000_000;

enum Walk<'v> {
    List(std::slice::Iter<'v, Value>),
    Record(indexmap::map::Values<'v, EcoString, Value>),
}

impl<'v> Walk<'v> {
    fn new(value: &'v Value) -> Option<Self> {
        match value {
            Value::List(list) => Some(Self::List(list.iter())),
            Value::Record(record) => Some(Self::Record(record.values())),
            _ => None,
        }
    }

    /// The next collection in it.
    fn next(&mut self) -> Option<&'v Value> {
        match self {
            Self::List(items) => items.find(|item| item.is_collection()),
            Self::Record(fields) => fields.find(|field| field.is_collection()),
        }
    }
}

impl Value {
    /// Whether the value may stand `above` levels deep in another; no scalar is too deep.
    pub fn nests_within(&self, above: usize) -> bool {
        let mut open: Vec<Walk<'_>> = Walk::new(self).into_iter().collect();
        let mut seen = 0;
        while let Some(top) = open.last_mut() {
            let Some(inner) = top.next() else {
                open.pop();
                continue;
            };
            seen += 1;
            if seen > MAX_COLLECTIONS {
                return false;
            }
            open.extend(Walk::new(inner));
            if open.len() + above > MAX_NESTING {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(levels: usize, above: usize, expect: bool) {
        let mut value = Value::int(1);
        for _ in 0..levels {
            value = Value::List([value].into_iter().collect());
        }
        assert_eq!(value.nests_within(above), expect, "{levels} in {above}");
    }

    #[test]
    fn levels() {
        check(0, 5000, true);
        check(1000, 0, true);
        check(1001, 0, false);
        check(999, 1, true);
        check(1000, 1, false);
        let mut wide = Value::List(super::super::EcoVec::new());
        for _ in 0..60 {
            wide = Value::List([wide.clone(), wide].into_iter().collect());
        }
        assert!(!wide.nests_within(0), "too many, though not too deep");
    }
}
