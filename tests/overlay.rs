//! A kernel whose changes to files stay in an overlay, as its shell sees it.

mod support;

use std::rc::Rc;

use tabsh::kernel::{ExecuteOptions, Kernel, KernelConfig};
use tabsh::vfs::{Filesystem, Path};

#[test]
fn changes_wait_for_their_commit() {
    let host = support::host();
    let config = KernelConfig { overlay: true, ..KernelConfig::new(Rc::new(host.clone())) };
    let kernel = Kernel::new(config);
    let run = |script: &'static str| {
        let done = host.run(kernel.execute(script, ExecuteOptions::default()));
        let result = done.unwrap().unwrap();
        assert_eq!(String::from_utf8_lossy(&result.stderr), "", "{script}");
        format!("{}{}", String::from_utf8_lossy(&result.stdout), result.code)
    };
    let below = |path: &str| {
        let router = Rc::clone(kernel.router());
        let path = Path::new(path).to_path_buf();
        host.run(async move { router.stat(&path).await.is_ok() }).unwrap()
    };
    assert_eq!(run("kaish-vfs status; kaish-vfs diff"), "0");
    assert_eq!(run("echo hi > f; kaish-vfs status"), "A  /home/user/f\n0");
    assert_eq!(run("kaish-vfs diff"), "/home/user/f: nothing -> 3 bytes\n1");
    assert!(!below("/home/user/f"));
    assert_eq!(run("kaish-vfs commit; kaish-vfs status; cat f"), "hi\n0");
    assert!(below("/home/user/f"));
    assert_eq!(run("rm f; echo b > g; kaish-vfs status"), "D  /home/user/f\nA  /home/user/g\n0");
    assert_eq!(run("kaish-vfs reset g; ls; kaish-vfs reset; ls"), "f\n0");
}
