//! Password hashes, derived passwords, and AES under a password.

use aes::Aes256;
use cbc::cipher::block_padding::{NoPadding, Pkcs7};
use cbc::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

use super::Table;
use super::encoding::{base64, from_base64};
use crate::error::Failure;
use crate::limits::Context;
use crate::signature::{Function, Unsigned};
use crate::value::Text;

pub(super) fn table() -> Table {
    vec![
        ("bcrypt", Function::new(bcrypt)),
        ("decryptAES", Function::new(decrypt_aes)),
        ("derivePassword", Function::new(derive_password)),
        ("encryptAES", Function::new(encrypt_aes)),
        ("htpasswd", Function::new(htpasswd)),
    ]
}

/// What Go's library takes by default.
const BCRYPT_COST: u32 = 10;

fn bcrypt(context: &mut Context<'_, '_>, password: Text) -> Result<String, Failure> {
    context.spend_derivation()?;
    // The algorithm knows no more of a password.
    if password.len() > 72 {
        return Err("the password is longer than 72 bytes".into());
    }
    let salt = context.random();
    let hash = bcrypt::hash_with_salt(&*password, BCRYPT_COST, salt);
    let hash = hash.map_err(|_| "the password cannot be hashed")?;
    Ok(hash.format_for_version(bcrypt::Version::TwoA))
}

/// A line of a password file of Apache's.
fn htpasswd(context: &mut Context<'_, '_>, user: Text, password: Text) -> Result<Text, Failure> {
    if user.contains(&b':') {
        return Err("the user name has a colon in it".into());
    }
    let hash = bcrypt(context, password)?;
    Ok([&*user, b":", hash.as_bytes()].concat().into())
}

/// The key is the password itself, cut or filled up with zeros.
fn aes_key(password: &Text) -> Zeroizing<[u8; 32]> {
    let mut key = Zeroizing::new([0; 32]);
    let length = password.len().min(32);
    key[..length].copy_from_slice(&password[..length]);
    key
}

/// AES-256 in CBC, base64 of the initialization vector and the ciphertext.
fn encrypt_aes(
    context: &mut Context<'_, '_>,
    password: Text,
    text: Text,
) -> Result<String, Failure> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let iv: [u8; 16] = context.random();
    let cipher = cbc::Encryptor::<Aes256>::new((&*aes_key(&password)).into(), &iv.into());
    let ciphertext = cipher.encrypt_padded_vec::<Pkcs7>(&text);
    Ok(base64(&[&iv[..], &ciphertext].concat()))
}

fn decrypt_aes(_: &mut Context<'_, '_>, password: Text, text: Text) -> Result<Text, Failure> {
    if text.is_empty() {
        return Ok(text);
    }
    let bytes = from_base64(&text).ok_or("the ciphertext is no base64")?;
    let (iv, ciphertext) = bytes
        .split_first_chunk::<16>()
        .ok_or("the ciphertext is too short")?;
    let cipher = cbc::Decryptor::<Aes256>::new((&*aes_key(&password)).into(), iv.into());
    let plain = cipher.decrypt_padded_vec::<NoPadding>(ciphertext);
    let mut plain = Zeroizing::new(plain.map_err(|_| "the ciphertext is not of whole blocks")?);
    // The last byte says how many there are of it; more is not checked, as by Sprig.
    let padding = plain.last().copied().map_or(usize::MAX, usize::from);
    let length = plain
        .len()
        .checked_sub(padding)
        .ok_or("the padding is wrong")?;
    plain.truncate(length);
    Ok(plain.into())
}

/// The algorithm of Master Password, version 3: templates of each kind of password.
const TEMPLATES: [(&str, &[&str]); 6] = [
    ("maximum", &["anoxxxxxxxxxxxxxxxxx", "axxxxxxxxxxxxxxxxxno"]),
    (
        "long",
        &[
            "CvcvnoCvcvCvcv",
            "CvcvCvcvnoCvcv",
            "CvcvCvcvCvcvno",
            "CvccnoCvcvCvcv",
            "CvccCvcvnoCvcv",
            "CvccCvcvCvcvno",
            "CvcvnoCvccCvcv",
            "CvcvCvccnoCvcv",
            "CvcvCvccCvcvno",
            "CvcvnoCvcvCvcc",
            "CvcvCvcvnoCvcc",
            "CvcvCvcvCvccno",
            "CvccnoCvccCvcv",
            "CvccCvccnoCvcv",
            "CvccCvccCvcvno",
            "CvcvnoCvccCvcc",
            "CvcvCvccnoCvcc",
            "CvcvCvccCvccno",
            "CvccnoCvcvCvcc",
            "CvccCvcvnoCvcc",
            "CvccCvcvCvccno",
        ],
    ),
    ("medium", &["CvcnoCvc", "CvcCvcno"]),
    ("short", &["Cvcn"]),
    ("basic", &["aaanaaan", "aannaaan", "aaannaaa"]),
    ("pin", &["nnnn"]),
];

/// What a letter of a template stands for.
fn characters(letter: u8) -> &'static [u8] {
    match letter {
        b'C' => b"BCDFGHJKLMNPQRSTVWXYZ",
        b'v' => b"aeiou",
        b'c' => b"bcdfghjklmnpqrstvwxyz",
        b'a' => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz",
        b'n' => b"0123456789",
        b'o' => b"@&%?,=[]_:-+*$#!'^~;()/.",
        _ => b"AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()",
    }
}

const SEED: &[u8] = b"com.lyndir.masterpassword";

fn derive_password(
    context: &mut Context<'_, '_>,
    counter: Unsigned,
    kind: Text,
    password: Text,
    user: Text,
    site: Text,
) -> Result<String, Failure> {
    context.spend_derivation()?;
    let templates = TEMPLATES.iter().find(|(name, _)| *kind == *name.as_bytes());
    let (_, templates) = templates.ok_or("there is no such kind of password")?;
    let length = |text: &Text| u32::try_from(text.len()).map(u32::to_be_bytes);
    let too_long = |_| Failure::from("an argument is too long");
    let salt = [SEED, &length(&user).map_err(too_long)?, &user].concat();
    let mut key = Zeroizing::new([0; 64]);
    let invalid = "the password cannot be derived";
    let parameters = scrypt::Params::new(15, 8, 2, key.len()).map_err(|_| invalid)?;
    scrypt::scrypt(&password, &salt, &parameters, &mut *key).map_err(|_| invalid)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&*key).map_err(|_| invalid)?;
    for part in [
        SEED,
        &length(&site).map_err(too_long)?,
        &site,
        &counter.0.to_be_bytes(),
    ] {
        mac.update(part);
    }
    let seed = mac.finalize().into_bytes();
    let template = templates[usize::from(seed[0]) % templates.len()];
    let derived = template.bytes().zip(&seed[1..]).map(|(letter, byte)| {
        let characters = characters(letter);
        char::from(characters[usize::from(*byte) % characters.len()])
    });
    Ok(derived.collect())
}
