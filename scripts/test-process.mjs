/** Starts a test process: with `node --test`, or as a batch of the whole suite. */
import { join } from 'node:path';
import { root } from './progress.mjs';

/** Milliseconds after which a test that neither passed nor failed has failed. */
export const TEST_TIMEOUT = 180_000;

/** `reporters`: name or path → where it writes. */
export const nodeTestArgs = (reporters, options, files) => [
  '--test',
  '--test-isolation=none',
  '--test-force-exit',
  `--test-timeout=${TEST_TIMEOUT}`,
  '--disable-warning=ExperimentalWarning',
  ...Object.entries(reporters).flatMap(([name, destination]) => [
    `--test-reporter=${name}`,
    `--test-reporter-destination=${destination}`,
  ]),
  ...options,
  ...files,
];

/**
 * Megabytes of the young generation: with more of them, less is collected and copied; and of the old one below which
 * nothing in it is collected: to look through it again and again took a twentieth of the processor time.
 */
const [YOUNG_MEGABYTES, OLD_MEGABYTES] = [64, 500];

const LARGE = [
  `--min-semi-space-size=${YOUNG_MEGABYTES}`,
  `--max-semi-space-size=${YOUNG_MEGABYTES}`,
  `--initial-old-space-size=${OLD_MEGABYTES}`,
];

/** `results`: the file that gets them. `small`: with the little memory that Node takes by itself. */
export const batchArgs = (results, { files, small }) => [
  ...(small ? [] : LARGE),
  '--disable-warning=ExperimentalWarning',
  join(root, 'scripts/test-batch.mjs'),
  results,
  ...files,
];

/**
 * What was compiled once is shared by all processes, including those that tests start. `temporary`: the folder for
 * temporary files.
 */
export const testEnv = (temporary) => ({
  ...process.env,
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests'),
  TMPDIR: temporary,
});
