//! ad hoc
use tabsh::syntax::parse;
fn time(name: &str, text: &str) {
    let t = std::time::Instant::now();
    let p = parse(text);
    println!(
        "{name:40} {:9} bytes {:6} ms errors={} inc={} first={:?}",
        text.len(),
        t.elapsed().as_millis(),
        p.has_errors(),
        p.is_incomplete(),
        p.diagnostics.first().map(|d| d.message.chars().take(80).collect::<String>())
    );
    let t = std::time::Instant::now();
    drop(p);
    if t.elapsed().as_millis() > 300 {
        println!("  drop {}", t.elapsed().as_millis());
    }
}
fn main() {
    let base = "for i in $(seq 1 3); do echo \"row $i ${x:-none} $((i+1))\" | grep -v 2 > /tmp/x; done\nif [[ $a == *.rs ]]; then x=[1 2 {a: b}]; else echo 'x' && y=5; fi\n";
    time("10 MB script", &base.repeat(10_000_000 / base.len()));
    time("5 MB word", &format!("echo {}", "a".repeat(5_000_000)));
    time("5 MB braces", &format!("echo {}", "{".repeat(150)));
    time("5 MB {a}", &format!("echo {}", "{a}".repeat(1_500_000)));
    time("5 MB brackets", &format!("echo {}", "[".repeat(5_000_000)));
    time("5 MB brackets case", &format!("case x in {}$x) ;; esac", "[".repeat(5_000_000)));
    time("5 MB [a]", &format!("echo {}", "[a]".repeat(1_500_000)));
    time("5 MB escapes", &format!("echo {}", "\\a".repeat(2_500_000)));
    time("5 MB dq", &format!("echo \"{}\"", "$x \\\" ".repeat(800_000)));
    time("5 MB sq", &format!("echo '{}'", "a\r\n".repeat(1_500_000)));
    time("5 MB stars", &format!("echo {}", "*".repeat(5_000_000)));
    time("plus chain", &format!("echo $(({}1))", "1+".repeat(1_000_000)));
    time("pow chain", &format!("echo $(({}1))", "2**".repeat(1_000_000)));
    time("ternary chain", &format!("echo $(({}1))", "1?2:".repeat(1_000_000)));
    time("assign chain", &format!("echo $(({}1))", "a=".repeat(1_000_000)));
    time("minus chain", &format!("echo $(({}1))", "- ".repeat(1_000_000)));
    time("arith parens", &format!("echo $(({}1{}))", "(".repeat(1_000_000), ")".repeat(1_000_000)));
    time("and chain arith", &format!("echo $(({}1))", "1&&".repeat(1_000_000)));
    time("(((((", &"(".repeat(1_000_000));
    time("( ( (", &"( ".repeat(1_000_000));
    time("(( ... ) )", &format!("{}{}", "((".repeat(90), "x ) ".repeat(180)));
    time("$(( nested ambiguous", &format!("echo {}x{}", "$((".repeat(99), ") )".repeat(99)));
    time(
        "$(( nested amb + body",
        &format!("echo {}{}{}", "$((".repeat(99), "x ".repeat(100_000), ") )".repeat(99)),
    );
    time("$(", &"$(".repeat(1_000_000));
    time("${x:-", &"${x:-".repeat(1_000_000));
    time("\"${x:-", &format!("\"{}", "${x:-\"".repeat(1_000_000)));
    time("${x[${x[", &"${x[".repeat(1_000_000));
    time("slices nested", &format!("echo {}1{}", "${x[".repeat(95), ":1]}".repeat(95)));
    time(
        "slices nested long",
        &format!("echo {}{}{}", "${x[".repeat(95), "1".repeat(100000), ":1]}".repeat(95)),
    );
    time("a[a[ arithmetic", &format!("echo $(({}1{}))", "a[".repeat(190), "]".repeat(190)));
    time("a[$((a[ arithmetic", &format!("echo $(({}1{}))", "a[$((".repeat(95), "))]".repeat(95)));
    time("a[$(a[ cmd", &format!("{}1{}", "a[$(".repeat(99), ")]".repeat(99)));
    time("if if if", &"if ".repeat(1_000_000));
    time("{ { {", &"{ ".repeat(1_000_000));
    time("x=[[[[", &format!("x={}", "[".repeat(1_000_000)));
    time("! ! !", &format!("{}true", "! ".repeat(1_000_000)));
    time("[[ ! ! !", &format!("[[ {}true ]]", "! ".repeat(1_000_000)));
    time("[[ ( (", &format!("[[ {}", "( ".repeat(1_000_000)));
    time("[[ a && a", &format!("[[ {}a ]]", "a && ".repeat(1_000_000)));
    time("a && a", &format!("{}a", "a && ".repeat(1_000_000)));
    time("a | a", &format!("{}a", "a | ".repeat(1_000_000)));
    time("many heredocs", &"cat <<EOF\nbody $x\nEOF\n".repeat(300_000));
    time("heredocs one line", &format!("cat {}\n{}", "<<E ".repeat(10000), "x\nE\n".repeat(10000)));
    time(
        "heredocs in a function",
        &format!("f() {{\n{}}}\n", "cat <<EOF\nbody $x\nEOF\n".repeat(300_000)),
    );
    time("heredoc big", &format!("cat <<EOF\n{}EOF\n", "body $x \\$ line\n".repeat(600_000)));
    time("nested heredocs", &{
        let mut s = String::new();
        for i in 0..90 {
            s.push_str(&format!("$(cat <<E{i}\n"));
        }
        for i in (0..90).rev() {
            s.push_str(&format!("\nE{i}\n)"));
        }
        format!("echo {s}")
    });
    time("errors", &"echo )\n".repeat(1_000_000));
    time("x[ attempts", &"x[a b c\n".repeat(700_000));
    time("big list", &format!("x=[{}]", "a 1 \"b\" ".repeat(600_000)));
    time("big record", &format!("x={{{}}}", "a: 1, ".repeat(600_000)));
    time("binary", &"\0\x01\x7f\u{80}\u{fffd}".repeat(1_000_000));
    time("names", &"café=1 名=2 😺=3\n".repeat(200_000));
    time("backticks", &"`a` ".repeat(1_000_000));
    time("quotes unclosed", &"\"".repeat(1_000_001));
    time("case arms", &format!("case x in {} esac", "a|b) echo;; ".repeat(300_000)));
    time("comments", &"# hi\n".repeat(1_000_000));
    time("continuations", &format!("echo {}", "\\\n".repeat(2_000_000)));
    time("assign words", &"a=b ".repeat(1_000_000));
}
