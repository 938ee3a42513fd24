//! The options of `cp`, and what they come to.

use crate::builtins::common::{Backup, bad_choice};
use crate::tool::{Args, ExecContext, Stop};

/// What to do about a file that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clobber {
    Overwrite,
    Ask,
    Keep,
}

/// Which links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    Always,
    Operands,
    Never,
}

/// What is made of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Make {
    Copy,
    HardLink,
    Symlink,
    Attributes,
}

/// Everything the options say.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Plan {
    pub(super) recursive: bool,
    pub(super) follow: Follow,
    pub(super) make: Make,
    pub(super) clobber: Clobber,
    pub(super) keep: Keep,
    pub(super) backup: Backup,
    pub(super) force: bool,
    pub(super) remove_first: bool,
    pub(super) update: bool,
    pub(super) verbose: bool,
    pub(super) parents: bool,
    pub(super) one_mount: bool,
}

/// Which attributes a copy keeps.
#[derive(Clone, Copy, Default)]
pub(super) struct Keep {
    pub(super) mode: bool,
    pub(super) times: bool,
    pub(super) links: bool,
}

const ATTRIBUTES: &[&str] =
    &["mode", "timestamps", "ownership", "links", "context", "xattr", "all"];

impl Plan {
    pub(super) fn read(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let recursive = args.has("recursive") || args.has("R") || args.has("archive");
        let follow = match args.last_of(&["dereference", "no-dereference", "H", "archive", "d"]) {
            Some("dereference") => Follow::Always,
            Some("H") => Follow::Operands,
            Some(_) => Follow::Never,
            None if recursive => Follow::Never,
            None => Follow::Always,
        };
        let make = match args.last_of(&["link", "symbolic-link", "attributes-only"]) {
            Some("link") => Make::HardLink,
            Some("symbolic-link") => Make::Symlink,
            Some(_) => Make::Attributes,
            None => Make::Copy,
        };
        let clobber = match args.last_of(&["interactive", "no-clobber"]) {
            Some("interactive") => Clobber::Ask,
            Some(_) => Clobber::Keep,
            None => Clobber::Overwrite,
        };
        let backup = Backup::read(cx, args)?;
        if backup.is_on() && clobber == Clobber::Keep {
            let message = "options --backup and --no-clobber are mutually exclusive";
            return Err(cx.misuse(1, message));
        }
        Ok(Self {
            keep: keep(cx, args)?,
            force: args.has("force"),
            remove_first: args.has("remove-destination"),
            update: args.has("update"),
            verbose: args.has("verbose"),
            parents: args.has("parents"),
            one_mount: args.has("one-file-system"),
            recursive,
            follow,
            make,
            clobber,
            backup,
        })
    }
}

fn keep(cx: &mut ExecContext, args: &Args) -> Result<Keep, Stop> {
    let mut keep = Keep::default();
    for (key, value) in args.given() {
        let words = value.map(|value| value.to_text_lossy());
        match key {
            "archive" => keep = Keep { mode: true, times: true, links: true },
            "d" => keep.links = true,
            "p" => (keep.mode, keep.times) = (true, true),
            "preserve" | "no-preserve" => {
                let words = words.unwrap_or_else(|| "mode,timestamps,ownership".into());
                for word in words.split(',') {
                    let on = key == "preserve";
                    match word {
                        "mode" => keep.mode = on,
                        "timestamps" => keep.times = on,
                        "links" => keep.links = on,
                        "all" => keep = Keep { mode: on, times: on, links: on },
                        "ownership" | "context" | "xattr" => {}
                        _ => {
                            let message = bad_choice(&format!("--{key}"), word, ATTRIBUTES);
                            return Err(cx.misuse(1, message));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(keep)
}
