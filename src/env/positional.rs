//! `$1…`: arguments that are shared by subshells and shortened in O(1).

use std::ops::Deref;
use std::rc::Rc;

use crate::value::Value;

/// Positional parameters; cloning and shifting are O(1).
#[derive(Clone, Debug, Default)]
pub struct Positional {
    values: Rc<Vec<Value>>,
    /// How many of them were shifted away.
    shifted: usize,
}

impl Positional {
    /// These arguments.
    pub fn new(values: Vec<Value>) -> Self {
        Self { values: Rc::new(values), shifted: 0 }
    }

    /// Drops the first `count`; `None` where there are fewer.
    pub fn shift(&self, count: usize) -> Option<Self> {
        let shifted = self.shifted.checked_add(count)?;
        let values = Rc::clone(&self.values);
        (shifted <= values.len()).then_some(Self { values, shifted })
    }
}

impl Deref for Positional {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.values.get(self.shifted..).unwrap_or_default()
    }
}
