/** Variables that make a shell run code before the command, or parse it differently. */
export const STEERS_A_SHELL =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|ZDOTDIR|CDPATH|IFS|GLOBIGNORE|BASH_FUNC_.*)$/;
