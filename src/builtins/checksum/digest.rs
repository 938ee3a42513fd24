//! Streams to digests.

use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha224, Sha256, Sha384, Sha512};

use crate::io::Stream;
use crate::tool::{ExecContext, Stop};

/// How a digest is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Algorithm {
    Md5,
    Sha1,
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

impl Algorithm {
    /// All of them.
    pub(super) const ALL: [Self; 6] =
        [Self::Md5, Self::Sha1, Self::Sha224, Self::Sha256, Self::Sha384, Self::Sha512];

    /// The one a name or tag means, whatever its case and dashes.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase().replace('-', "");
        Self::ALL.into_iter().find(|algorithm| algorithm.tag() == name)
    }

    /// Its name in capitals.
    pub(super) fn tag(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA1",
            Self::Sha224 => "SHA224",
            Self::Sha256 => "SHA256",
            Self::Sha384 => "SHA384",
            Self::Sha512 => "SHA512",
        }
    }

    /// Hexadecimal digits of a digest.
    pub(super) fn digits(self) -> usize {
        match self {
            Self::Md5 => 32,
            Self::Sha1 => 40,
            Self::Sha224 => 56,
            Self::Sha256 => 64,
            Self::Sha384 => 96,
            Self::Sha512 => 128,
        }
    }
}

/// The digest of a stream, read to its end, in hexadecimal.
pub(super) async fn digest(
    cx: &mut ExecContext,
    stream: &Stream,
    algorithm: Algorithm,
) -> Result<String, Stop> {
    match algorithm {
        Algorithm::Md5 => feed::<Md5>(cx, stream).await,
        Algorithm::Sha1 => feed::<Sha1>(cx, stream).await,
        Algorithm::Sha224 => feed::<Sha224>(cx, stream).await,
        Algorithm::Sha256 => feed::<Sha256>(cx, stream).await,
        Algorithm::Sha384 => feed::<Sha384>(cx, stream).await,
        Algorithm::Sha512 => feed::<Sha512>(cx, stream).await,
    }
}

async fn feed<D: Digest>(cx: &mut ExecContext, stream: &Stream) -> Result<String, Stop> {
    let mut state = D::new();
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            break;
        }
        state.update(&chunk);
        // A digest works harder than copying does.
        cx.checkpoint(u32::try_from(chunk.len() / 4).unwrap_or(u32::MAX)).await?;
    }
    let mut text = String::new();
    for byte in state.finalize() {
        for digit in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(digit), 16));
        }
    }
    Ok(text)
}
