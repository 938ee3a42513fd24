//! One call of jq, in steps: bytes of input in, bytes of output out, no step longer than one value.

use jaq_core::{Ctx, Vars};
use self_cell::self_cell;

use crate::fault::Outcome;
use crate::filter;
use crate::inputs::Inputs;
use crate::meter::{self, Stop};
use crate::options::Options;
use crate::shared::{Kind, Shared};
use crate::value::Json;
use crate::write;

/// How many bytes of output a step makes before it ends.
const FULL: usize = 32 * 1024;

/// What a step may be given.
#[derive(Clone, Copy, Debug)]
pub enum Feed<'f> {
    /// Nothing: go on.
    Nothing,
    /// Bytes of input.
    Bytes(&'f [u8]),
    /// The bytes that follow are of this file.
    File(&'f str),
    /// There is no more input.
    End,
}

/// What a step did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Bytes for standard output.
    pub out: Vec<u8>,
    /// Bytes for standard error.
    pub err: Vec<u8>,
    /// What comes next.
    pub next: Next,
}

/// What comes after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another step.
    More,
    /// Another step, with input.
    Input,
    /// Nothing: it has ended with this exit status.
    Done(u8),
}

type Outputs<'a> = Option<Box<dyn Iterator<Item = Outcome<'a>> + 'a>>;

self_cell!(
    /// What is shared, and the outputs still to come, which borrow it.
    struct Filtering {
        owner: Shared,
        #[not_covariant]
        dependent: Outputs,
    }
);

/// One call of jq.
pub struct Run {
    filtering: Option<Filtering>,
    options: Options,
    /// Whether inputs are complete before the filter runs, since it takes them itself.
    waits: bool,
    /// `-n`: whether its one input is still to come.
    null_due: bool,
    status: u8,
    /// Whether the last output was false or null; `None` before the first.
    last_false: Option<bool>,
    left: u64,
    failure: Vec<u8>,
}

impl Run {
    /// Starts a call; what is wrong with it is said by the first step.
    #[must_use]
    pub fn new(request: &str) -> Self {
        Self::limited(request, u64::MAX)
    }

    /// Starts a call that may take so many steps of evaluation in all.
    #[must_use]
    pub fn limited(request: &str, steps: u64) -> Self {
        let (options, failure) = match Options::read(request) {
            Ok(options) => (options, None),
            Err(message) => (Options::default(), Some((2, format!("jq: {message}\n")))),
        };
        let mut run = Self {
            filtering: None,
            waits: false,
            null_due: options.null_input,
            status: 0,
            last_false: None,
            left: steps,
            failure: Vec::new(),
            options,
        };
        let failure = failure.or_else(|| run.compile().err());
        if let Some((status, message)) = failure {
            run.status = status;
            run.failure = message.into_bytes();
        }
        run
    }

    fn compile(&mut self) -> Result<(), (u8, String)> {
        let options = &mut self.options;
        let names: Vec<String> = options.variables.iter().map(|(name, _)| name.clone()).collect();
        let compiled = filter::compile(&options.filter, &names)
            .map_err(|error| (3, error.report(&options.filter)))?;
        self.waits = compiled.takes_inputs;
        let env = std::mem::take(&mut options.env);
        let shared = Shared::new(compiled, Inputs::new(options.manner), env, options.now);
        self.filtering = Some(Filtering::new(shared, |_| None));
        Ok(())
    }

    /// Takes input and goes on for a while.
    pub fn step(&mut self, feed: Feed<'_>) -> Step {
        let mut out = Vec::new();
        let Some(filtering) = &self.filtering else {
            let err = std::mem::take(&mut self.failure);
            return Step { out, err, next: Next::Done(self.status) };
        };
        let mut inputs = filtering.borrow_owner().inputs.borrow_mut();
        match feed {
            Feed::Nothing => {}
            Feed::Bytes(bytes) => inputs.push(bytes),
            Feed::File(name) => inputs.begin_file(name),
            Feed::End => inputs.end(),
        }
        let is_open = inputs.is_open();
        drop(inputs);
        if self.waits && is_open {
            return Step { out, err: Vec::new(), next: Next::Input };
        }
        meter::start(self.left);
        let next = loop {
            if out.len() >= FULL {
                break Next::More;
            }
            if let Some(next) = self.turn(&mut out) {
                break next;
            }
        };
        self.left = meter::left();
        let err = self.filtering.as_ref().map(|filtering| filtering.borrow_owner().told());
        if matches!(next, Next::Done(_)) {
            self.filtering = None;
        }
        Step { out, err: err.unwrap_or_default(), next }
    }

    /// One output, or one input taken; what comes next where the step is to end.
    fn turn(&mut self, out: &mut Vec<u8>) -> Option<Next> {
        let filtering = self.filtering.as_mut()?;
        let output = filtering.with_dependent_mut(|_, outputs| {
            let output = outputs.as_mut().map(Iterator::next);
            match output {
                Some(Some(Ok(value))) => Some(Ok(value)),
                Some(Some(Err(exception))) => {
                    *outputs = None;
                    Some(Err(exception.get_err().ok().map(jaq_core::Error::into_val)))
                }
                Some(None) => {
                    *outputs = None;
                    None
                }
                None => None,
            }
        });
        match output {
            Some(Ok(value)) => self.put(&value, out),
            Some(Err(error)) => self.fail(error),
            None => self.begin(),
        }
    }

    /// Starts on the next input.
    fn begin(&mut self) -> Option<Next> {
        let filtering = self.filtering.as_mut()?;
        let shared = filtering.borrow_owner();
        let input = if self.options.null_input {
            std::mem::take(&mut self.null_due).then_some(Ok(Json::Null))
        } else {
            shared.inputs.borrow_mut().next()
        };
        match input {
            Some(Ok(value)) => {
                let variables: Vec<Json> =
                    self.options.variables.iter().map(|(_, value)| value.clone()).collect();
                filtering.with_dependent_mut(|shared, outputs| {
                    let context = Ctx::<Kind>::new(shared, Vars::new(variables));
                    *outputs = Some(shared.filter().id.run((context, value)));
                });
                None
            }
            Some(Err(message)) => {
                shared.tell(&format!(
                    "jq: error (at {}): {message}\n",
                    shared.inputs.borrow().place()
                ));
                Some(Next::Done(2))
            }
            None if !self.options.null_input && shared.inputs.borrow().is_open() => {
                Some(Next::Input)
            }
            None => Some(Next::Done(self.final_status())),
        }
    }

    fn final_status(&self) -> u8 {
        match (self.options.exit_status, self.last_false) {
            _ if self.status != 0 => self.status,
            (true, None) => 4,
            (true, Some(true)) => 1,
            _ => 0,
        }
    }

    fn put(&mut self, value: &Json, out: &mut Vec<u8>) -> Option<Next> {
        self.last_false = Some(!value.is_true());
        out.extend_from_slice(self.options.before.as_bytes());
        match value {
            Json::Str(text) if self.options.raw && !self.options.style.ascii => {
                if self.options.after == "\0" && text.contains('\0') {
                    let what = "Cannot dump a string containing NUL with --raw-output0 option";
                    return self.fail(Some(Json::text(what)));
                }
                out.extend_from_slice(text.as_bytes());
            }
            value => out.extend_from_slice(write::styled(value, self.options.style).as_bytes()),
        }
        out.extend_from_slice(self.options.after.as_bytes());
        None
    }

    /// An error that nothing caught, or the end of the run where there is none.
    fn fail(&mut self, error: Option<Json>) -> Option<Next> {
        let shared = self.filtering.as_ref()?.borrow_owner();
        let place = shared.inputs.borrow().place();
        self.status = 5;
        let reason = match meter::stopped() {
            None => match error {
                None => "break".into(),
                Some(Json::Str(text)) => reworded(&text),
                Some(value) => {
                    let value = write::compact(&value);
                    shared.tell(&format!("jq: error (at {place}) (not a string): {value}\n"));
                    return None;
                }
            },
            Some(Stop::Halt) => return Some(Next::Done(shared.status.get().unwrap_or(5))),
            Some(Stop::Steps) => "the filter takes more steps than the limit allows".into(),
            Some(Stop::Depth) => "the filter's calls are nested too deeply".into(),
        };
        shared.tell(&format!("jq: error (at {place}): {reason}\n"));
        meter::stopped().map(|_| Next::Done(5))
    }
}

/// The engine's own message in jq's words.
fn reworded(message: &str) -> String {
    let path = message.strip_prefix("invalid path expression with input ");
    let Some(value) = path else { return message.into() };
    let mut end = value.len().min(11);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    let more = if end < value.len() { "..." } else { "" };
    format!("Invalid path expression with result {}{more}", value.get(..end).unwrap_or_default())
}
