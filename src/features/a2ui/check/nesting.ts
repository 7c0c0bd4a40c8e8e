/** Limits the nesting depth of component properties, so that a renderer does not exhaust its stack. */
import { isObject } from '../surface/references.ts';
import { MAX_DEPTH } from '../surface/surface-faults.ts';

const MAX_FUNCTION_DEPTH = 5;

/** What is wrong with it; undefined: nothing. */
export function nestingIssue(props: unknown): string | undefined {
  const { depth, calls } = depthOf(props);
  if (depth > MAX_DEPTH) return `Global recursion limit exceeded: nested more than ${MAX_DEPTH} levels`;
  if (calls > MAX_FUNCTION_DEPTH) return `Recursion limit exceeded: functionCall depth > ${MAX_FUNCTION_DEPTH}`;
  return undefined;
}

/** Without recursion: what is measured may be deeper than the stack. */
function depthOf(value: unknown): { readonly depth: number; readonly calls: number } {
  const open = [{ value, depth: 0, calls: 0 }];
  let [deepest, calls] = [0, 0];
  for (let next = open.pop(); next; next = open.pop()) {
    deepest = Math.max(deepest, next.depth);
    calls = Math.max(calls, next.calls);
    if (deepest > MAX_DEPTH || typeof next.value !== 'object' || next.value === null) continue;
    const called = isObject(next.value) && typeof next.value['call'] === 'string' ? 1 : 0;
    for (const inner of Object.values(next.value))
      open.push({ value: inner, depth: next.depth + 1, calls: next.calls + called });
  }
  return { depth: deepest, calls };
}
