//! Runs one request (an argument) over standard input, for trying things out.

use std::io::{Read as _, Write as _};

use tabsh_jq::{Feed, Next, Run};

#[expect(clippy::disallowed_methods, reason = "a program of its own")]
fn main() -> std::io::Result<()> {
    let request = std::env::args().nth(1).unwrap_or_default();
    let mut run = Run::limited(&request, 20_000_000);
    let mut feed = Feed::Nothing;
    let mut input = Vec::new();
    let mut given = false;
    loop {
        let step = run.step(feed);
        std::io::stdout().write_all(&step.out)?;
        std::io::stderr().write_all(&step.err)?;
        feed = match step.next {
            Next::More => Feed::Nothing,
            Next::Input if given => Feed::End,
            Next::Input => {
                given = true;
                std::io::stdin().read_to_end(&mut input)?;
                Feed::Bytes(&input)
            }
            Next::Done(status) => std::process::exit(status.into()),
        };
    }
}
