/** The last line a program printed before it failed, to be added to an error message. */
import { redactText } from '../../platform/redact.ts';
import { head } from '../../core/cut.ts';

const MAX_CHARS = 300;

/** `: no such model`, or nothing; secrets it may repeat from its environment are masked. */
export function lastLine(stderr: string): string {
  const last = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .findLast((line) => line !== '');
  return last === undefined ? '' : `: ${head(redactText(last), MAX_CHARS)}`;
}
