//! What a run's filters share: the compiled filter, the inputs, the environment, messages.

use std::cell::{Cell, OnceCell, RefCell};

use jaq_core::data::HasLut;
use jaq_core::{DataT, Filter, Lut};

use crate::filter;
use crate::inputs::Inputs;
use crate::meter;
use crate::value::Json;

/// The types that filters work with.
pub(crate) struct Kind;

impl DataT for Kind {
    type V<'a> = Json;
    type Data<'a> = &'a Shared;
}

/// What a run's filters share.
pub(crate) struct Shared {
    filter: Filter<Kind>,
    /// What the filter goes on in once it is to stop: every term of it ends the run.
    halted: OnceCell<Filter<Kind>>,
    /// At least as many as the filter has terms.
    terms: usize,
    pub(crate) inputs: RefCell<Inputs>,
    pub(crate) env: Json,
    /// Seconds since 1970.
    pub(crate) now: f64,
    /// What `halt` said.
    pub(crate) status: Cell<Option<u8>>,
    told: RefCell<Vec<u8>>,
}

impl Shared {
    /// Puts a run's parts together.
    pub(crate) fn new(compiled: filter::Compiled, inputs: Inputs, env: Json, now: f64) -> Self {
        Self {
            filter: compiled.filter,
            halted: OnceCell::new(),
            terms: compiled.terms,
            inputs: RefCell::new(inputs),
            env,
            now,
            status: Cell::new(None),
            told: RefCell::default(),
        }
    }

    /// The filter.
    pub(crate) fn filter(&self) -> &Filter<Kind> {
        &self.filter
    }

    /// Adds to the messages.
    pub(crate) fn tell(&self, message: &str) {
        self.told.borrow_mut().extend_from_slice(message.as_bytes());
    }

    /// Takes the messages out.
    pub(crate) fn told(&self) -> Vec<u8> {
        self.told.take()
    }
}

impl<'a> HasLut<'a, Kind> for &'a Shared {
    /// Asked for at every term of a filter: this is where runaways end.
    fn lut(&self) -> &'a Lut<Kind> {
        let shared: &'a Shared = self;
        if meter::tick() {
            return &shared.halted.get_or_init(|| filter::halting(shared.terms)).lut;
        }
        &shared.filter.lut
    }
}
