//! One verb, one file.

pub mod cert;
pub mod completion;
pub mod decrypt;
pub mod edit;
pub mod encrypt;
pub mod exec_env;
pub mod exec_file;
pub mod keys;
pub mod man;
pub mod publish;
pub mod reseal;
pub mod rotate;
pub mod seal;
pub mod set;
pub mod status;
pub mod unseal;
pub mod unset;
pub mod updatekeys;
