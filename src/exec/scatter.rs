//! `scatter … | worker… | gather`: one worker pipeline per item, rows in item order.

use super::Machine;
use super::flow::Flow;
use crate::syntax::Stage;

impl Machine {
    /// Starts a scatter pipeline; `None` where the first stage is no `scatter`.
    pub(super) fn start_scatter(&mut self, stages: &[Stage]) -> Option<Flow> {
        let _ = stages;
        None
    }
}
