//! Paths with slashes, as texts: no file is looked at. The `os` functions are those of Linux, the same.

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![
        ("base", Function::new(base)),
        ("clean", Function::new(clean)),
        ("dir", Function::new(dir)),
        ("ext", Function::new(ext)),
        ("isAbs", Function::new(is_abs)),
        ("osBase", Function::new(base)),
        ("osClean", Function::new(clean)),
        ("osDir", Function::new(dir)),
        ("osExt", Function::new(ext)),
        ("osIsAbs", Function::new(is_abs)),
    ]
}

/// What is after the last slash.
fn base(_: &mut Context<'_, '_>, path: Text) -> Result<Text, Failure> {
    let end = path.iter().rposition(|byte| *byte != b'/');
    Ok(match end {
        None if path.is_empty() => ".".into(),
        None => "/".into(),
        Some(end) => {
            let path = &path[..=end];
            let start = path
                .iter()
                .rposition(|byte| *byte == b'/')
                .map_or(0, |slash| slash + 1);
            path[start..].into()
        }
    })
}

/// What is before the last slash.
fn dir(_: &mut Context<'_, '_>, path: Text) -> Result<Text, Failure> {
    let end = path
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |slash| slash + 1);
    Ok(cleaned(&path[..end]).into())
}

fn clean(_: &mut Context<'_, '_>, path: Text) -> Result<Text, Failure> {
    Ok(cleaned(&path).into())
}

/// From the last dot of the last part on.
fn ext(_: &mut Context<'_, '_>, path: Text) -> Result<Text, Failure> {
    let mark = path.iter().rposition(|byte| matches!(byte, b'.' | b'/'));
    let start = mark
        .filter(|mark| path[*mark] == b'.')
        .unwrap_or(path.len());
    Ok(path[start..].into())
}

fn is_abs(_: &mut Context<'_, '_>, path: Text) -> Result<bool, Failure> {
    Ok(path.starts_with(b"/"))
}

/// The shortest path to the same place.
pub(super) fn cleaned(path: &[u8]) -> Vec<u8> {
    let rooted = path.starts_with(b"/");
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => match parts.last() {
                Some(last) if *last != b".." => _ = parts.pop(),
                _ if rooted => {}
                _ => parts.push(part),
            },
            part => parts.push(part),
        }
    }
    let body = parts.join(&b'/');
    match (rooted, body.is_empty()) {
        (true, _) => [b"/", body.as_slice()].concat(),
        (false, true) => b".".to_vec(),
        (false, false) => body,
    }
}
