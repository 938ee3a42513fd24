//! Confirmations: a nonce for one command on certain paths, valid once, for a minute.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::host::Host;
use crate::value::{EcoString, InOrder};

/// How long a nonce is valid.
pub const NONCE_TTL: Duration = Duration::from_secs(60);

/// Nonces that are kept at most; the oldest goes first.
const MOST: usize = 64;

/// The nonces of a kernel.
pub struct Nonces {
    host: Rc<dyn Host>,
    issued: RefCell<Vec<Issued>>,
}

struct Issued {
    nonce: EcoString,
    command: EcoString,
    paths: Vec<EcoString>,
    at: Duration,
}

/// Why a nonce does not confirm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NonceError {
    /// It was never given out, was used, or is over a minute old.
    #[error("no such confirmation, or it is used or too old")]
    Unknown,
    /// It was given out for something else.
    #[error("the confirmation is for another command or other paths")]
    Mismatch,
}

impl Nonces {
    /// No nonces yet.
    pub fn new(host: Rc<dyn Host>) -> Self {
        Self { host, issued: RefCell::default() }
    }

    /// A nonce for a command on these paths.
    pub fn issue(&self, command: &str, paths: &[EcoString]) -> EcoString {
        let mut bytes = [0; 4];
        self.host.random(&mut bytes);
        let nonce = EcoString::from(format!("{:08x}", u32::from_be_bytes(bytes)));
        let mut issued = self.issued.borrow_mut();
        self.forget_old(&mut issued);
        if issued.len() >= MOST {
            issued.remove(0);
        }
        issued.push(Issued {
            nonce: nonce.clone(),
            command: command.into(),
            paths: sorted(paths),
            at: self.host.monotonic(),
        });
        nonce
    }

    /// Uses a nonce up, if it is for this command on exactly these paths.
    pub fn redeem(
        &self,
        nonce: &str,
        command: &str,
        paths: &[EcoString],
    ) -> Result<(), NonceError> {
        let mut issued = self.issued.borrow_mut();
        self.forget_old(&mut issued);
        let at = issued.iter().position(|known| known.nonce == nonce);
        let at = at.ok_or(NonceError::Unknown)?;
        let matches = issued
            .get(at)
            .is_some_and(|known| known.command == command && known.paths == sorted(paths));
        if !matches {
            return Err(NonceError::Mismatch);
        }
        issued.remove(at);
        Ok(())
    }

    fn forget_old(&self, issued: &mut Vec<Issued>) {
        let now = self.host.monotonic();
        issued.retain(|known| now.saturating_sub(known.at) < NONCE_TTL);
    }
}

fn sorted(paths: &[EcoString]) -> Vec<EcoString> {
    let mut paths = paths.to_vec();
    paths.order_by(Ord::cmp);
    paths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::FakeHost;

    #[test]
    fn once_and_only_for_what_it_was_given() {
        let nonces = Nonces::new(Rc::new(FakeHost::default()));
        let paths = [EcoString::from("/a"), EcoString::from("/b")];
        let nonce = nonces.issue("rm", &paths);
        assert_eq!(nonces.redeem(&nonce, "mv", &paths), Err(NonceError::Mismatch));
        assert_eq!(nonces.redeem(&nonce, "rm", &["/a".into()]), Err(NonceError::Mismatch));
        assert_eq!(nonces.redeem(&nonce, "rm", &["/b".into(), "/a".into()]), Ok(()));
        assert_eq!(nonces.redeem(&nonce, "rm", &paths), Err(NonceError::Unknown));
    }
}
