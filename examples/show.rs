//! ad hoc
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    for t in s.lines() {
        println!("── {t}");
        let p = tabsh::syntax::parse(t);
        let src = tabsh::syntax::Source::new("", t);
        for d in &p.diagnostics {
            print!("{}", tabsh::syntax::render(&src, d));
            if d.incomplete {
                println!("(incomplete)");
            }
        }
    }
}
