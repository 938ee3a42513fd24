//! Which command a key means at the prompt: the emacs keys of every shell.

use super::buffer::Motion;
use super::key::{Code, Key};

/// A key that waits for the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    /// Control-X.
    ControlX,
    /// Control-V: the next key is taken literally.
    Literal,
}

/// How to change the case of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Upper,
    Lower,
    Title,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    Insert(char),
    Prefix(Prefix),
    Newline,
    Accept,
    Move(Motion),
    Erase(Motion),
    Kill(Motion),
    EraseOrEnd,
    Up,
    Down,
    Older,
    Newer,
    Oldest,
    Newest,
    SearchOlder,
    SearchNewer,
    Yank,
    YankOlder,
    LastArgument,
    Transpose,
    TransposeWords,
    Case(Case),
    Undo,
    Complete,
    Clear,
    Interrupt,
}

/// The command of a key; `None` for keys that do nothing.
pub(super) fn command(key: Key) -> Option<Command> {
    if key.ctrl && key.alt {
        return named(key).or_else(|| control_alt(key.code));
    }
    match key.code {
        Code::Char(ch) if key.ctrl => control(ch),
        Code::Char(ch) if key.alt => alt(ch),
        Code::Char(ch) => (!ch.is_control()).then_some(Command::Insert(ch)),
        _ => named(key),
    }
}

/// The command after Control-X.
pub(super) fn after_control_x(key: Key) -> Option<Command> {
    match key.code {
        Code::Char('u') => Some(Command::Undo),
        Code::Backspace => Some(Command::Kill(Motion::LineStart)),
        _ => None,
    }
}

fn control(ch: char) -> Option<Command> {
    Some(match ch {
        'a' => Command::Move(Motion::LineStart),
        'b' => Command::Move(Motion::Left),
        'c' => Command::Interrupt,
        'd' => Command::EraseOrEnd,
        'e' => Command::Move(Motion::LineEnd),
        'f' => Command::Move(Motion::Right),
        'h' => Command::Erase(Motion::Left),
        'i' => Command::Complete,
        'j' | 'm' => Command::Accept,
        'k' => Command::Kill(Motion::LineEnd),
        'l' => Command::Clear,
        'n' => Command::Down,
        'p' => Command::Up,
        'r' => Command::SearchOlder,
        's' => Command::SearchNewer,
        't' => Command::Transpose,
        'u' => Command::Kill(Motion::LineStart),
        'v' => Command::Prefix(Prefix::Literal),
        'w' => Command::Kill(Motion::BlankLeft),
        'x' => Command::Prefix(Prefix::ControlX),
        'y' => Command::Yank,
        '_' | '/' => Command::Undo,
        _ => return None,
    })
}

fn alt(ch: char) -> Option<Command> {
    Some(match ch {
        'b' | 'B' => Command::Move(Motion::WordLeft),
        'f' | 'F' => Command::Move(Motion::WordRight),
        'd' | 'D' => Command::Kill(Motion::WordRight),
        'y' | 'Y' => Command::YankOlder,
        't' | 'T' => Command::TransposeWords,
        'u' | 'U' => Command::Case(Case::Upper),
        'l' | 'L' => Command::Case(Case::Lower),
        'c' | 'C' => Command::Case(Case::Title),
        '.' | '_' => Command::LastArgument,
        '<' => Command::Oldest,
        '>' => Command::Newest,
        'p' => Command::Older,
        'n' => Command::Newer,
        _ => return None,
    })
}

fn control_alt(code: Code) -> Option<Command> {
    match code {
        Code::Char('h') => Some(Command::Kill(Motion::WordLeft)),
        Code::Char('j' | 'm') => Some(Command::Newline),
        _ => None,
    }
}

fn named(key: Key) -> Option<Command> {
    let by_word = key.ctrl || key.alt;
    Some(match key.code {
        Code::Enter if key.alt || key.shift => Command::Newline,
        Code::Enter => Command::Accept,
        Code::Tab => Command::Complete,
        Code::Backspace if by_word => Command::Kill(Motion::WordLeft),
        Code::Backspace => Command::Erase(Motion::Left),
        Code::Delete if by_word => Command::Kill(Motion::WordRight),
        Code::Delete => Command::Erase(Motion::Right),
        Code::Left if by_word => Command::Move(Motion::WordLeft),
        Code::Left => Command::Move(Motion::Left),
        Code::Right if by_word => Command::Move(Motion::WordRight),
        Code::Right => Command::Move(Motion::Right),
        Code::Home if by_word => Command::Move(Motion::Start),
        Code::Home => Command::Move(Motion::LineStart),
        Code::End if by_word => Command::Move(Motion::End),
        Code::End => Command::Move(Motion::LineEnd),
        Code::Up => Command::Up,
        Code::Down => Command::Down,
        Code::PageUp => Command::Older,
        Code::PageDown => Command::Newer,
        Code::Char(_) | Code::Escape | Code::Insert => return None,
    })
}
