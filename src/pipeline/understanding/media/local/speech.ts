/** What pocketsphinx heard: one line per utterance from version 0.8, JSON lines from version 5. */
import { parsed } from './last-json-object.ts';

/** The words on one line; what it calls silence and noise (`<sil>`, `[SPEECH]`, `++NOISE++`) is left out. */
export function spokenWords({ stdout }: { readonly stdout: string }): string {
  return stdout
    .split('\n')
    .map(utterance)
    .join(' ')
    .replace(/<\/?s(il)?>|\[[A-Z]+\]|\+\+\w+\+\+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Version 5 puts the text in `t`. */
function utterance(line: string): string {
  const text = parsed(line)?.['t'];
  return typeof text === 'string' ? text : line;
}
