//! ad hoc
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    for line in s.lines() {
        let v: serde_json::Value = serde_json::from_str(line).unwrap();
        let script = v["script"].as_str().unwrap();
        let p = tabsh::syntax::parse(script);
        let code = &v["expect"]["code"];
        let rejected_expected = code == "nonzero" && v["expect"]["stdout"] == "";
        let errors: Vec<_> = p
            .diagnostics
            .iter()
            .map(|d| {
                format!(
                    "   {} {:?} inc={} [{}] {} | fix: {:?}",
                    d.code,
                    d.level,
                    d.incomplete,
                    d.span.text(script),
                    d.message,
                    d.fix
                )
            })
            .collect();
        if (p.has_errors() && !rejected_expected)
            || (!p.has_errors() && rejected_expected)
            || !errors.is_empty()
        {
            println!(
                "{} {} {} code={}\n{}\n{}",
                if p.has_errors() == rejected_expected { "ok" } else { "DIFF" },
                v["id"],
                v["kind"],
                code,
                script,
                errors.join("\n")
            );
        }
    }
}
