//! The functions of `bc -l`: each to a scale, the last digits cut off.

use super::number::Number;

/// Digits computed beyond those asked for.
const SPARE: usize = 12;

/// The function of a letter; `None` for none of them, or where the argument is out of bounds.
pub(super) fn function(letter: char, x: &Number, scale: usize) -> Option<Number> {
    let result = match letter {
        'e' => exp(x, scale),
        'l' => log(x, scale),
        's' => sin(x, scale + SPARE),
        'c' => {
            let work = scale + SPARE + whole_digits(x);
            sin(&x.add(&pi(work)?.div(&number(2), work)?), scale + SPARE)
        }
        'a' => atan(x, scale + SPARE),
        _ => None,
    };
    result.map(|result| result.with_scale(scale))
}

fn number(value: u64) -> Number {
    Number::from_u64(value)
}

fn whole_digits(x: &Number) -> usize {
    x.length() - x.scale().min(x.length())
}

/// The sum of a series: each term is made of the one before, by its number, until they vanish.
fn series(first: Number, next: impl Fn(&Number, u64) -> Option<Number>) -> Option<Number> {
    let (mut sum, mut term) = (first.clone(), first);
    for index in 1.. {
        term = next(&term, index)?;
        if term.is_zero() {
            break;
        }
        sum = sum.add(&term);
    }
    Some(sum)
}

fn exp(x: &Number, scale: usize) -> Option<Number> {
    let magnitude = if x.is_negative() { x.negated() } else { x.clone() };
    let size = magnitude.to_u64().filter(|size| *size < 100_000)?;
    // Each e adds 0.44 digits, which the result has before the point.
    let work = scale + SPARE + usize::try_from(size).ok()? * 9 / 20 + x.scale();
    let (mut reduced, mut halvings) = (magnitude.with_scale(work), 0u32);
    while reduced.compare(&number(1)).is_gt() {
        reduced = reduced.div(&number(2), work)?;
        halvings += 1;
    }
    let work = work + 6;
    let reduced = reduced.with_scale(work);
    let mut result = series(number(1).with_scale(work), |term, index| {
        term.mul(&reduced, work).div(&number(index), work)
    })?;
    for _ in 0..halvings {
        result = result.mul(&result, work).with_scale(work);
    }
    if x.is_negative() { number(1).div(&result, scale) } else { Some(result) }
}

fn log(x: &Number, scale: usize) -> Option<Number> {
    if x.is_zero() || x.is_negative() {
        // As far below as the scale can tell.
        return Some(number(1).sub(&number(10).power(&Number::from_u64(scale as u64), 0)?));
    }
    let work = scale + SPARE + whole_digits(x).max(x.scale());
    let (mut reduced, mut factor) = (x.with_scale(work), number(2));
    let half = number(1).div(&number(2), 1)?;
    while reduced.compare(&number(2)).is_ge() || reduced.compare(&half).is_le() {
        reduced = reduced.root(work)?;
        factor = factor.mul(&number(2), 0);
    }
    let ratio = reduced.sub(&number(1)).div(&reduced.add(&number(1)), work)?;
    let square = ratio.mul(&ratio, work);
    Some(odd_series(&ratio, &square, work)?.mul(&factor, work))
}

/// `x + x³/3 + x⁵/5 …`, each power made by multiplying with `step`.
fn odd_series(x: &Number, step: &Number, work: usize) -> Option<Number> {
    let (mut sum, mut power) = (x.clone(), x.clone());
    for index in 1.. {
        power = power.mul(step, work);
        let term = power.div(&number(2 * index + 1), work)?;
        if term.is_zero() {
            break;
        }
        sum = sum.add(&term);
    }
    Some(sum)
}

fn pi(work: usize) -> Option<Number> {
    let work = work + 4;
    let part = |of: u64| {
        let x = number(1).div(&number(of), work)?;
        odd_series(&x, &x.mul(&x, work).negated(), work)
    };
    // Machin: a quarter is four times the arc tangent of a fifth, less that of 1/239.
    Some(part(5)?.mul(&number(16), work).sub(&part(239)?.mul(&number(4), work)))
}

fn sin(x: &Number, scale: usize) -> Option<Number> {
    let work = scale + whole_digits(x) + 4;
    let whole_turn = pi(work)?.mul(&number(2), work);
    let x = x.with_scale(work.max(x.scale()));
    let turns = x.div(&whole_turn, 0)?;
    let x = x.sub(&turns.mul(&whole_turn, work)).with_scale(work);
    let square = x.mul(&x, work).negated();
    series(x, |term, index| term.mul(&square, work).div(&number(2 * index * (2 * index + 1)), work))
}

fn atan(x: &Number, scale: usize) -> Option<Number> {
    let work = scale + 6;
    let (mut reduced, mut factor) = (x.with_scale(work.max(x.scale())), number(1));
    let limit = number(1).div(&number(10), 1)?;
    // The angle of this is half of the one before.
    let is_large = |x: &Number| {
        let magnitude = if x.is_negative() { x.negated() } else { x.clone() };
        magnitude.compare(&limit).is_gt()
    };
    while is_large(&reduced) {
        let root = number(1).add(&reduced.mul(&reduced, work)).with_scale(work).root(work)?;
        reduced = reduced.div(&number(1).add(&root), work)?;
        factor = factor.mul(&number(2), 0);
    }
    let reduced = reduced.with_scale(work);
    let square = reduced.mul(&reduced, work).negated();
    Some(odd_series(&reduced, &square, work)?.mul(&factor, work))
}

/// The Bessel function of a whole order.
pub(super) fn bessel(order: &Number, x: &Number, scale: usize) -> Option<Number> {
    let magnitude = if order.is_negative() { order.negated() } else { order.clone() };
    let order_size = magnitude.to_u64().filter(|order| *order < 10_000)?;
    let work =
        scale + SPARE + 2 * whole_digits(x) + usize::try_from(x.to_u64().unwrap_or(0) / 2).ok()?;
    let half = x.div(&number(2), work)?;
    let mut first = number(1).with_scale(work);
    for index in 1..=order_size {
        first = first.mul(&half, work).div(&number(index), work)?;
    }
    let square = half.mul(&half, work).negated();
    let sum = series(first, |term, index| {
        term.mul(&square, work).div(&number(index * (index + order_size)), work)
    })?;
    let flips = order.is_negative() && order_size % 2 == 1;
    Some(if flips { sum.negated() } else { sum }.with_scale(scale))
}
