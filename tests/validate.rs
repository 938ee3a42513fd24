//! Programs and the codes of what is wrong with them.

use tabsh::env::Session;
use tabsh::syntax::Level;
use tabsh::tool::Registry;
use tabsh::validate::{Facts, check};

/// The codes of a program's issues in order; a warning in parentheses.
fn codes(program: &str, sourced: bool) -> String {
    let session = Session::default();
    let registry = Registry::new(tabsh::builtins::ALL);
    let facts = Facts { session: &session, registry: &registry, sourced };
    let issues = check(program, &facts).issues;
    let codes: Vec<String> = issues
        .iter()
        .map(|issue| match issue.level {
            Level::Error => issue.code.to_string(),
            Level::Warning => format!("({})", issue.code),
        })
        .collect();
    codes.join(" ")
}

#[track_caller]
fn expect(program: &str, expected: &str) {
    assert_eq!(codes(program, false), expected, "{program}");
}

#[test]
fn control_flow() {
    expect("break", "E008");
    expect("for i in 1; do break; continue; done", "");
    expect("while break; do :; done", "");
    expect("f() { break; }; for i in 1; do f; done", "E008");
    expect("for i in 1; do f() { continue; }; done", "E008");
    expect("for i in 1; do ( break ); { break; }; echo $(break); done", "");
    expect("return", "E009");
    expect("f() { return 1; }", "");
    assert_eq!(codes("return 3", true), "");
    expect("if true; then return; fi", "E009");
}

#[test]
fn lists_of_for() {
    expect("x=1; for i in $x; do :; done", "E012");
    expect("x=1; for i in ${x}; do :; done", "E012");
    expect("x={}; for i in ${x[k]}; do :; done", "E012");
    expect("for i in ${x:-a b}; do :; done", "E012");
    expect("for i in $1; do :; done", "E012");
    expect("for i in $@; do :; done; for i in \"$@\"; do :; done; for i; do :; done", "");
    expect("x=1; for i in \"$x\"; do :; done; for i in $x a; do :; done", "");
    expect("xs=[1]; for i in ...$xs; do :; done; for i in ${xs[@]}; do :; done", "");
    expect("x=1; for i in $(values $x); do :; done; for i in a$x; do :; done", "");
}

#[test]
fn targets() {
    expect("zz[0]=1", "E016");
    expect("zz=[]; zz[0]=1", "");
    expect("zz[0]=1; zz=[]", "");
    expect("f() { zz=[]; }; zz[0]=1", "");
    expect("read -a zz <<< a; zz[0]=1", "");
    expect("mapfile zz; zz[0]=1; for r in 1; do r[k]=2; done", "");
    expect("declare -A r; r[k]=1; local l; l[0]=1", "");
    expect(". ./lib.kai; zz[0]=1", "");
    expect("read -a \"$name\"; zz[0]=1", "");
    expect("(( zz[0] = 1 ))", "E016");
    expect("PIPESTATUS[0]=1", "");
    expect("u={}; u.email=x", "E017");
}

#[test]
fn commands() {
    expect("nosuch", "(E001)");
    expect("nosuch() { :; }; nosuch", "");
    expect("./nosuch; $cmd", "");
    expect("ls --zzz", "(W001)");
    expect("ls $opts", "(W002)");
    expect("basename", "(E002)");
    expect("x=a; basename $x; basename *", "");
    expect("exit abc", "(E003)");
    expect("seq 1 0 5", "E004");
    expect("n=0; seq 1 $n 5; seq 0 5", "");
    expect("seq 3 | scatter | echo", "E014");
    expect("seq 3 | scatter | echo | gather", "");
}

#[test]
fn tests_and_patterns() {
    expect("[ a -a b ]", "E020");
    expect("[ a = a -o b = b ]; test \\( a = a \\)", "E020 E020");
    expect("[ \"(\" = \"(\" ]; [ -a ]; test -f a; [ ! a = b ]", "");
    expect("x=1; [ $x = -a ]; [ ! $x = -a ]", "");
    expect("[[ a =~ \"(\" ]]", "E005");
    expect("x='('; [[ a =~ $x ]]; [[ a =~ ^[ab]+.* ]]", "");
}

#[test]
fn unset_names() {
    expect("echo $nope", "(W002)");
    expect("echo ${nope:-x} ${nope-} ${nope:=y} $nope", "");
    expect("nope=1; echo $nope; echo $RANDOM $1 $#", "");
    expect("echo $?[x]", "E015");
}
