//! The lines of a quoted dotenv file.

use zeroize::Zeroizing;

use super::DialectError;

/// A line, or the lines of one value.
pub(super) enum Read<'s> {
    Blank,
    /// With its `#`, without what stands before it.
    Comment(&'s str),
    Entry {
        line: usize,
        key: &'s str,
        value: Zeroizing<String>,
        /// With its `#`.
        comment: Option<&'s str>,
    },
}

pub(super) struct Reader<'s> {
    rest: &'s str,
    line: usize,
}

impl<'s> Reader<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            rest: source,
            line: 0,
        }
    }

    /// The next line; `None` at the end of the text.
    pub(super) fn next_line(&mut self) -> Result<Option<Read<'s>>, DialectError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line + 1;
        let trimmed = self.rest.trim_start_matches([' ', '\t']);
        let text = trimmed.split('\n').next().unwrap_or_default().trim_end();
        if text.is_empty() || text.starts_with('#') {
            self.skip_line();
            return Ok(Some(if text.is_empty() {
                Read::Blank
            } else {
                Read::Comment(text)
            }));
        }
        let (key, _) = text
            .split_once('=')
            .ok_or(DialectError::NoEqualSign { line })?;
        self.rest = &trimmed[key.len() + 1..];
        let key = key.trim_end();
        let key = key
            .strip_prefix("export")
            .and_then(|name| name.strip_prefix([' ', '\t']))
            .map_or(key, str::trim_start);
        let value = self.value(line, key)?;
        let comment = self.comment(line, key)?;
        Ok(Some(Read::Entry {
            line,
            key,
            value,
            comment,
        }))
    }

    fn value(&mut self, line: usize, key: &str) -> Result<Zeroizing<String>, DialectError> {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let unclosed = || DialectError::Unclosed {
            line,
            key: key.to_owned(),
        };
        if let Some(inner) = self.rest.strip_prefix('\'') {
            let (value, rest) = inner.split_once('\'').ok_or_else(unclosed)?;
            self.line += value.matches('\n').count();
            self.rest = rest;
            return Ok(Zeroizing::new(value.replace("\r\n", "\n")));
        }
        if let Some(inner) = self.rest.strip_prefix('"') {
            let end = closing_quote(inner).ok_or_else(unclosed)?;
            self.line += inner[..end].matches('\n').count();
            self.rest = &inner[end + 1..];
            return Ok(unescape(&inner[..end]));
        }
        let text = self.rest.split('\n').next().unwrap_or_default();
        let comment = if text.starts_with('#') {
            Some(0)
        } else {
            text.find(" #").into_iter().chain(text.find("\t#")).min()
        };
        let (value, rest) = self.rest.split_at(comment.unwrap_or(text.len()));
        self.rest = rest;
        Ok(Zeroizing::new(value.trim_end().to_owned()))
    }

    /// The comment behind a value. The line ends here.
    fn comment(&mut self, line: usize, key: &str) -> Result<Option<&'s str>, DialectError> {
        let text = self.rest.split('\n').next().unwrap_or_default().trim();
        self.skip_line();
        match text.as_bytes().first() {
            None => Ok(None),
            Some(b'#') => Ok(Some(text)),
            Some(_) => Err(DialectError::BehindQuote {
                line,
                key: key.to_owned(),
            }),
        }
    }

    fn skip_line(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        self.line += 1;
    }
}

fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at),
            _ => {}
        }
    }
    None
}

fn unescape(text: &str) -> Zeroizing<String> {
    let mut out = Zeroizing::new(String::with_capacity(text.len()));
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match (char, chars.peek()) {
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('r')) => out.push('\r'),
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some(next @ ('"' | '\\' | '$' | '`'))) => out.push(*next),
            ('\r', Some('\n')) => continue,
            _ => {
                out.push(char);
                continue;
            }
        }
        chars.next();
    }
    out
}
