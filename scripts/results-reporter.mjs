/**
 * A reporter for node:test that writes one JSON line for each finished test, for whoever runs several processes, and
 * one for what the process took before its first test.
 */
import { relative } from 'node:path';
import { inspect } from 'node:util';
import { ownSeconds } from './processor-time.mjs';
import { root } from './progress.mjs';

export default async function* results(events) {
  let counted;
  for await (const { type, data } of events) {
    if (type === 'test:dequeue' && counted === undefined) {
      counted = ownSeconds();
      yield `${JSON.stringify({ beforeTests: counted })}\n`;
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, file = '', line, nesting, skip, details } = data;
    const top = nesting === 0;
    // Those of one process come one after another, so what was taken since the one before is this one's.
    const cpu = top ? ownSeconds() - counted : undefined;
    if (top) counted += cpu;
    yield `${JSON.stringify({
      ok: type === 'test:pass' && !cancelled(details),
      suite: details.type === 'suite',
      name,
      place: `${relative(root, file)}:${line}`,
      file: relative(root, file),
      top,
      cpu,
      ms: details.duration_ms,
      ...(skip === undefined || skip === false ? {} : { skip: skip === true ? 'no reason given' : skip }),
      ...(type === 'test:fail' ? { error: errorText(details.error) } : {}),
      ...(cancelled(details) ? { cancelled: true } : {}),
    })}\n`;
  }
}

const cancelled = ({ error }) => error?.failureType === 'cancelledByParent' || error?.failureType === 'testAborted';

/** What was thrown, without the runner's own wrapping. */
const errorText = (error) => inspect(error?.cause ?? error, { depth: 6, colors: false });
