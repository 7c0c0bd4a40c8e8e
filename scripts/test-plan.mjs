/**
 * Plans the test batches: which files share a process, and which processes start first (the longest, so that none runs
 * alone at the end).
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './progress.mjs';

/**
 * Seconds a kilobyte of test code takes, by where it lies; of the first prefix that fits. Files of one prefix share
 * processes: they import the same things, a browser among them.
 */
const RATES = [
  ['test/e2e/ui-', 2],
  ['test/crash/', 1.3],
  ['test/e2e/', 0.35],
  ['test/security/commands/', 1.7],
  ['test/security/', 0.7],
  ['src/features/exec/', 0.2],
  ['src/features/', 0.1],
  ['src/', 0.06],
  ['', 0.06],
];
/** Seconds of work in a process: more would leave others without any at the end, less would import more often. */
const BATCH_SECONDS = 40;
/** How long each file took when it last ran here. */
const TIMES = join(root, 'node_modules/.cache/tests/times.json');

/** Batches of files, the longest first. */
export function plan(files) {
  const known = knownTimes();
  const made = [];
  for (const [at, [, rate]] of RATES.entries()) {
    const ours = files
      .filter((file) => RATES.findIndex(([prefix]) => file.startsWith(prefix)) === at)
      .map((file) => ({ file, seconds: known[file] ?? (statSync(join(root, file)).size / 1000) * rate }));
    made.push(...batchesOf(ours));
  }
  return made.toSorted((a, b) => b.seconds - a.seconds);
}

/** Neighbours stay together, and no batch is a small rest of the others. */
function batchesOf(files) {
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  const longest = all / Math.ceil(all / BATCH_SECONDS);
  const made = [];
  for (const { file, seconds } of files) {
    const last = made.at(-1);
    // The last file of a batch may stand over by half.
    if (last && last.seconds + seconds / 2 <= longest) {
      last.files.push(file);
      last.seconds += seconds;
    } else made.push({ files: [file], seconds });
  }
  return made;
}

/** `times`: file → what it took, of whole files. */
export function rememberTimes(times) {
  const seconds = Object.fromEntries([...times].map(([file, took]) => [file, took.seconds]));
  mkdirSync(dirname(TIMES), { recursive: true });
  writeFileSync(TIMES, JSON.stringify({ ...knownTimes(), ...seconds }));
}

function knownTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return {};
  }
}
