/** The completion script for fish. */
import type { Choice, Place } from './tree.ts';

export const fishScript = (
  program: string,
  places: readonly Place[],
): string => `# Completion of ${program} for fish. Made by: ${program} completion fish
function __${program}_words
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and return
        echo $word
    end
end
function __${program}_at
    test (string join ' ' (__${program}_words)) = "$argv"
end
function __${program}_in
    string match -q -- "$argv *" (string join ' ' (__${program}_words))' '
end
complete -c ${program} -l help -d 'Explain it.'
${places.flatMap((place) => [...wordLines(program, place), ...optionLines(program, place)]).join('\n')}
`;

const wordLines = (program: string, { path, words }: Place): readonly string[] =>
  words.map(
    ({ word, summary }) =>
      `complete -c ${program} -f -n ${quoted(`__${program}_at ${path}`.trim())} -a ${quoted(word)} -d ` +
      `${quoted(summary)}`,
  );

const optionLines = (program: string, { path, options }: Place): readonly string[] =>
  options.map(
    (option) =>
      `complete -c ${program} -n ${quoted(`__${program}_in ${path}`)} ${switches(option)} -d ${quoted(option.help)}`,
  );

const switches = ({ name, short, takes, values }: Choice): string =>
  [
    `-l ${name.slice(2)}`,
    ...(short === undefined ? [] : [`-s ${short.slice(1)}`]),
    ...(values.length > 0 ? [`-x -a ${quoted(values.join(' '))}`] : takes ? ['-r'] : []),
  ].join(' ');

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
