//! Random texts and numbers, of the source that the caller gives.

use super::Table;
use super::encoding::{base64, hexadecimal};
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Int};
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![
        ("randAlpha", Function::new(rand_alpha)),
        ("randAlphaNum", Function::new(rand_alpha_num)),
        ("randAscii", Function::new(rand_ascii)),
        ("randBytes", Function::new(rand_bytes)),
        ("randInt", Function::new(rand_int)),
        ("randNumeric", Function::new(rand_numeric)),
        ("shuffle", Function::new(shuffle)),
        ("uuidv4", Function::new(uuidv4)),
    ]
}

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8] = b"0123456789";

fn rand_alpha(context: &mut Context<'_, '_>, count: Int) -> Result<Text, Failure> {
    of(context, count, LETTERS)
}

fn rand_alpha_num(context: &mut Context<'_, '_>, count: Int) -> Result<Text, Failure> {
    of(context, count, &[LETTERS, DIGITS].concat())
}

fn rand_numeric(context: &mut Context<'_, '_>, count: Int) -> Result<Text, Failure> {
    of(context, count, DIGITS)
}

fn rand_ascii(context: &mut Context<'_, '_>, count: Int) -> Result<Text, Failure> {
    let printable: Vec<u8> = (b' '..=b'~').collect();
    of(context, count, &printable)
}

/// So many characters of an alphabet; of less than one, none.
fn of(context: &mut Context<'_, '_>, count: Int, alphabet: &[u8]) -> Result<Text, Failure> {
    context.spend_steps(count.count())?;
    let mut sink = context.sink();
    for _ in 0..count.count() {
        let index = below(context, alphabet.len() as u64);
        let index = usize::try_from(index).unwrap_or(0);
        sink.push([alphabet[index]])?;
    }
    Ok(sink.finish())
}

/// A number less than `bound`, each as likely as the others.
fn below(context: &mut Context<'_, '_>, bound: u64) -> u64 {
    // Numbers of the last, incomplete run would come up too often.
    let most = u64::MAX - u64::MAX % bound;
    for _ in 0..64 {
        let number = u64::from_le_bytes(context.random());
        if number < most {
            return number % bound;
        }
    }
    // A source that gives this is no random one.
    0
}

/// From the first number on, up to before the second.
fn rand_int(context: &mut Context<'_, '_>, least: Int, end: Int) -> Result<Int, Failure> {
    let span = end
        .0
        .checked_sub(least.0)
        .and_then(|span| u64::try_from(span).ok());
    match span {
        None | Some(0) => Err("the range has no number in it".into()),
        Some(span) => {
            let above = i64::try_from(below(context, span)).unwrap_or(0);
            Ok(Int(least.0 + above))
        }
    }
}

/// So many bytes, in base64.
fn rand_bytes(context: &mut Context<'_, '_>, count: Int) -> Result<String, Failure> {
    if count.0 < 0 {
        return Err("negative count of bytes".into());
    }
    context.afford(count.count() / size_of::<crate::Value>())?;
    context.spend_steps(count.count() / 16)?;
    let mut bytes = zeroize::Zeroizing::new(vec![0; count.count()]);
    context.ambient.random.fill(&mut bytes);
    Ok(base64(&bytes))
}

/// The characters of a text in another order.
fn shuffle(context: &mut Context<'_, '_>, text: Text) -> Result<String, Failure> {
    let mut chars: Vec<char> = text.lossy().chars().collect();
    context.spend_steps(chars.len())?;
    for end in (1..chars.len()).rev() {
        let other = below(context, end as u64 + 1);
        chars.swap(end, usize::try_from(other).unwrap_or(0));
    }
    Ok(chars.into_iter().collect())
}

/// RFC 9562, version 4.
fn uuidv4(context: &mut Context<'_, '_>) -> Result<String, Failure> {
    let mut bytes: [u8; 16] = context.random();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hexadecimal(bytes);
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    Ok(parts.join("-"))
}
