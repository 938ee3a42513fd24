//! ad hoc
fn main() {
    for f in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&f) else { continue };
        let p = tabsh::syntax::parse(&text);
        let s = tabsh::syntax::Source::new(f.as_str(), text.clone());
        for d in p.diagnostics.iter().take(4) {
            print!("{}", tabsh::syntax::render(&s, d));
        }
    }
}
