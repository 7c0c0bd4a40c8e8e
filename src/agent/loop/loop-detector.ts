/** Detects a model that repeats the same call with the same result. */
import { sha256Hex } from '../../platform/ids.ts';
import { textOf, type ToolCallBlock, type ToolResultMessage } from '../../core/transcript.ts';

const WINDOW = 30;

export interface LoopDetector {
  /**
   * How often this very (tool, input, result) was seen among the last calls, this one included.
   * A call that changed something for the first time makes a new situation: what was asked before may be asked again.
   */
  count(call: ToolCallBlock, result: ToolResultMessage, effectful: boolean): number;
}

export function createLoopDetector(): LoopDetector {
  let recent: string[] = [];
  return {
    count(call, result, effectful) {
      const key = sha256Hex(JSON.stringify([call.name, call.arguments, textOf(result.content)]));
      if (effectful && !result.isError && !recent.includes(key)) recent = [];
      recent.push(key);
      if (recent.length > WINDOW) recent.shift();
      return recent.reduce((count, one) => (one === key ? count + 1 : count), 0);
    },
  };
}

export const loopWarning = (count: number): string =>
  `[This is the ${ordinal(count)} time you made exactly this call and got exactly this result. Repeating it ` +
  'will not change anything: do something else, or tell the person what stops you.]';

const ordinal = (n: number): string => `${n}${n === 2 ? 'nd' : n === 3 ? 'rd' : 'th'}`;
