/** Shows a model what nodes answered: as JSON between marks, because names, output and places are their own words. */
import { attachingNothing, textResult, type ToolResult } from '../../../../sdk/index.ts';
import { inertValue, wrapUntrusted } from '../../../../sdk/untrusted.ts';

const MAX_CHARS = 200_000;

/** A gateway of another release lists them with its nodes. */
const withoutTokens = (key: string, value: unknown): unknown => (/token$/i.test(key) ? undefined : value);

/** What is long is cut, and says so. A node attaches nothing to the answer of an agent. */
export function shown(payload: unknown): ToolResult {
  const details = inertValue(JSON.parse(JSON.stringify(payload ?? null, withoutTokens)));
  const text = JSON.stringify(details, null, 2);
  const fitting = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n[… cut]` : text;
  return textResult(wrapUntrusted(fitting, { source: 'Node' }), attachingNothing(details));
}
