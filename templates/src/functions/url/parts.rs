//! The parts of a URL, as Go's `net/url` sees them.

use super::escape::{Part, escape, unescape};

#[derive(Default)]
pub(super) struct Url {
    pub(super) scheme: Vec<u8>,
    pub(super) opaque: Vec<u8>,
    pub(super) user: Option<User>,
    pub(super) host: Vec<u8>,
    pub(super) path: Vec<u8>,
    pub(super) query: Vec<u8>,
    pub(super) force_query: bool,
    pub(super) fragment: Vec<u8>,
}

pub(super) struct User {
    name: Vec<u8>,
    password: Option<Vec<u8>>,
}

impl User {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut text = escape(&self.name, Part::User);
        if let Some(password) = &self.password {
            text.push(b':');
            text.extend(escape(password, Part::User));
        }
        text
    }
}

/// At the first of such a byte.
fn cut(text: &[u8], at: u8) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == at) {
        Some(index) => (&text[..index], Some(&text[index + 1..])),
        None => (text, None),
    }
}

impl Url {
    /// `None`: no URL.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        if text.iter().any(|byte| *byte < b' ' || *byte == 0x7f) {
            return None;
        }
        let (rest, fragment) = cut(text, b'#');
        let mut url = Self::before_fragment(rest)?;
        if let Some(fragment) = fragment {
            url.fragment = unescape(fragment, Part::Fragment)?;
        }
        Some(url)
    }

    fn before_fragment(text: &[u8]) -> Option<Self> {
        let mut url = Self::default();
        if text == b"*" {
            url.path = text.to_vec();
            return Some(url);
        }
        let (scheme, rest) = scheme(text)?;
        url.scheme = scheme.to_ascii_lowercase();
        let (mut rest, query) = cut(rest, b'?');
        url.force_query = query.is_some_and(<[u8]>::is_empty);
        url.query = query.unwrap_or_default().to_vec();
        if !rest.starts_with(b"/") {
            if !url.scheme.is_empty() {
                url.opaque = rest.to_vec();
                return Some(url);
            }
            // A colon in the first part would read as a scheme.
            if cut(rest, b'/').0.contains(&b':') {
                return None;
            }
        }
        if rest.starts_with(b"//") && (!url.scheme.is_empty() || !rest.starts_with(b"///")) {
            let authority = &rest[2..];
            let end = authority
                .iter()
                .position(|byte| *byte == b'/')
                .unwrap_or(authority.len());
            url.authority(&authority[..end])?;
            rest = &authority[end..];
        }
        url.path = unescape(rest, Part::Path)?;
        Some(url)
    }

    fn authority(&mut self, text: &[u8]) -> Option<()> {
        let (user, host) = match text.iter().rposition(|byte| *byte == b'@') {
            Some(at) => (Some(&text[..at]), &text[at + 1..]),
            None => (None, text),
        };
        self.host = host_of(host)?;
        let Some(user) = user else {
            return Some(());
        };
        let valid =
            |byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(byte);
        if !user.iter().all(valid) {
            return None;
        }
        let (name, password) = cut(user, b':');
        let password = match password {
            Some(password) => Some(unescape(password, Part::User)?),
            None => None,
        };
        self.user = Some(User {
            name: unescape(name, Part::User)?,
            password,
        });
        Some(())
    }

    /// The host without its port and brackets.
    pub(super) fn hostname(&self) -> &[u8] {
        let host = &self.host;
        let colon = host.iter().rposition(|byte| *byte == b':');
        let host = match colon {
            Some(colon) if is_port(&host[colon..]) => &host[..colon],
            _ => host,
        };
        let inner = host
            .strip_prefix(b"[")
            .and_then(|host| host.strip_suffix(b"]"));
        inner.unwrap_or(host)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut text = Vec::new();
        if !self.scheme.is_empty() {
            text.extend_from_slice(&self.scheme);
            text.push(b':');
        }
        if self.opaque.is_empty() {
            self.write_hierarchy(&mut text);
        } else {
            text.extend_from_slice(&self.opaque);
        }
        if self.force_query || !self.query.is_empty() {
            text.push(b'?');
            text.extend_from_slice(&self.query);
        }
        if !self.fragment.is_empty() {
            text.push(b'#');
            text.extend(escape(&self.fragment, Part::Fragment));
        }
        text
    }

    fn write_hierarchy(&self, text: &mut Vec<u8>) {
        if !self.scheme.is_empty() || !self.host.is_empty() || self.user.is_some() {
            if !self.host.is_empty() || !self.path.is_empty() || self.user.is_some() {
                text.extend_from_slice(b"//");
            }
            if let Some(user) = &self.user {
                text.extend(user.to_bytes());
                text.push(b'@');
            }
            text.extend(escape(&self.host, Part::Host));
        }
        let path = if self.path == b"*" {
            b"*".to_vec()
        } else {
            escape(&self.path, Part::Path)
        };
        if !path.is_empty() && !path.starts_with(b"/") && !self.host.is_empty() {
            text.push(b'/');
        }
        if text.is_empty() && cut(&path, b'/').0.contains(&b':') {
            text.extend_from_slice(b"./");
        }
        text.extend(path);
    }
}

/// `None`: a colon with nothing before it.
fn scheme(text: &[u8]) -> Option<(&[u8], &[u8])> {
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return None,
            b':' => return Some((&text[..index], &text[index + 1..])),
            _ => break,
        }
    }
    Some((b"", text))
}

fn is_port(text: &[u8]) -> bool {
    text.is_empty() || (text.starts_with(b":") && text[1..].iter().all(u8::is_ascii_digit))
}

fn host_of(text: &[u8]) -> Option<Vec<u8>> {
    if text.starts_with(b"[") {
        let end = text.iter().rposition(|byte| *byte == b']')?;
        return is_port(&text[end + 1..]).then(|| unescape(text, Part::Host))?;
    }
    if let Some(colon) = text.iter().rposition(|byte| *byte == b':')
        && !is_port(&text[colon..])
    {
        return None;
    }
    unescape(text, Part::Host)
}
