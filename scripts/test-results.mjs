/** The results that `test-batches.mjs` receives from a batch: an object for each finished test, and one at the end. */
import { join, relative } from 'node:path';
import { inspect } from 'node:util';
import { ownSeconds, taken } from './processor-time.mjs';
import { root } from './progress.mjs';

/** Loaded like files of tests: the first and the last of a batch. */
export const COUNTING = join(root, 'scripts/processor-by-file.mjs');
export const ENDING = join(root, 'scripts/exit-after-tests.mjs');

/** Of an event of node:test; undefined for those that finish no test, and for the two files without tests. */
export function resultOf({ type, data }) {
  if (type !== 'test:pass' && type !== 'test:fail') return undefined;
  const { name, file = '', line, nesting, skip, details } = data;
  if (file === COUNTING || file === ENDING) return undefined;
  return {
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
  };
}

/** Of an error that no test waited for; it belongs to the test that runs, or to one before it. */
export function uncaughtResult(event, error) {
  const { name, file } = taken.running;
  return {
    ok: false,
    suite: false,
    name: `${event} during: ${name}`,
    place: file,
    file,
    top: false,
    ms: 0,
    error: errorText(error),
  };
}

/** Of the batch as a whole. */
export function batchResult() {
  const { beforeTests, files, makers } = taken;
  return { beforeTests, processor: files, makers, seconds: ownSeconds() };
}

const cancelled = ({ error }) => error?.failureType === 'cancelledByParent' || error?.failureType === 'testAborted';

/** What was thrown, without the runner's own wrapping. */
const errorText = (error) => inspect(error?.cause ?? error, { depth: 6, colors: false });
