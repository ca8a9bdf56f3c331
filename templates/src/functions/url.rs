//! URLs taken apart and put together.

use std::collections::BTreeMap;

use super::Table;
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::Function;
use crate::value::{Map, Text, Value};

mod escape;
mod parts;

use parts::Url;

pub(super) fn table() -> Table {
    vec![
        ("urlJoin", Function::new(url_join)),
        ("urlParse", Function::new(url_parse)),
    ]
}

fn url_parse(_: &mut Context<'_, '_>, text: Text) -> Result<Map, Failure> {
    let url = Url::parse(&text).ok_or("unable to parse the URL")?;
    let hostname = url.hostname().to_vec();
    let entries = [
        ("scheme", url.scheme),
        ("host", url.host),
        ("hostname", hostname),
        ("path", url.path),
        ("query", url.query),
        ("opaque", url.opaque),
        ("fragment", url.fragment),
        (
            "userinfo",
            url.user.map(|user| user.to_bytes()).unwrap_or_default(),
        ),
    ];
    let entries = entries
        .into_iter()
        .map(|(name, part)| (name.into(), Value::Text(part.into())));
    Ok(Map::new(
        crate::Elements::Any,
        entries.collect::<BTreeMap<_, _>>(),
    ))
}

fn url_join(_: &mut Context<'_, '_>, map: Map) -> Result<Text, Failure> {
    let part = |name: &str| match map.get(name.as_bytes()) {
        None => Ok(Vec::new()),
        Some(Value::Text(text)) => Ok(text.to_vec()),
        Some(other) => {
            let kind = other.kind_name();
            Err(Failure::from(format!(
                "the {name} must be of type string, but {kind} found"
            )))
        }
    };
    let mut url = Url {
        scheme: part("scheme")?,
        host: part("host")?,
        path: part("path")?,
        query: part("query")?,
        opaque: part("opaque")?,
        fragment: part("fragment")?,
        ..Url::default()
    };
    let user = part("userinfo")?;
    if !user.is_empty() {
        let around = [b"proto://", user.as_slice(), b"@host"].concat();
        url.user = Url::parse(&around)
            .ok_or("unable to parse the userinfo")?
            .user;
    }
    Ok(url.to_bytes().into())
}
