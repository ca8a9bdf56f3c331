//! One command of `sops`, one file.

pub(super) mod completion;
pub(super) mod decrypt;
pub(super) mod edit;
pub(super) mod encrypt;
pub(super) mod exec_env;
pub(super) mod exec_file;
pub(super) mod filestatus;
pub(super) mod groups;
pub(super) mod keyservice;
pub(super) mod legacy;
pub(super) mod publish;
pub(super) mod rotate;
pub(super) mod set;
pub(super) mod unset;
pub(super) mod updatekeys;
