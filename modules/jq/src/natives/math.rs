//! Functions of numbers.

use super::{Entry, binary, plain};
use crate::fault::refuse;
use crate::value::Json;

/// A function of one number.
macro_rules! function {
    ($name:expr, $f:expr) => {
        plain!($name, |value: Json| Ok(Json::num($f(number(&value)?))))
    };
}

/// A function of two numbers that are arguments.
macro_rules! function2 {
    ($name:expr, $f:expr) => {
        binary!($name, |_: Json, a: Json, b: Json| Ok(Json::num($f(number(&a)?, number(&b)?))))
    };
}

pub(super) const FILTERS: &[Entry] = &[
    function!("floor", f64::floor),
    function!("ceil", f64::ceil),
    function!("round", f64::round),
    function!("trunc", f64::trunc),
    function!("rint", f64::round_ties_even),
    function!("nearbyint", f64::round_ties_even),
    function!("sqrt", f64::sqrt),
    function!("cbrt", f64::cbrt),
    function!("fabs", f64::abs),
    function!("exp", f64::exp),
    function!("exp2", f64::exp2),
    function!("exp10", |x: f64| 10f64.powf(x)),
    function!("pow10", |x: f64| 10f64.powf(x)),
    function!("expm1", f64::exp_m1),
    function!("log", f64::ln),
    function!("log2", f64::log2),
    function!("log10", f64::log10),
    function!("log1p", f64::ln_1p),
    function!("sin", f64::sin),
    function!("cos", f64::cos),
    function!("tan", f64::tan),
    function!("asin", f64::asin),
    function!("acos", f64::acos),
    function!("atan", f64::atan),
    function!("sinh", f64::sinh),
    function!("cosh", f64::cosh),
    function!("tanh", f64::tanh),
    function!("asinh", f64::asinh),
    function!("acosh", f64::acosh),
    function!("atanh", f64::atanh),
    function!("gamma", libm::lgamma),
    function!("lgamma", libm::lgamma),
    function!("lgamma_r", libm::lgamma),
    function!("tgamma", libm::tgamma),
    function!("logb", |x: f64| if x == 0.0 { f64::NEG_INFINITY } else { exponent(x) }),
    function!("significand", |x: f64| {
        if x == 0.0 || !x.is_finite() { x } else { libm::scalbn(x, -narrow(exponent(x))) }
    }),
    plain!("frexp", |value: Json| {
        let (mantissa, exponent) = libm::frexp(number(&value)?);
        Ok([Json::num(mantissa), Json::num(f64::from(exponent))].into_iter().collect())
    }),
    plain!("modf", |value: Json| {
        let (fraction, whole) = libm::modf(number(&value)?);
        Ok([Json::num(fraction), Json::num(whole)].into_iter().collect())
    }),
    plain!("abs", |value: Json| match &value {
        Json::Num(x, _) if *x < 0.0 => -value,
        Json::Num(..) => Ok(value),
        other => refuse(other, "has no absolute value"),
    }),
    plain!("isnan", |value: Json| Ok(Json::Bool(number(&value)?.is_nan()))),
    plain!("isinfinite", |value: Json| Ok(Json::Bool(number(&value)?.is_infinite()))),
    plain!("isnormal", |value: Json| Ok(Json::Bool(number(&value)?.is_normal()))),
    plain!("infinite", |_: Json| Ok(Json::num(f64::INFINITY))),
    plain!("nan", |_: Json| Ok(Json::num(f64::NAN))),
    function2!("pow", f64::powf),
    function2!("atan2", f64::atan2),
    function2!("fmin", f64::min),
    function2!("fmax", f64::max),
    function2!("fmod", |a: f64, b: f64| a % b),
    function2!("hypot", f64::hypot),
    function2!("copysign", f64::copysign),
    function2!("fdim", |a: f64, b: f64| if a > b { a - b } else { 0.0 }),
    function2!("drem", libm::remainder),
    function2!("nextafter", libm::nextafter),
    function2!("nexttoward", libm::nextafter),
    function2!("ldexp", |x: f64, e: f64| libm::scalbn(x, narrow(e))),
    function2!("scalb", |x: f64, e: f64| x * e.exp2()),
    function2!("scalbln", |x: f64, e: f64| libm::scalbn(x, narrow(e))),
    ("fma", 3, |mut cv| {
        let (c, b, a): (Json, Json, Json) = (cv.0.pop_var(), cv.0.pop_var(), cv.0.pop_var());
        let result = || Ok(Json::num(number(&a)?.mul_add(number(&b)?, number(&c)?)));
        super::once(result())
    }),
];

fn number(value: &Json) -> Result<f64, crate::fault::Error> {
    match value {
        Json::Num(value, _) => Ok(*value),
        other => refuse(other, "number required"),
    }
}

/// The exponent of a number's binary form.
fn exponent(x: f64) -> f64 {
    if x.is_finite() { f64::from(libm::ilogb(x)) } else { x.abs() }
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn narrow(exponent: f64) -> i32 {
    exponent as i32
}
