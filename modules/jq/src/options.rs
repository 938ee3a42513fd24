//! What a call asks for, as one JSON object; the command's side writes it, this side reads it.

use crate::inputs::Manner;
use crate::read;
use crate::value::Json;
use crate::write::Style;

/// What a call asks for.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) filter: String,
    pub(crate) manner: Manner,
    pub(crate) style: Style,
    /// `-n`
    pub(crate) null_input: bool,
    /// `-r`: strings as they are.
    pub(crate) raw: bool,
    /// What follows each output: a newline, NUL, or nothing.
    pub(crate) after: &'static str,
    /// What goes before each: a record separator, or nothing.
    pub(crate) before: &'static str,
    /// `-e`
    pub(crate) exit_status: bool,
    /// Names with their dollar, and values.
    pub(crate) variables: Vec<(String, Json)>,
    pub(crate) env: Json,
    pub(crate) now: f64,
}

impl Options {
    /// Reads the object: `filter`, flags by their long names, `indent` (0 for none), `variables`,
    /// `arguments` (JSON texts with `jsonargs`), `env`, `now` (seconds since 1970).
    pub(crate) fn read(request: &str) -> Result<Self, String> {
        let request = read::parse_whole(request)?;
        let flag = |name: &str| request.field(name).is_some_and(Json::is_true);
        let text = |name: &str| request.field(name).and_then(Json::as_str).unwrap_or_default();
        let number = |name: &str| request.field(name).and_then(Json::as_num);
        let indent = number("indent").unwrap_or(2.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small or saturated"
        )]
        let indent = indent as usize;
        let mut options = Self {
            filter: text("filter").to_string(),
            manner: Manner { raw: flag("raw-input"), slurp: flag("slurp"), stream: flag("stream") },
            style: Style {
                indent: (indent > 0 || flag("tab")).then_some(indent),
                tab: flag("tab"),
                sort: flag("sort-keys"),
                ascii: flag("ascii-output"),
                color: flag("color-output"),
            },
            null_input: flag("null-input"),
            raw: flag("raw-output") || flag("join-output") || flag("raw-output0"),
            after: match (flag("raw-output0"), flag("join-output")) {
                (true, _) => "\0",
                (_, true) => "",
                _ => "\n",
            },
            before: if flag("seq") { "\u{1e}" } else { "" },
            exit_status: flag("exit-status"),
            variables: Vec::new(),
            env: request.field("env").cloned().unwrap_or_else(|| Json::object([])),
            now: number("now").unwrap_or(0.0),
        };
        let variables = match request.field("variables") {
            Some(Json::Arr(variables)) => Vec::clone(variables),
            _ => Vec::new(),
        };
        let mut named = Vec::new();
        for variable in &variables {
            let (name, value) = read_variable(variable)?;
            named.push((std::rc::Rc::new(name.clone()), value.clone()));
            options.variables.push((format!("${name}"), value));
        }
        let mut arguments = match request.field("arguments") {
            Some(Json::Arr(arguments)) => Vec::clone(arguments),
            _ => Vec::new(),
        };
        if flag("jsonargs") {
            for argument in &mut arguments {
                *argument = read::parse_whole(argument.as_str().unwrap_or_default())
                    .map_err(|_| "Invalid JSON text passed to --jsonargs")?;
            }
        }
        let arguments = Json::list(arguments);
        let all = [("positional", arguments), ("named", Json::object(named))];
        let all = all.map(|(name, value)| (std::rc::Rc::new(name.to_string()), value));
        options.variables.push(("$ARGS".into(), Json::object(all)));
        options.variables.push(("$ENV".into(), options.env.clone()));
        Ok(options)
    }
}

/// A variable: `[NAME, VALUE]`, or `[NAME, TEXT, KIND]` for a text of JSON: `argjson` is one document,
/// `slurpfile` the list of any number of them.
fn read_variable(pair: &Json) -> Result<(String, Json), String> {
    let Json::Arr(parts) = pair else { return Err("a variable is a pair".into()) };
    let part = |index: usize| parts.get(index).and_then(Json::as_str);
    let name = part(0).unwrap_or_default().to_string();
    let (Some(text), Some(kind)) = (part(1), part(2)) else {
        return Ok((name, parts.get(1).cloned().unwrap_or_default()));
    };
    if kind == "argjson" {
        let value = read::parse_whole(text);
        let value = value.map_err(|_| format!("Invalid JSON text passed to --{kind}"))?;
        return Ok((name, value));
    }
    let mut reader = read::Reader::whole(text.as_bytes());
    let mut all = Vec::new();
    while let Some(value) = reader.next() {
        all.push(value.map_err(|message| format!("Bad JSON in --{kind} {name}: {message}"))?);
    }
    Ok((name, Json::list(all)))
}
