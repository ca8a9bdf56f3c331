//! `sops completion bash|zsh`: scripts that ask the program itself what may follow.

use super::super::parser::Arguments;
use crate::{Context, ExitStatus, Failure};

const BASH: &str = r#"# Completion of sops for bash.
_sops_complete() {
  local word="${COMP_WORDS[COMP_CWORD]}"
  local before=("${COMP_WORDS[@]:0:COMP_CWORD}")
  [[ $word == -* ]] && before+=("$word")
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${before[@]}" --generate-bash-completion 2>/dev/null)" -- "$word"))
}
complete -o bashdefault -o default -F _sops_complete sops
"#;

const ZSH: &str = r#"#compdef sops
# Completion of sops for zsh.
_sops_complete() {
  local -a before answers
  before=("${(@)words[1,CURRENT-1]}")
  [[ ${words[CURRENT]} == -* ]] && before+=("${words[CURRENT]}")
  answers=("${(@f)$(_CLI_ZSH_AUTOCOMPLETE_HACK=1 "${before[@]}" --generate-bash-completion 2>/dev/null)}")
  if [[ -n ${answers[1]} ]]; then
    _describe 'values' answers
  else
    _files
  fi
}
compdef _sops_complete sops
"#;

/// Prints the script for bash.
pub(in super::super) fn bash(_: &Arguments, context: &mut Context) -> Result<ExitStatus, Failure> {
    context.ui.data(BASH.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// Prints the script for zsh.
pub(in super::super) fn zsh(_: &Arguments, context: &mut Context) -> Result<ExitStatus, Failure> {
    context.ui.data(ZSH.as_bytes())?;
    Ok(ExitStatus::Success)
}
