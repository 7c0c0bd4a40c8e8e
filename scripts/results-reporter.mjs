/**
 * A reporter for node:test that writes one JSON line for each finished test, for whoever runs several processes, and
 * one at the end for what the processor was taken for.
 */
import { relative } from 'node:path';
import { inspect } from 'node:util';
import { taken } from './processor-time.mjs';
import { root } from './progress.mjs';

export default async function* results(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const { name, file = '', line, nesting, skip, details } = data;
    yield `${JSON.stringify({
      ok: type === 'test:pass' && !cancelled(details),
      suite: details.type === 'suite',
      name,
      place: `${relative(root, file)}:${line}`,
      file: relative(root, file),
      top: nesting === 0,
      ms: details.duration_ms,
      ...(skip === undefined || skip === false ? {} : { skip: skip === true ? 'no reason given' : skip }),
      ...(type === 'test:fail' ? { error: errorText(details.error) } : {}),
      ...(cancelled(details) ? { cancelled: true } : {}),
    })}\n`;
  }
  const { beforeTests, files } = taken;
  yield `${JSON.stringify({ beforeTests, processor: files })}\n`;
}

const cancelled = ({ error }) => error?.failureType === 'cancelledByParent' || error?.failureType === 'testAborted';

/** What was thrown, without the runner's own wrapping. */
const errorText = (error) => inspect(error?.cause ?? error, { depth: 6, colors: false });
