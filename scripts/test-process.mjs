/** How one process of tests is started: the options of `node --test` that hold for all of them. */
import { join } from 'node:path';
import { root } from './progress.mjs';

/** Milliseconds after which a test that neither passed nor failed has failed. */
const TEST_TIMEOUT = 180_000;

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

/** What was compiled once is shared by all processes, those that tests start included. */
export const testEnv = () => ({ ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/tests') });
