/** The last thing a program said before it failed, to stand behind a sentence of ours. */
import { redactText } from '../../platform/redact.ts';
import { head } from '../../core/cut.ts';

const MAX_CHARS = 300;

/** `: no such model`, or nothing; secrets it may repeat from its environment are masked. */
export function lastWords(stderr: string): string {
  const last = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .findLast((line) => line !== '');
  return last === undefined ? '' : `: ${head(redactText(last), MAX_CHARS)}`;
}
