//! Any template over any data renders or fails, within its limits, and its error does not repeat the data.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_templates::{Ambient, Limits, Options, Template, Value};

fuzz_target!(|input: (&str, &str)| {
    let (text, value) = input;
    let Ok(template) = Template::parse("t", text, &Options::default()) else {
        return;
    };
    let limits = Limits {
        output_bytes: 100_000,
        memory_bytes: 1_000_000,
        steps: 20_000,
        depth: 50,
        derivations: 0,
    };
    let mut random = |buffer: &mut [u8]| buffer.fill(7);
    let mut ambient = Ambient {
        now: jiff::Timestamp::UNIX_EPOCH,
        zone: jiff::tz::TimeZone::UTC,
        random: &mut random,
    };
    let canary = format!("canary{value}");
    let data = Value::strings([("a", canary.as_str()), ("b", value)]);
    match template.render(&data, &limits, &mut ambient) {
        Ok(rendered) => assert!(rendered.as_bytes().len() <= limits.output_bytes),
        Err(error) => assert!(text.contains("canary") || !error.to_string().contains("canary")),
    }
});
