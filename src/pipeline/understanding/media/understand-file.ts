/** One file through the entries in order, until one gives text. */
import type { MediaEntry } from '../../../config/understanding-config.ts';
import type { Attempt } from '../../../core/understanding.ts';
import type { Question } from './entries/ask-vendor.ts';
import { isCommand } from './entries/configured-entries.ts';
import { tryEntry, type TryDeps } from './entries/try-entry.ts';

export interface FileQuestion extends Omit<Question, 'entry'> {
  readonly entries: readonly MediaEntry[];
  /** Nobody named these entries: a recording that was sent to one vendor and failed there goes to no other. */
  readonly auto: boolean;
}

export interface Understood {
  readonly attempts: readonly Attempt[];
  readonly chosen?: Attempt;
  /** With `chosen`. */
  readonly text?: string;
}

/** Rejects only with `aborted`. */
export async function understandFile({ entries, auto, ...question }: FileQuestion, deps: TryDeps): Promise<Understood> {
  const attempts: Attempt[] = [];
  const staysHere = auto && question.capability === 'audio';
  let sent = false;
  for (const entry of entries) {
    if (sent && staysHere && !isCommand(entry)) continue;
    const tried = await tryEntry({ ...question, entry }, deps);
    attempts.push(tried.attempt);
    if (tried.text) return { attempts, chosen: tried.attempt, text: tried.text };
    sent ||= tried.sent;
  }
  return { attempts };
}
