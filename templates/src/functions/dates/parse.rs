//! Text to dates.

use jiff::civil::{Date, DateTime};
use jiff::tz::{Offset, TimeZone};

use super::format::{MONTHS, WEEKDAYS};
use super::layout::{self, Part, Zone};
use crate::value::Time;

/// Reads a text that is written as the layout says; a date without a zone is of `local`.
pub(super) fn parse(layout: &str, text: &str, local: &TimeZone) -> Option<Time> {
    let mut read = Read {
        rest: text,
        ..Read::default()
    };
    let mut layout = layout;
    loop {
        let (before, part, after) = layout::next(layout);
        read.skip(before)?;
        let Some(part) = part else {
            return read.rest.is_empty().then(|| read.finish(local))?;
        };
        read.part(part, after)?;
        layout = after;
    }
}

/// What was read, and what is left.
#[derive(Default)]
struct Read<'a> {
    rest: &'a str,
    year: i16,
    month: Option<i8>,
    day: Option<i8>,
    year_day: Option<i16>,
    hour: i8,
    minute: i8,
    second: i8,
    nanosecond: i32,
    afternoon: Option<bool>,
    utc: bool,
    offset: Option<i32>,
    zone_name: Option<&'a str>,
}

impl<'a> Read<'a> {
    /// Passes over text of the layout. Any number of spaces stands for any other.
    fn skip(&mut self, mut text: &str) -> Option<()> {
        while let Some(c) = text.chars().next() {
            if c == ' ' {
                if !self.rest.is_empty() && !self.rest.starts_with(' ') {
                    return None;
                }
                text = text.trim_start_matches(' ');
                self.rest = self.rest.trim_start_matches(' ');
                continue;
            }
            self.rest = self.rest.strip_prefix(c)?;
            text = &text[c.len_utf8()..];
        }
        Some(())
    }

    fn part(&mut self, part: Part, layout: &str) -> Option<()> {
        match part {
            Part::Year => self.year = self.exactly(4)?.try_into().ok()?,
            Part::YearShort => {
                let year: i16 = self.exactly(2)?.try_into().ok()?;
                self.year = year + if year >= 69 { 1900 } else { 2000 };
            }
            Part::Month => self.month = Some(1 + self.name(&MONTHS, None)?),
            Part::MonthShort => self.month = Some(1 + self.name(&MONTHS, Some(3))?),
            Part::MonthNumber => self.month_number(false)?,
            Part::MonthPadded => self.month_number(true)?,
            Part::Weekday => _ = self.name(&WEEKDAYS, None)?,
            Part::WeekdayShort => _ = self.name(&WEEKDAYS, Some(3))?,
            Part::Day => self.day = Some(self.number(false, 99)?),
            Part::DaySpaced => {
                self.rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
                self.day = Some(self.number(false, 99)?);
            }
            Part::DayPadded => self.day = Some(self.number(true, 99)?),
            Part::YearDaySpaced | Part::YearDayPadded => {
                let padding = if part == Part::YearDaySpaced { " " } else { "" };
                let spaces = self.rest.len() - self.rest.trim_start_matches(padding).len();
                let spaces = if padding.is_empty() { 0 } else { spaces.min(2) };
                self.rest = &self.rest[spaces..];
                self.year_day = Some(self.exactly(3 - spaces)?.try_into().ok()?);
            }
            Part::Hour => self.hour = self.number(false, 23)?,
            Part::Hour12 => self.hour = self.number(false, 12)?,
            Part::Hour12Padded => self.hour = self.number(true, 12)?,
            Part::Minute => self.minute = self.number(false, 59)?,
            Part::MinutePadded => self.minute = self.number(true, 59)?,
            Part::Second => self.second(false, layout)?,
            Part::SecondPadded => self.second(true, layout)?,
            Part::NoonUpper => self.noon("AM", "PM")?,
            Part::NoonLower => self.noon("am", "pm")?,
            Part::ZoneName => self.named_zone()?,
            Part::Zone(zone) => self.zone(zone)?,
            Part::Fraction(digits) => {
                let digits = self.rest.get(..=digits)?;
                self.fraction(digits)?;
            }
            Part::FractionTrimmed(_) => self.any_fraction()?,
        }
        Some(())
    }

    fn month_number(&mut self, two: bool) -> Option<()> {
        let month = self.number(two, 12)?;
        self.month = Some(month).filter(|month| *month > 0);
        self.month.map(drop)
    }

    /// A number of exactly so many digits.
    fn exactly(&mut self, count: usize) -> Option<i32> {
        let digits = self
            .rest
            .get(..count)
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
        self.rest = &self.rest[count..];
        digits.parse().ok()
    }

    /// One or two digits, or exactly two.
    fn number(&mut self, two: bool, most: i8) -> Option<i8> {
        let digits = self
            .rest
            .bytes()
            .take(2)
            .take_while(u8::is_ascii_digit)
            .count();
        if digits == 0 || (two && digits < 2) {
            return None;
        }
        let number = i8::try_from(self.exactly(digits)?).ok()?;
        (number <= most).then_some(number)
    }

    /// The place of a name in a list, whatever its case.
    fn name(&mut self, names: &[&str], length: Option<usize>) -> Option<i8> {
        for (index, name) in names.iter().enumerate() {
            let name = &name[..length.unwrap_or(name.len())];
            let found = self.rest.get(..name.len());
            if found.is_some_and(|found| found.eq_ignore_ascii_case(name)) {
                self.rest = &self.rest[name.len()..];
                return i8::try_from(index).ok();
            }
        }
        None
    }

    /// A fraction is read after the seconds even where the layout has none.
    fn second(&mut self, two: bool, layout: &str) -> Option<()> {
        self.second = self.number(two, 59)?;
        let (before, next, _) = layout::next(layout);
        let has_fraction = matches!(next, Some(Part::Fraction(_) | Part::FractionTrimmed(_)));
        if before.is_empty() && has_fraction {
            return Some(());
        }
        self.any_fraction()
    }

    fn any_fraction(&mut self) -> Option<()> {
        let Some(digits) = self.rest.strip_prefix(['.', ',']) else {
            return Some(());
        };
        let count = digits.bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return Some(());
        }
        let text = &self.rest[..=count];
        self.fraction(text)
    }

    /// A separator and digits; what is less than a nanosecond is cut.
    fn fraction(&mut self, text: &'a str) -> Option<()> {
        let digits = text.strip_prefix(['.', ','])?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let nanoseconds = format!("{digits:0<9}");
        self.nanosecond = nanoseconds[..9].parse().ok()?;
        self.rest = &self.rest[text.len()..];
        Some(())
    }

    fn noon(&mut self, morning: &str, afternoon: &str) -> Option<()> {
        let word = self.rest.get(..2)?;
        self.afternoon = Some(match word {
            word if word == afternoon => true,
            word if word == morning => false,
            _ => return None,
        });
        self.rest = &self.rest[2..];
        Some(())
    }

    fn zone(&mut self, zone: Zone) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z').filter(|_| zone.z) {
            self.rest = rest;
            self.utc = true;
            return Some(());
        }
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        let mut seconds = 3600 * i32::from(self.number(true, 24)?);
        for (wanted, unit) in [(zone.minutes, 60), (zone.seconds, 1)] {
            if wanted {
                if zone.colon {
                    self.rest = self.rest.strip_prefix(':')?;
                }
                seconds += unit * i32::from(self.number(true, 59)?);
            }
        }
        self.offset = Some(if negative { -seconds } else { seconds });
        Some(())
    }

    fn named_zone(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix("UTC") {
            self.rest = rest;
            self.utc = true;
            return Some(());
        }
        let length = zone_name_length(self.rest)?;
        self.zone_name = Some(&self.rest[..length]);
        self.rest = &self.rest[length..];
        Some(())
    }

    fn finish(mut self, local: &TimeZone) -> Option<Time> {
        match self.afternoon {
            Some(true) if self.hour < 12 => self.hour += 12,
            Some(false) if self.hour == 12 => self.hour = 0,
            _ => {}
        }
        let date = self.date()?;
        let time = date.at(self.hour, self.minute, self.second, self.nanosecond);
        if self.utc {
            return moment(time, TimeZone::UTC);
        }
        if let Some(seconds) = self.offset {
            let fixed = TimeZone::fixed(Offset::from_seconds(seconds).ok()?);
            let in_fixed = moment(time, fixed)?;
            if local.to_offset(in_fixed.at).seconds() == seconds {
                return Some(Time::new(in_fixed.at, local.clone()));
            }
            return Some(Time {
                name: self.zone_name.map(Into::into),
                ..in_fixed
            });
        }
        let Some(name) = self.zone_name else {
            return moment(time, local.clone());
        };
        let in_local = moment(time, local.clone())?;
        if local.to_offset_info(in_local.at).abbreviation() == name {
            return Some(in_local);
        }
        // An abbreviation alone says no offset, but for GMT+3 and its like.
        let hours: i32 = name
            .strip_prefix("GMT")
            .and_then(|hours| hours.parse().ok())
            .unwrap_or(0);
        let zone = TimeZone::fixed(Offset::from_seconds(hours * 3600).ok()?);
        let at = moment(time, TimeZone::UTC)?.at;
        Some(Time {
            at,
            zone,
            name: Some(name.into()),
        })
    }

    fn date(&self) -> Option<Date> {
        if let Some(year_day) = self.year_day {
            let first = Date::new(self.year, 1, 1).ok()?;
            let date = first.with().day_of_year(year_day).build().ok()?;
            let agrees = self.month.is_none_or(|month| month == date.month())
                && self.day.is_none_or(|day| day == date.day());
            return agrees.then_some(date);
        }
        Date::new(self.year, self.month.unwrap_or(1), self.day.unwrap_or(1)).ok()
    }
}

fn moment(time: DateTime, zone: TimeZone) -> Option<Time> {
    let at = zone.to_ambiguous_timestamp(time).compatible().ok()?;
    Some(Time::new(at, zone))
}

/// How much of the text is an abbreviation of a zone, by Go's rules of thumb.
fn zone_name_length(text: &str) -> Option<usize> {
    for special in ["ChST", "MeST"] {
        if text.starts_with(special) {
            return Some(4);
        }
    }
    if let Some(hours) = text.strip_prefix("GMT") {
        let signed = hours.strip_prefix(['+', '-']);
        let digits = signed.map_or(0, |hours| {
            hours.bytes().take_while(u8::is_ascii_digit).count()
        });
        let number: Option<u8> = signed.and_then(|hours| hours[..digits].parse().ok());
        return Some(if number.is_some_and(|hours| hours < 24) {
            4 + digits
        } else {
            3
        });
    }
    if text.starts_with(['+', '-']) {
        let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
        let hours: u8 = text[1..=digits].parse().ok()?;
        return (hours < 24).then_some(1 + digits);
    }
    let upper = text
        .bytes()
        .take(6)
        .take_while(u8::is_ascii_uppercase)
        .count();
    match upper {
        3 => Some(3),
        4 if text.as_bytes()[3] == b'T' || text.starts_with("WITA") => Some(4),
        5 if text.as_bytes()[4] == b'T' => Some(5),
        _ => None,
    }
}
