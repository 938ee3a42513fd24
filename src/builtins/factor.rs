//! `factor`: numbers as products of primes.

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `factor`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "factor",
    about: "print the prime factors of numbers",
    topic: Topic::Text,
    operands: "[NUMBER]...",
    completes: Completes::Nothing,
    options: &[Opt::flag('h', "exponents", "repeated factors as p^e")],
    notes: "Numbers of standard input where none is given; up to 18446744073709551615.",
    examples: &[Example { script: "factor 60", output: "60: 2 2 3 5\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let exponents = args.has("exponents");
        let mut ok = true;
        if !args.operands.is_empty() {
            for word in args.operand_texts() {
                ok &= print(cx, &word, exponents).await?;
            }
            return Reply::success(ok);
        }
        let stdin = cx.stdin();
        let mut line = Vec::new();
        while cx.read_line(&stdin, &mut line).await? {
            let text = String::from_utf8_lossy(&line).into_owned();
            line.clear();
            for word in text.split_whitespace() {
                ok &= print(cx, word, exponents).await?;
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn print(cx: &mut ExecContext, word: &str, exponents: bool) -> Result<bool, Stop> {
    let digits = word.trim().strip_prefix('+').unwrap_or(word.trim());
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let Some(number) = digits.parse::<u64>().ok().filter(|_| is_number) else {
        let word = quoted(word);
        let reason = if is_number { "is too large" } else { "is not a valid positive integer" };
        cx.complain(format_args!("{word} {reason}")).await?;
        return Ok(false);
    };
    let factors = factors(cx, number).await?;
    let mut text = format!("{number}:");
    if exponents {
        for group in factors.chunk_by(|a, b| a == b) {
            let Some(factor) = group.first() else { continue };
            text.push_str(&format!(" {factor}"));
            if group.len() > 1 {
                text.push_str(&format!("^{}", group.len()));
            }
        }
    } else {
        for factor in factors {
            text.push_str(&format!(" {factor}"));
        }
    }
    cx.write_line(text.as_bytes()).await?;
    Ok(true)
}

/// The prime factors, sorted: small ones by division, large ones by Pollard's rho.
async fn factors(cx: &mut ExecContext, number: u64) -> Result<Vec<u64>, Stop> {
    let mut found = Vec::new();
    let mut rest = number;
    for divisor in 2..1000 {
        while rest > 1 && rest.is_multiple_of(divisor) {
            found.push(divisor);
            rest /= divisor;
        }
    }
    let mut pending = vec![rest];
    while let Some(part) = pending.pop() {
        if part <= 1 {
            continue;
        }
        if part < 1_000_000 || is_prime(part) {
            found.push(part);
            continue;
        }
        let divisor = divisor(cx, part).await?;
        pending.push(divisor);
        pending.push(part / divisor);
    }
    found.sort_unstable();
    Ok(found)
}

fn multiply(a: u64, b: u64, modulus: u64) -> u64 {
    let product = u128::from(a) * u128::from(b) % u128::from(modulus);
    u64::try_from(product).unwrap_or(0)
}

fn power(base: u64, exponent: u64, modulus: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, base % modulus, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = multiply(result, base, modulus);
        }
        base = multiply(base, base, modulus);
        exponent >>= 1;
    }
    result
}

/// Miller and Rabin's test; these bases decide for every 64-bit number.
fn is_prime(number: u64) -> bool {
    let shift = (number - 1).trailing_zeros();
    let odd = (number - 1) >> shift;
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37].into_iter().all(|base| {
        let mut value = power(base, odd, number);
        if value == 1 || value == number - 1 {
            return true;
        }
        for _ in 1..shift {
            value = multiply(value, value, number);
            if value == number - 1 {
                return true;
            }
        }
        false
    })
}

/// A divisor of a composite number.
async fn divisor(cx: &mut ExecContext, number: u64) -> Result<u64, Stop> {
    for offset in 1.. {
        let next = |value: u64| {
            let square = multiply(value, value, number);
            u64::try_from((u128::from(square) + offset) % u128::from(number)).unwrap_or(0)
        };
        let (mut slow, mut fast) = (2, 2);
        loop {
            cx.checkpoint(4).await?;
            slow = next(slow);
            fast = next(next(fast));
            let shared = gcd(slow.abs_diff(fast), number);
            if shared == number {
                break;
            }
            if shared > 1 {
                return Ok(shared);
            }
        }
    }
    Ok(number)
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
