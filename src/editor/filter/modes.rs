//! The modes a program may set, and the sequences that undo those it left set.

/// Private modes that may be set, and whether they are on in a fresh terminal.
const PRIVATE: &[(u32, bool)] = &[
    (1049, false),
    (1047, false),
    (47, false),
    (1, false),
    (5, false),
    (6, false),
    (7, true),
    (9, false),
    (25, true),
    (45, false),
    (66, false),
    (1000, false),
    (1002, false),
    (1003, false),
    (1004, false),
    (1005, false),
    (1006, false),
    (1015, false),
    (1016, false),
    (2004, false),
    (2026, false),
];

/// Modes without a prefix that may be set; all are off in a fresh terminal.
const PLAIN: &[u32] = &[4, 20];

const SLOTS: [&str; 4] = ["(", ")", "*", "+"];

/// What differs from a fresh terminal.
#[derive(Debug, Default)]
pub(super) struct Modes {
    private: Vec<u32>,
    plain: Vec<u32>,
    charsets: Vec<&'static str>,
    switches: Switches,
}

/// Single things that are set or not.
#[derive(Debug, Default)]
struct Switches(u8);

impl Switches {
    const COLOURS: u8 = 1;
    const REGION: u8 = 2;
    const KEYPAD: u8 = 4;
    const SHIFTED: u8 = 8;
    const SHAPE: u8 = 16;
    const LINK: u8 = 32;

    fn put(&mut self, switch: u8, on: bool) {
        self.0 = if on { self.0 | switch } else { self.0 & !switch };
    }

    fn take(&mut self, switch: u8) -> bool {
        let on = self.0 & switch != 0;
        self.put(switch, false);
        on
    }
}

impl Modes {
    /// Takes the parameters of a mode sequence; answers those that may pass.
    pub(super) fn set(&mut self, parameters: &str, on: bool) -> String {
        let (prefix, numbers) = match parameters.strip_prefix('?') {
            Some(numbers) => ("?", numbers),
            None => ("", parameters),
        };
        let mut allowed = String::new();
        for number in numbers.split(';').filter_map(|part| part.parse::<u32>().ok()) {
            let known = if prefix.is_empty() {
                let known = PLAIN.contains(&number);
                remember(&mut self.plain, number, known && on);
                known
            } else {
                let known = PRIVATE.iter().find(|(mode, _)| *mode == number);
                remember(&mut self.private, number, known.is_some_and(|(_, fresh)| *fresh != on));
                known.is_some()
            };
            if known {
                allowed.push_str(if allowed.is_empty() { prefix } else { ";" });
                allowed.push_str(&number.to_string());
            }
        }
        allowed
    }

    /// True if the parameters hold a mode whose change moves the cursor.
    pub(super) fn moves_cursor(&self, parameters: &str) -> bool {
        let private = parameters.strip_prefix('?').unwrap_or_default();
        private.split(';').any(|part| matches!(part, "6" | "47" | "1047" | "1049"))
    }

    pub(super) fn colours(&mut self, on: bool) {
        self.switches.put(Switches::COLOURS, on);
    }

    pub(super) fn region(&mut self, on: bool) {
        self.switches.put(Switches::REGION, on);
    }

    pub(super) fn keypad(&mut self, on: bool) {
        self.switches.put(Switches::KEYPAD, on);
    }

    pub(super) fn shift(&mut self, on: bool) {
        self.switches.put(Switches::SHIFTED, on);
    }

    pub(super) fn cursor_shape(&mut self, on: bool) {
        self.switches.put(Switches::SHAPE, on);
    }

    /// Opens or closes a link; true if one was open.
    pub(super) fn link(&mut self, open: bool) -> bool {
        let was_open = self.switches.take(Switches::LINK);
        self.switches.put(Switches::LINK, open);
        was_open
    }

    /// Notes that a slot holds another character set than the usual one.
    pub(super) fn charset(&mut self, slot: &str, other: bool) {
        if let Some(slot) = SLOTS.iter().find(|known| **known == slot) {
            self.charsets.retain(|set| set != slot);
            if other {
                self.charsets.push(slot);
            }
        }
    }

    /// Writes what makes the terminal fresh again; true if that may have moved the cursor.
    pub(super) fn undo(&mut self, out: &mut String) -> bool {
        let mut moved = false;
        let private = std::mem::take(&mut self.private);
        for (mode, fresh) in PRIVATE.iter().filter(|(mode, _)| private.contains(mode)) {
            moved |= matches!(mode, 47 | 1047 | 1049 | 6);
            let last = if *fresh { 'h' } else { 'l' };
            // Leaving the origin mode moves the cursor to the corner.
            let (save, restore) = if *mode == 6 { ("\x1b7", "\x1b8") } else { ("", "") };
            out.push_str(&format!("{save}\x1b[?{mode}{last}{restore}"));
        }
        for mode in std::mem::take(&mut self.plain) {
            out.push_str(&format!("\x1b[{mode}l"));
        }
        if self.switches.take(Switches::REGION) {
            // So does taking the region back.
            out.push_str("\x1b7\x1b[r\x1b8");
            moved = true;
        }
        for slot in std::mem::take(&mut self.charsets) {
            out.push_str(&format!("\x1b{slot}B"));
        }
        for (switch, sequence) in [
            (Switches::SHIFTED, "\x0f"),
            (Switches::KEYPAD, "\x1b>"),
            (Switches::SHAPE, "\x1b[0 q"),
            (Switches::LINK, "\x1b]8;;\x1b\\"),
            (Switches::COLOURS, "\x1b[m"),
        ] {
            if self.switches.take(switch) {
                out.push_str(sequence);
            }
        }
        moved
    }
}

fn remember(modes: &mut Vec<u32>, number: u32, differs: bool) {
    modes.retain(|mode| *mode != number);
    if differs {
        modes.push(number);
    }
}
