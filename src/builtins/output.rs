//! A file a command writes itself: created by an operand, closed at the end.

use std::rc::Rc;

use crate::io::{Errno, OpenFile, Stream};
use crate::tool::{ExecContext, Stop};
use crate::vfs::OpenOptions;

/// Opens an operand for writing from scratch, or at the end with [`OpenOptions::APPEND`].
pub(super) async fn create(
    cx: &ExecContext,
    operand: &str,
    options: OpenOptions,
) -> Result<Stream, Errno> {
    let path = cx.resolve(operand);
    let backend = Rc::clone(cx.backend());
    let file = backend.open(&path, options).await.map_err(|error| error.errno())?;
    Ok(Stream::File(Rc::new(OpenFile::new(file, options.append))))
}

/// Ends the use of a stream made by [`create`].
pub(super) async fn close(stream: &Stream) -> Result<(), Stop> {
    if let Stream::File(open) = stream {
        open.file().close().await?;
    }
    Ok(())
}
