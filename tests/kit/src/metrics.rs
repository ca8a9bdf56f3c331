//! A scrape of metrics, read as Prometheus reads its text format.

use std::collections::BTreeMap;

/// The samples of one scrape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metrics {
    samples: Vec<Sample>,
}

/// One line of a scrape.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The metric's name.
    pub name: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its value.
    pub value: f64,
}

impl Metrics {
    /// Reads the text format; lines that are no samples are passed over.
    pub fn parse(text: &str) -> Self {
        Self {
            samples: text.lines().filter_map(sample).collect(),
        }
    }

    /// The sum over all series of this name that have these labels; `None` when there is no series.
    pub fn get(&self, name: &str, labels: &[(&str, &str)]) -> Option<f64> {
        let mut values = self.series(name).filter(|sample| {
            labels
                .iter()
                .all(|(label, value)| sample.labels.get(*label).is_some_and(|seen| seen == value))
        });
        let first = values.next()?.value;
        Some(values.fold(first, |sum, sample| sum + sample.value))
    }

    /// All series of a name.
    pub fn series<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Sample> {
        self.samples
            .iter()
            .filter(move |sample| sample.name == name)
    }

    /// The names, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .samples
            .iter()
            .map(|sample| sample.name.as_str())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn sample(line: &str) -> Option<Sample> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (name, rest) = match line.find(['{', ' ']) {
        Some(at) => line.split_at(at),
        None => return None,
    };
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(inside) => labels(inside)?,
        None => (BTreeMap::new(), rest),
    };
    let value = rest.split_whitespace().next()?;
    Some(Sample {
        name: name.into(),
        labels,
        value: value.parse().ok()?,
    })
}

/// `a="1",b="x\"y"} rest`, from behind the opening brace.
fn labels(text: &str) -> Option<(BTreeMap<String, String>, &str)> {
    let mut labels = BTreeMap::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([',', ' ']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((labels, after));
        }
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = quoted(after)?;
        labels.insert(name.trim().into(), value);
        rest = after;
    }
}

fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# HELP a_total about\n# TYPE a_total counter\na_total{x=\"1\",y=\"q\\\"}\"} 3\n\
                        a_total{x=\"2\",y=\"\"} 4\nb 0.5\nc{le=\"+Inf\"} +Inf\n";

    #[test]
    fn series_are_summed_over_the_labels_that_are_not_asked_for() {
        let metrics = Metrics::parse(TEXT);
        assert_eq!(metrics.get("a_total", &[]), Some(7.0));
        assert_eq!(metrics.get("a_total", &[("x", "2")]), Some(4.0));
        assert_eq!(metrics.get("a_total", &[("y", "q\"}")]), Some(3.0));
    }

    #[test]
    fn a_series_that_is_absent_is_not_a_zero() {
        let metrics = Metrics::parse(TEXT);
        assert_eq!(metrics.get("a_total", &[("x", "3")]), None);
        assert_eq!(metrics.get("d", &[]), None);
        assert_eq!(metrics.get("c", &[]), Some(f64::INFINITY));
    }
}
