//! Whatever is taken for a Secret becomes a text that says the sealed object.

#![no_main]

use libfuzzer_sys::fuzz_target;
use signet_documents::{
    manifest::{
        resources,
        sealed::{SealShape, seal},
    },
    splice::apply,
    value::to_json,
    yaml::Stream,
};

fuzz_target!(|text: &str| {
    let Ok(stream) = Stream::parse(text) else { return };
    let Some(secret) = resources(&stream).next() else { return };
    let encrypt = |_: &_, _: &str, _: &_| Ok::<_, std::fmt::Error>("AgA=".to_owned());
    let Ok(sealed) = seal(secret.node, &SealShape::default(), encrypt) else { return };
    let new = apply(text, vec![sealed.splice]).expect("one splice");
    let stream = Stream::parse(&new).expect("a sealed document can be read");
    let object = resources(&stream).next().expect("the sealed object");
    assert_eq!(to_json(object.node).as_ref(), Ok(&sealed.value));
});
