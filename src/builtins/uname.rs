//! `uname`, `arch`, `hostname`, `nproc`, `tty`: what it all runs on.

use super::common::{quoted, variable_or};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Topic,
};

const SPEC: Spec = Spec { topic: Topic::System, completes: Completes::Nothing, ..Spec::DEFAULT };

/// `uname`
pub(super) const UNAME: Builtin = Builtin {
    spec: Spec {
        name: "uname",
        about: "print the name of the system",
        arity: (0, 0),
        options: &[
            Opt::flag('a', "all", "everything"),
            Opt::flag('s', "kernel-name", "the kernel, which is the default"),
            Opt::flag('n', "nodename", "the host"),
            Opt::flag('r', "kernel-release", "the version"),
            Opt::flag('v', "kernel-version", "what the version is about"),
            Opt::flag('m', "machine", "the machine"),
            Opt::flag('p', "processor", "the processor"),
            Opt::flag('i', "hardware-platform", "the platform"),
            Opt::flag('o', "operating-system", "the operating system"),
        ],
        examples: &[Example { script: "uname -m", output: "wasm32\n" }],
        ..SPEC
    },
    run: Run::Now(uname),
};

/// `arch`
pub(super) const ARCH: Builtin = Builtin {
    spec: Spec {
        name: "arch",
        about: "print the machine",
        arity: (0, 0),
        examples: &[Example { script: "arch", output: "wasm32\n" }],
        ..SPEC
    },
    run: Run::Now(arch),
};

/// `hostname`
pub(super) const HOSTNAME: Builtin = Builtin {
    spec: Spec {
        name: "hostname",
        about: "print the name of the host",
        operands: "",
        options: &[
            Opt::flag('s', "short", "up to the first dot"),
            Opt::flag('f', "fqdn", "the whole name"),
            Opt::flag('i', "ip-address", "its address"),
            Opt::flag('I', "all-ip-addresses", "its address"),
            Opt::flag('d', "domain", "behind the first dot"),
        ],
        notes: "It is $HOSTNAME, or tabsh.",
        examples: &[Example { script: "HOSTNAME=box.example; hostname -s", output: "box\n" }],
        ..SPEC
    },
    run: Run::Now(hostname),
};

/// `nproc`
pub(super) const NPROC: Builtin = Builtin {
    spec: Spec {
        name: "nproc",
        about: "print the number of processors",
        arity: (0, 0),
        options: &[
            Opt::flag('\0', "all", "accepted"),
            Opt::value('\0', "ignore", "N", "without N of them, but one at least"),
        ],
        examples: &[Example { script: "nproc", output: "1\n" }],
        ..SPEC
    },
    run: Run::Now(nproc),
};

/// `tty`
pub(super) const TTY: Builtin = Builtin {
    spec: Spec {
        name: "tty",
        about: "print the terminal that standard input is",
        arity: (0, 0),
        options: &[
            Opt::flag('s', "silent", "only the status"),
            Opt::flag('\0', "quiet", "the same"),
        ],
        notes: "Status 1 where it is no terminal.",
        examples: &[Example { script: "echo | tty", output: "not a tty\n" }],
        ..SPEC
    },
    run: Run::Now(tty),
};

const KERNEL: &str = "tabsh";
const MACHINE: &str = "wasm32";

fn host(cx: &ExecContext) -> String {
    variable_or(cx, "HOSTNAME", KERNEL)
}

fn uname(cx: &mut ExecContext, args: &Args) -> Outcome {
    let host = host(cx);
    let facts = [
        ("kernel-name", KERNEL),
        ("nodename", &host),
        ("kernel-release", env!("CARGO_PKG_VERSION")),
        ("kernel-version", "browser"),
        ("machine", MACHINE),
        ("processor", "unknown"),
        ("hardware-platform", "unknown"),
        ("operating-system", "tabsh"),
    ];
    let all = args.has("all");
    let any = args.given().next().is_some();
    let wanted = |(key, text): &(&str, &str)| {
        // -a leaves out what is unknown.
        let is_known = *text != "unknown";
        (all && is_known) || args.has(key) || (!any && *key == "kernel-name")
    };
    let words: Vec<&str> =
        facts.iter().filter(|fact| wanted(fact)).map(|(_, text)| *text).collect();
    cx.push_line(words.join(" "));
    OK
}

fn arch(cx: &mut ExecContext, _: &Args) -> Outcome {
    cx.push_line(MACHINE);
    OK
}

fn hostname(cx: &mut ExecContext, args: &Args) -> Outcome {
    if !args.operands.is_empty() {
        return Err(cx.fail(1, "you must be root to change the host name"));
    }
    let name = host(cx);
    let (short, domain) = name.split_once('.').unwrap_or((&name, ""));
    let text = match args.last_of(&["short", "fqdn", "ip-address", "all-ip-addresses", "domain"]) {
        Some("short") => short,
        Some("domain") => domain,
        Some("ip-address" | "all-ip-addresses") => "127.0.0.1",
        _ => &name,
    };
    cx.push_line(text);
    OK
}

fn nproc(cx: &mut ExecContext, args: &Args) -> Outcome {
    if let Some(text) = args.text("ignore")
        && text.parse::<u64>().is_err()
    {
        return Err(cx.fail(1, format_args!("invalid number: {}", quoted(&text))));
    }
    // The kernel is one thread, whatever the machine has.
    cx.push_line("1");
    OK
}

fn tty(cx: &mut ExecContext, args: &Args) -> Outcome {
    let is_terminal = cx.stdin().is_terminal();
    if !args.has("silent") && !args.has("quiet") {
        cx.push_line(if is_terminal { "/dev/tty" } else { "not a tty" });
    }
    Reply::success(is_terminal)
}
