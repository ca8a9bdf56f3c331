//! The formats of files, and how a file's name tells its format.

use std::fmt;
use std::str::FromStr;

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// Any bytes: encrypted as one value of a JSON object.
    Binary,
    /// `KEY=value` lines.
    Dotenv,
    /// Sections of `key = value` lines.
    Ini,
    /// One JSON object.
    Json,
    /// YAML documents.
    Yaml,
}

/// The word is none of `yaml`, `json`, `dotenv`, `ini` and `binary`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format `{word}`: one of yaml, json, dotenv, ini, binary")]
pub struct UnknownFormat {
    /// What was given.
    pub word: String,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [
        Self::Binary,
        Self::Dotenv,
        Self::Ini,
        Self::Json,
        Self::Yaml,
    ];

    /// The format of a file of this name or path. As with the peer only the end of the name counts, in
    /// lower case; every other name (`.env.local`, `x.YAML`, `x.yaml.enc`) is that of a binary file.
    pub fn of_name(name: &str) -> Self {
        let by_suffix = [
            (".yaml", Self::Yaml),
            (".yml", Self::Yaml),
            (".json", Self::Json),
            (".env", Self::Dotenv),
            (".ini", Self::Ini),
        ];
        by_suffix
            .iter()
            .find(|(suffix, _)| name.ends_with(suffix))
            .map_or(Self::Binary, |(_, format)| *format)
    }

    /// The word that names it, as in `--input-type`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Dotenv => "dotenv",
            Self::Ini => "ini",
            Self::Json => "json",
            Self::Yaml => "yaml",
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for FileFormat {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<Self, UnknownFormat> {
        let mut formats = Self::ALL.into_iter();
        formats
            .find(|format| format.as_str() == word)
            .ok_or_else(|| UnknownFormat {
                word: word.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_of_the_name_tells_the_format() {
        for (name, format) in [
            ("a.yaml", FileFormat::Yaml),
            ("dir.json/b.yml", FileFormat::Yaml),
            ("x.enc.json", FileFormat::Json),
            (".env", FileFormat::Dotenv),
            ("prod.env", FileFormat::Dotenv),
            ("my.ini", FileFormat::Ini),
            (".env.local", FileFormat::Binary),
            ("x.YAML", FileFormat::Binary),
            ("x.yaml.enc", FileFormat::Binary),
            ("key", FileFormat::Binary),
        ] {
            assert_eq!(FileFormat::of_name(name), format, "{name}");
        }
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        for format in FileFormat::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert!("yml".parse::<FileFormat>().is_err());
    }
}
