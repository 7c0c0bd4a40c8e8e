/** The worker thread of transforms: loads the owner's file, calls its function, and returns the result as JSON. */
import { answerQuestions } from '../../platform/worker.ts';
import type { TransformAnswer, TransformQuestion } from './transform.ts';

const MAX_CHARS = 500_000;

answerQuestions(async ({ url, export: wanted, facts }: TransformQuestion): Promise<TransformAnswer> => {
  try {
    const module = (await import(url)) as Record<string, unknown>;
    const name = wanted ?? ['default', 'transform'].find((known) => typeof module[known] === 'function') ?? 'default';
    const transform = Object.hasOwn(module, name) ? module[name] : undefined;
    if (typeof transform !== 'function') return { kind: 'failed', why: `it exports no function "${name}"` };
    const value: unknown = await transform({
      ...facts,
      url: new URL(`http://hook.invalid/${facts.path}?${new URLSearchParams(facts.query)}`),
    });
    const json = value === undefined ? undefined : JSON.stringify(value);
    return json !== undefined && json.length > MAX_CHARS
      ? { kind: 'failed', why: `it returned more than ${MAX_CHARS} characters` }
      : { kind: 'value', json };
  } catch (error) {
    // Whatever the owner's code throws: the gateway writes it to its log, and the caller hears nothing of it.
    return { kind: 'failed', why: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
});
