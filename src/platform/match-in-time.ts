/** Matches configured patterns with a time limit: a badly written pattern may backtrack for a very long time. */
import { createContext, Script, type Context } from 'node:vm';

/** A pattern takes microseconds on a message, or it does not come to an end. */
const TIMEOUT_MS = 100;
/** Once may be the load of the machine. */
const MAX_LATE = 3;

/** Whether the pattern is found in the text; one that takes too long is not. */
export type Matcher = (pattern: RegExp, text: string) => boolean;

/** `onGivenUp`: called once for a pattern that was too slow several times and is not used any more. */
export function createMatcher({ onTimeout }: { onTimeout(source: string): void }): Matcher {
  const parts: { context?: Context; script?: Script } = {};
  const late = new Map<string, number>();
  return (pattern, text) => {
    const times = late.get(pattern.source) ?? 0;
    if (times >= MAX_LATE) return false;
    const context = Object.assign((parts.context ??= createContext({})), { pattern, text });
    try {
      return (
        (parts.script ??= new Script('pattern.test(text)')).runInContext(context, { timeout: TIMEOUT_MS }) === true
      );
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      late.set(pattern.source, times + 1);
      if (times + 1 === MAX_LATE) onTimeout(pattern.source);
      return false;
    }
  };
}
