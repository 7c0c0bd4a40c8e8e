/** The completion script for zsh. */
import type { Choice, Place } from './tree.ts';

export const zshScript = (program: string, places: readonly Place[]): string => `#compdef ${program}
# Completion of ${program} for zsh. Made by: ${program} completion zsh
_${program}() {
  local at='' word prev=\${words[CURRENT-1]}
  local -a commands options values
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && break
    at+="\${at:+ }$word"
  done
  while true; do
    case $at in
${places.map(caseOf).join('\n')}
      *) [[ $at == *' '* ]] || return 1; at=\${at% *}; continue ;;
    esac
    break
  done
  case "$at $prev" in
${places.flatMap(valueCases).join('\n')}
  esac
  if (( $#values )); then compadd -a values
  elif [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files; fi
}
if [[ $funcstack[1] == _${program} ]]; then _${program} "$@"; else compdef _${program} ${program}; fi
`;

const caseOf = ({ path, words, options }: Place): string => `      '${path}')
        commands=(${words.map(({ word, summary }) => described(word, summary)).join(' ')})
        options=(${[...options.flatMap((option) => spellings(option).map((name) => described(name, option.help))), described('--help', 'Explain it.')].join(' ')}) ;;`;

const valueCases = ({ path, options }: Place): readonly string[] =>
  options
    .filter(({ values }) => values.length > 0)
    .map(
      (option) =>
        `    ${spellings(option)
          .map((name) => `'${path} ${name}'`)
          .join('|')}) values=(${option.values.join(' ')}) ;;`,
    );

const spellings = ({ name, short }: Choice): readonly string[] => (short === undefined ? [name] : [name, short]);

const described = (word: string, help: string): string => `'${word}:${help.replaceAll("'", "'\\''")}'`;
