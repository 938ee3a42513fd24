//! The modules of native programs: linked in, their steps counted since nothing can end them.

use async_trait::async_trait;

use super::{Feed, Module, ModuleError, ModuleStep, Next};

/// Steps of evaluation that one run may take.
const STEPS: u64 = 20_000_000;

/// Starts a run of a linked module.
pub(super) fn start(name: &'static str, request: &str) -> Result<Box<dyn Module>, ModuleError> {
    match name {
        "jq" => Ok(Box::new(Jq(tabsh_jq::Run::limited(request, STEPS)))),
        _ => Err(ModuleError::new(name, "it is not linked in")),
    }
}

struct Jq(tabsh_jq::Run);

#[async_trait(?Send)]
impl Module for Jq {
    async fn step(&mut self, feed: Feed<'_>) -> Result<ModuleStep, ModuleError> {
        let step = self.0.step(match feed {
            Feed::Nothing => tabsh_jq::Feed::Nothing,
            Feed::Bytes(bytes) => tabsh_jq::Feed::Bytes(bytes),
            Feed::File(name) => tabsh_jq::Feed::File(name),
            Feed::End => tabsh_jq::Feed::End,
        });
        let next = match step.next {
            tabsh_jq::Next::More => Next::More,
            tabsh_jq::Next::Input => Next::Input,
            tabsh_jq::Next::Done(status) => Next::Done(status),
        };
        Ok(ModuleStep { out: step.out, err: step.err, next })
    }
}
