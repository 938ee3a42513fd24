//! Output to the column the terminal's cursor is in.

use crate::value::Cluster;

/// The cursor's column while it is known.
#[derive(Debug)]
pub(super) struct Column {
    columns: usize,
    /// Equal to `columns` when the next character wraps.
    at: Option<usize>,
    cluster: Cluster,
}

impl Column {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns: columns.max(2), at: Some(0), cluster: Cluster::default() }
    }

    pub(super) fn resize(&mut self, columns: usize) {
        self.columns = columns.max(2);
        self.at = self.at.map(|at| at.min(self.columns));
    }

    pub(super) fn get(&self) -> Option<usize> {
        self.at
    }

    pub(super) fn set(&mut self, column: usize) {
        self.at = Some(column);
        self.cluster = Cluster::default();
    }

    pub(super) fn lose(&mut self) {
        self.at = None;
    }

    /// A sequence came: what follows joins nothing before it.
    pub(super) fn interrupt(&mut self) {
        self.cluster = Cluster::default();
    }

    pub(super) fn print(&mut self, ch: char) {
        let before = self.cluster.width();
        let joined = self.cluster.push(ch);
        let grown = self.cluster.width() - if joined { before } else { 0 };
        let Some(at) = self.at else { return };
        if at + grown > self.columns {
            // The whole cluster stands on the next row.
            self.at = Some(self.cluster.width());
        } else {
            self.at = Some(at + grown);
        }
    }

    pub(super) fn control(&mut self, ch: char) {
        self.cluster = Cluster::default();
        let last = self.columns - 1;
        self.at = self.at.map(|at| match ch {
            '\x08' => at.min(last).saturating_sub(1),
            '\t' => (at / 8 * 8 + 8).min(last),
            _ => at,
        });
    }

    pub(super) fn sequence(&mut self, parameters: &str, last: char) {
        let mut numbers = parameters.split(';').map(|part| part.parse::<usize>().unwrap_or(0));
        let first = numbers.next().unwrap_or(0).max(1);
        let second = numbers.next().unwrap_or(0).max(1);
        let right = self.columns - 1;
        let at = self.at.map(|at| at.min(right));
        self.at = match last {
            'm' | 'J' | 'K' | 'X' | 'P' | '@' | 'g' | 'L' | 'M' | 'S' | 'T' => self.at,
            'A' | 'B' | 'd' | 'e' => at,
            'C' | 'a' => at.map(|at| (at + first).min(right)),
            'D' => at.map(|at| at.saturating_sub(first)),
            'E' | 'F' | 'r' => Some(0),
            'G' | '`' => Some((first - 1).min(right)),
            'H' | 'f' => Some((second - 1).min(right)),
            'I' => at.map(|at| (at / 8 * 8 + 8 * first).min(right)),
            'Z' => at.map(|at| at.div_ceil(8).saturating_sub(first) * 8),
            'b' => {
                let width = self.cluster.width();
                self.at.map(|at| if width == 0 { at } else { self.after(at, width, first) })
            }
            _ => None,
        };
    }

    /// The column after `count` clusters of one width.
    fn after(&self, at: usize, width: usize, count: usize) -> usize {
        (0..count).fold(at, |at, _| if at + width > self.columns { width } else { at + width })
    }
}
