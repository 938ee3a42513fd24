//! Tab stops as `expand` and `unexpand` read them in, the next stop after a column out.

use crate::tool::Args;

/// Tab stops.
pub(super) struct Tabs {
    stops: Vec<usize>,
    /// The distance of the stops after the last one; 0 for none.
    every: usize,
    /// Whether `every` counts from the last stop.
    from_last: bool,
}

impl Tabs {
    /// The stops of `-t` and `-NUM`; 8 apart by default.
    pub(super) fn new(args: &Args) -> Result<Self, String> {
        let mut tabs = Self { stops: Vec::new(), every: 0, from_last: false };
        for value in args.values("tabs") {
            let text = value.to_text_lossy();
            for item in text.split([',', ' ', '\t']).filter(|item| !item.is_empty()) {
                tabs.add(item)?;
            }
        }
        match tabs.stops.as_slice() {
            [] if tabs.every == 0 => tabs.every = 8,
            [only] if tabs.every == 0 => {
                tabs.every = *only;
                tabs.stops.clear();
            }
            _ => {}
        }
        Ok(tabs)
    }

    fn add(&mut self, item: &str) -> Result<(), String> {
        let (digits, mark) = match item.strip_prefix('/') {
            Some(rest) => (rest, '/'),
            None => match item.strip_prefix('+') {
                Some(rest) => (rest, '+'),
                None => (item, ' '),
            },
        };
        let Ok(stop) = digits.parse::<usize>() else {
            return Err(format!("tab size contains invalid character(s): '{item}'"));
        };
        if stop == 0 {
            return Err("tab size cannot be 0".into());
        }
        if mark != ' ' {
            self.every = stop;
            self.from_last = mark == '+';
            return Ok(());
        }
        if self.stops.last().is_some_and(|last| *last >= stop) {
            return Err("tab sizes must be ascending".into());
        }
        self.stops.push(stop);
        Ok(())
    }

    /// The stop after a column; `None` where there are no more.
    pub(super) fn after(&self, column: usize) -> Option<usize> {
        if let Some(stop) = self.stops.iter().find(|stop| **stop > column) {
            return Some(*stop);
        }
        let base = if self.from_last { self.stops.last().copied().unwrap_or(0) } else { 0 };
        let every = (self.every > 0).then_some(self.every)?;
        Some(column + every - (column - base.min(column)) % every)
    }
}
