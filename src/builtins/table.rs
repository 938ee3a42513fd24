//! Rows of records to a table that people read: columns as wide as what stands in them.

use crate::value::{Record, Value, text_width};

/// The rows under a line of headings; a cell that is missing or null is empty.
pub(super) fn table(columns: &[&str], rows: &[Record]) -> String {
    let headings: Vec<String> = columns.iter().map(|column| column.to_uppercase()).collect();
    let mut lines = vec![headings];
    for row in rows {
        let cell = |column: &&str| {
            let text = row.get(*column).map(Value::to_text_lossy).unwrap_or_default();
            text.replace("\n", " ").to_string()
        };
        lines.push(columns.iter().map(cell).collect());
    }
    let width = |index: usize| {
        let cells = lines.iter().filter_map(|line| line.get(index));
        cells.map(|cell| text_width(cell)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let start = text.len();
        for (cell, width) in line.iter().zip(&widths) {
            if text.len() > start {
                text.push_str("  ");
            }
            text.push_str(cell);
            text.extend(std::iter::repeat_n(' ', width.saturating_sub(text_width(cell))));
        }
        text.truncate(text.trim_end().len().max(start));
        text.push('\n');
    }
    text
}

/// A record of what a command tells, in the order given.
pub(super) fn record<const N: usize>(fields: [(&str, Value); N]) -> Record {
    fields.into_iter().map(|(key, value)| (key.into(), value)).collect()
}

/// A count as a value.
pub(super) fn count(number: impl TryInto<i64>) -> Value {
    Value::int(number.try_into().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [
            record([("name", "x".into()), ("n", Value::int(5))]),
            record([("name", "long".into()), ("n", Value::Null)]),
        ];
        assert_eq!(table(&["name", "n"], &rows), "NAME  N\nx     5\nlong\n");
    }
}
