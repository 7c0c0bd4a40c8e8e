/** A short name for a command: its verb and first argument. Pure. */

const MAX_NAME = 48;
/** Enough of a command to find its name in. */
const MAX_SCANNED = 2000;
const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\]|["'\\])+/gs;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * `FOO=1 npm run build --x` → `npm run`; at most 48 characters, shortened in the middle. Never shows variables set
 * before the command.
 */
export function nameOf(command: string): string {
  const words = command.slice(0, MAX_SCANNED).match(WORD) ?? [];
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  if (first < 0) return shortened((words[0] ?? '').replace(/=.*$/s, '='));
  const [verb, ...rest] = words.slice(first);
  const about = rest.find((word) => !word.startsWith('-'));
  return shortened([verb, about].flatMap((word) => (word === undefined ? [] : [bare(word)])).join(' '));
}

const bare = (word: string): string =>
  word
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(/\s+/g, ' ')
    .trim();

function shortened(name: string): string {
  const letters = [...name];
  if (letters.length <= MAX_NAME) return name;
  const head = Math.ceil((MAX_NAME - 1) / 2);
  return `${letters.slice(0, head).join('')}…${letters.slice(letters.length - (MAX_NAME - 1 - head)).join('')}`;
}
