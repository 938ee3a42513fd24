//! The tree: scripts, statements, commands, words and their parts, every node with its span.
//!
//! Nodes that the machine holds on to while it runs are behind `Rc`; everything is immutable.

use std::rc::Rc;

use super::{ArithCode, Span};
use crate::value::{EcoString, Value};

/// A whole program, or the inside of `$(…)` or a compound command's body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Script {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// Where the script stands in the source.
    pub span: Span,
}

/// One and-or list and what ends it.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// The first pipeline.
    pub first: Pipeline,
    /// The pipelines after `&&` and `||`, left-associative, equal precedence.
    pub rest: Vec<(AndOr, Pipeline)>,
    /// Whether `&` ends it.
    pub background: bool,
    /// From the first word to before the terminator; also the text a job shows.
    pub span: Span,
}

/// The operator between two pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AndOr {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pipeline {
    /// Whether an odd number of `!` stands before it.
    pub negated: bool,
    /// `time` before the pipeline.
    pub timed: bool,
    /// The stages; never empty in a tree without errors.
    pub stages: Vec<Stage>,
    /// From the first `!` or stage to the end of the last.
    pub span: Span,
}

/// One command of a pipeline.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// The command.
    pub command: Command,
    /// Whether `|&` follows: its standard error goes into the pipe too.
    pub pipe_stderr: bool,
}

/// A command.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Words, assignments and redirects.
    Simple(Rc<SimpleCommand>),
    /// A compound command with its redirects.
    Compound(Rc<CompoundCommand>),
    /// `name() body` or `function name body`.
    Function(Rc<FunctionDefinition>),
}

/// Assignments, words and redirects, in source order within each kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimpleCommand {
    /// Assignments before the first word.
    pub assignments: Vec<Assignment>,
    /// The command name and its arguments. Patterns are off in the arguments of `let` and `unset`
    /// and in the first one of `push`, where brackets are subscripts.
    pub words: Vec<Argument>,
    /// The redirects, left to right.
    pub redirects: Vec<Redirect>,
    /// The whole command.
    pub span: Span,
    /// 1-based line of the first character.
    pub line: u32,
}

/// A word of a simple command.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// An ordinary word.
    Word(Word),
    /// `NAME=value`, `NAME+=value`, `NAME[k]=value` after `local export readonly declare typeset`.
    Assignment(Assignment),
}

/// `NAME=value` and its kin.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The variable, NFC-normalised.
    pub name: EcoString,
    /// Subscripts of a path target: `s[web][port]=1`.
    pub path: Vec<Subscript>,
    /// Whether `+=` was written.
    pub append: bool,
    /// The right side.
    pub value: ValueExpr,
    /// From the name to the end of the value.
    pub span: Span,
}

/// What stands in value position.
#[derive(Clone, Debug, PartialEq)]
pub enum ValueExpr {
    /// A word that is no literal; text, or the value of a lone expansion.
    Word(Word),
    /// An unquoted literal, typed when parsed (`5`, `1.50`, `true`, `abc`), or null in a collection.
    Literal(Value, Span),
    /// `[a "b c" $x ...$ys]`, or `(a b c)` as accepted from bash.
    List(Vec<Element>, Span),
    /// `{name: amy, "content-type": $t, ...$rest}`
    Record(Vec<Field>, Span),
}

/// An element of a list literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// One value.
    Value(ValueExpr),
    /// `...$xs`: the elements of a list.
    Spread(Word),
}

/// A field of a record literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// `key: value`, or `[key]=value` as accepted from bash; the key is a word that expands to text.
    Pair(Word, ValueExpr),
    /// `...$rec`: the fields of a record.
    Spread(Word),
}

/// A maximal run of adjacent parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// The parts, adjacent in the source. Empty only for an erroneous word.
    pub parts: Vec<Part>,
    /// The whole word.
    pub span: Span,
    /// What the expander may skip.
    pub traits: WordTraits,
}

/// What a word holds anywhere inside, settled when it is parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordTraits {
    /// `$(…)` somewhere: expanding it runs a program.
    pub runs: bool,
    /// Unquoted glob characters at the top level: expanding it reads directories.
    pub globs: bool,
    /// Unquoted brace expansion at the top level.
    pub braces: bool,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Unquoted plain characters without meaning to globs.
    Literal(EcoString),
    /// Text that was quoted or escaped: never a pattern, never typed. `''` is an empty one.
    Quoted(EcoString),
    /// Unquoted pattern text: `*`, `?`, classes such as `[!a-z]`, or several of them. Where a pattern
    /// is matched against text (`case`, `==`, `${x#p}`) a class may hold quoted characters, escaped by
    /// a backslash, and a class with an expansion inside is `[`, the parts, and `]`.
    Glob(EcoString),
    /// `~` or `~/` at the start of a word or after `=` and `:` of an assignment (the slash is not
    /// part of it).
    Tilde,
    /// `"…"`: its parts are `Quoted`, `Parameter`, `Command`, `Arithmetic` only.
    DoubleQuoted(Vec<Part>),
    /// `$name`, `${…}`
    Parameter(Rc<Parameter>),
    /// `$(…)`
    Command(Rc<Substitution>),
    /// `$((…))`
    Arithmetic(Rc<ArithCode>),
    /// `{a,b}` or `{1..5}` outside quotes.
    Brace(Rc<Brace>),
    /// `...$xs`, alone in its word: one argument or element per element.
    Spread(Box<Part>),
}

/// A command substitution.
#[derive(Clone, Debug, PartialEq)]
pub struct Substitution {
    /// The program inside.
    pub script: Rc<Script>,
    /// From `$(` to `)`.
    pub span: Span,
}

/// A brace expansion.
#[derive(Clone, Debug, PartialEq)]
pub enum Brace {
    /// `{a,b}`: each alternative is a run of parts, possibly empty.
    List(Vec<Vec<Part>>),
    /// `{1..9..2}`, with the width that leading zeros ask for.
    Numbers {
        /// First number.
        start: i64,
        /// Last number, inclusive.
        end: i64,
        /// Distance, at least 1; the sign follows from start and end.
        step: u64,
        /// Minimum digits, padded with zeros.
        width: usize,
    },
    /// `{a..e}`, with a step of at least 1.
    Letters(char, char, u32),
}

/// `$name` or `${…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What is read.
    pub name: ParameterName,
    /// Subscripts: `${x[k][0]}`, `${xs[1:3]}`, `${arr[@]}`.
    pub path: Vec<Subscript>,
    /// What is done with the value.
    pub op: ParameterOp,
    /// From `$` to the end.
    pub span: Span,
}

/// What a parameter expansion reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterName {
    /// A variable, NFC-normalised.
    Variable(EcoString),
    /// `$1`, `${10}`; 0 is the script's name.
    Positional(u32),
    /// One of `? # @ * $ ! -`.
    Special(char),
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscript {
    /// `[k]`, `[0]`, `[$k]`, `["a key"]`: a key or index, decided by the collection. Bare text is
    /// one `Literal` part; quoted text is `Quoted`.
    Key(Word),
    /// `[1:3]`, `[:2]`, `[-2:]`; bounds are arithmetic.
    Slice(Option<Rc<ArithCode>>, Option<Rc<ArithCode>>, Span),
    /// `[@]`: all elements, spread inside quotes.
    All,
    /// `[*]`: all elements joined.
    Star,
}

/// The operator of a `${…}`.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterOp {
    /// The value itself.
    None,
    /// `${#x}`
    Length,
    /// `${!x}`: the value of the variable that `x` names.
    Indirect,
    /// `${!x@}` and `${!x*}`: names that start with `x`.
    NamesWithPrefix,
    /// `${!x[@]}`: keys of a record, indices of a list.
    Keys,
    /// `${x-w}` and kin.
    Default {
        /// Which of `- = + ?`.
        kind: DefaultKind,
        /// Whether a colon makes empty count as unset.
        colon: bool,
        /// The word; empty parts for none. Between double quotes its parts are those of
        /// `DoubleQuoted`, and `DoubleQuoted` itself.
        word: Word,
    },
    /// `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`
    Trim {
        /// Which end.
        end: TrimEnd,
        /// Whether the longest match goes.
        longest: bool,
        /// The pattern.
        pattern: Word,
    },
    /// `${x/p/r}` and kin.
    Replace {
        /// Which occurrences.
        scope: ReplaceScope,
        /// The pattern.
        pattern: Word,
        /// The replacement.
        replacement: Word,
    },
    /// `${x^}`, `${x^^}`, `${x,}`, `${x,,}`
    Case {
        /// Upper rather than lower.
        upper: bool,
        /// Every character rather than the first.
        all: bool,
        /// Only characters that match it; empty parts for all.
        pattern: Word,
    },
    /// `${x:off}`, `${x:off:len}`
    Substring(Rc<ArithCode>, Option<Rc<ArithCode>>),
    /// `${x@Q}` and kin: the letter.
    Transform(char),
}

/// Which default operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultKind {
    /// `-`
    Use,
    /// `=`
    Assign,
    /// `+`
    Alternative,
    /// `?`
    Require,
}

/// Which end a pattern is removed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrimEnd {
    /// `#`
    Prefix,
    /// `%`
    Suffix,
}

/// Which occurrences are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceScope {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Prefix,
    /// `/%`
    Suffix,
}

/// A redirect.
#[derive(Clone, Debug, PartialEq)]
pub struct Redirect {
    /// The descriptor before the operator, where written.
    pub fd: Option<u32>,
    /// `{name}>file`: the variable that receives the descriptor.
    pub fd_variable: Option<EcoString>,
    /// What it does.
    pub kind: RedirectKind,
    /// From the descriptor or operator to the end of the target.
    pub span: Span,
}

/// What a redirect does.
#[derive(Clone, Debug, PartialEq)]
pub enum RedirectKind {
    /// `< word`
    Read(Word),
    /// `> word`; refused over an existing file under noclobber.
    Write(Word),
    /// `>| word`
    Clobber(Word),
    /// `>> word`
    Append(Word),
    /// `<> word`
    ReadWrite(Word),
    /// `&> word`: both output streams.
    WriteBoth(Word),
    /// `&>> word`
    AppendBoth(Word),
    /// `n>&m`, `n<&m`; the word is a number, or expands to one. `input` tells the default of `n`.
    Duplicate {
        /// The descriptor copied from.
        source: Word,
        /// Whether it was written with `<&`.
        input: bool,
    },
    /// `n>&-`, `n<&-`
    Close {
        /// Whether it was written with `<&`.
        input: bool,
    },
    /// `<<EOF`, `<<-EOF`
    HereDocument(Rc<HereDocument>),
    /// `<<< word`
    HereString(Word),
}

/// The body of a here-document.
#[derive(Clone, Debug, PartialEq)]
pub struct HereDocument {
    /// The delimiter, unquoted.
    pub delimiter: EcoString,
    /// Whether the delimiter was quoted: the body is one `Quoted` part.
    pub quoted: bool,
    /// Whether `<<-` strips leading tabs (already stripped in the body).
    pub strip_tabs: bool,
    /// The body as a double-quoted run of parts, ending with a newline where not empty.
    pub body: Word,
}

/// A compound command with its redirects.
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundCommand {
    /// What it is.
    pub kind: Compound,
    /// Redirects after it.
    pub redirects: Vec<Redirect>,
    /// The whole command without redirects.
    pub span: Span,
    /// 1-based line of the first character.
    pub line: u32,
}

/// The kinds of compound command.
#[derive(Clone, Debug, PartialEq)]
pub enum Compound {
    /// `{ …; }`
    Group(Rc<Script>),
    /// `( … )`
    Subshell(Rc<Script>),
    /// `if … then … elif … else … fi`
    If {
        /// Condition and body of `if` and each `elif`.
        arms: Vec<(Rc<Script>, Rc<Script>)>,
        /// The body of `else`.
        otherwise: Option<Rc<Script>>,
    },
    /// `for NAME in WORDS; do … done`; without `in`, over `"$@"`.
    For {
        /// The loop variable.
        name: EcoString,
        /// The words after `in`.
        words: Option<Vec<Word>>,
        /// The body.
        body: Rc<Script>,
    },
    /// `for ((init; condition; step)); do … done`
    ForArith {
        /// Before the loop.
        init: Option<Rc<ArithCode>>,
        /// Checked before each turn; absent means true.
        condition: Option<Rc<ArithCode>>,
        /// After each turn.
        step: Option<Rc<ArithCode>>,
        /// The body.
        body: Rc<Script>,
    },
    /// `while` and `until`.
    While {
        /// Whether it is `until`.
        until: bool,
        /// The condition.
        condition: Rc<Script>,
        /// The body.
        body: Rc<Script>,
    },
    /// `case WORD in … esac`
    Case {
        /// The subject.
        subject: Word,
        /// The arms.
        arms: Vec<CaseArm>,
    },
    /// `select NAME in WORDS; do … done`
    Select {
        /// The loop variable.
        name: EcoString,
        /// The words after `in`.
        words: Option<Vec<Word>>,
        /// The body.
        body: Rc<Script>,
    },
    /// `((expr))`
    Arithmetic(Rc<ArithCode>),
    /// `[[ expr ]]`
    Condition(Rc<Condition>),
}

/// An arm of `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseArm {
    /// The patterns between `|`.
    pub patterns: Vec<Word>,
    /// The body.
    pub body: Rc<Script>,
    /// What ends it.
    pub end: CaseEnd,
}

/// What ends an arm of `case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseEnd {
    /// `;;`
    Break,
    /// `;&`
    FallThrough,
    /// `;;&`
    TestNext,
}

/// The inside of `[[ … ]]`.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A word alone: true where its text is not empty.
    Word(Word),
    /// `-f word` and kin; the operator without its dash (`f`, `list`, …).
    Unary(EcoString, Word, Span),
    /// `a == b` and kin.
    Binary(ConditionOp, Word, Word, Span),
    /// `x in $xs`, `x not in $xs`
    In {
        /// Whether `not` was written.
        negated: bool,
        /// The element or key.
        left: Word,
        /// The collection.
        right: ValueExpr,
        /// The whole test.
        span: Span,
    },
    /// `! c`
    Not(Box<Condition>),
    /// `a && b && …`
    And(Vec<Condition>),
    /// `a || b || …`
    Or(Vec<Condition>),
}

/// Binary operators of `[[ … ]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConditionOp {
    /// `=`, `==`: the right side is a pattern where unquoted.
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `=~`: the right side is an extended regular expression, quoted or not. Unquoted text is a
    /// `Literal` as written, with its backslashes and without `Glob` parts: the texts of the parts,
    /// joined, are the expression.
    Match,
    /// `!~`
    NotMatch,
    /// `-eq`
    NumEqual,
    /// `-ne`
    NumNotEqual,
    /// `-lt`
    NumLess,
    /// `-le`
    NumLessEqual,
    /// `-gt`
    NumGreater,
    /// `-ge`
    NumGreaterEqual,
    /// `-nt`
    Newer,
    /// `-ot`
    Older,
    /// `-ef`
    SameFile,
}

/// A function definition.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDefinition {
    /// The name.
    pub name: EcoString,
    /// The body, a compound command.
    pub body: Rc<CompoundCommand>,
    /// The whole definition; its text is what `declare -f` shows.
    pub span: Span,
}
