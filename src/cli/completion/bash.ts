/** The completion script for bash. */
import type { Choice, Place } from './tree.ts';

/**
 * The words before the first option lead to a place; those that are no command's are arguments and are dropped from the
 * end.
 */
export const bashScript = (
  program: string,
  places: readonly Place[],
): string => `# Completion of ${program} for bash. Made by: ${program} completion bash
_${program}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' options='' values='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ \${COMP_WORDS[i]} == -* ]] && break
    path+="\${path:+ }\${COMP_WORDS[i]}"
  done
  while :; do
    case $path in
${places.map(caseOf).join('\n')}
      *) [[ $path == *' '* ]] || return 0; path=\${path% *}; continue ;;
    esac
    break
  done
  case "$path $prev" in
${places.flatMap(valueCases).join('\n')}
  esac
  if [[ -n $values ]]; then COMPREPLY=($(compgen -W "$values" -- "$cur"))
  elif [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
  else COMPREPLY=($(compgen -W "$words" -- "$cur")); fi
}
complete -o default -F _${program} ${program}
`;

const caseOf = ({ path, words, options }: Place): string =>
  `      '${path}') words='${words.map(({ word }) => word).join(' ')}' ` +
  `options='${options.flatMap(spellings).join(' ')}' ;;`;

const valueCases = ({ path, options }: Place): readonly string[] =>
  options
    .filter(({ values }) => values.length > 0)
    .map(
      (option) =>
        `    ${spellings(option)
          .map((name) => `'${path} ${name}'`)
          .join('|')}) values='${option.values.join(' ')}' ;;`,
    );

const spellings = ({ name, short }: Choice): readonly string[] => (short === undefined ? [name] : [name, short]);
