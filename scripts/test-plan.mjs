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
  ['test/e2e/ui-', 1.2],
  ['test/crash/', 2],
  ['test/e2e/exec', 0.35],
  ['test/e2e/', 0.35],
  ['test/security/commands/', 1.9],
  ['test/security/', 0.4],
  ['src/channels/', 0.25],
  ['src/features/browser/', 0.6],
  ['src/features/exec/', 0.25],
  ['src/features/update/', 0.75],
  ['src/features/', 0.13],
  ['src/documents/', 0.36],
  ['src/pipeline/', 0.12],
  ['src/', 0.06],
  ['', 0.2],
];
/**
 * Seconds of work in a process, and about how many processes there are at most: longer ones would leave others without
 * work at the end, more of them would import the same things more often.
 */
const BATCH_SECONDS = 30;
const BATCHES = 32;
/** What each file took when it last ran here: seconds, and `cpu` of them of the processor. */
const TIMES = join(root, 'node_modules/.cache/tests/took.json');

/** Batches of files, the longest first. */
export function plan(files) {
  const known = knownTimes();
  const timed = files.map((file) => {
    const at = RATES.findIndex(([prefix]) => file.startsWith(prefix));
    return { file, at, seconds: known[file]?.seconds ?? (statSync(join(root, file)).size / 1000) * RATES[at][1] };
  });
  const aim = Math.max(BATCH_SECONDS, sumOf(timed) / BATCHES);
  const made = RATES.flatMap((_, at) =>
    batchesOf(
      timed.filter((file) => file.at === at),
      aim,
    ),
  );
  return made.toSorted((a, b) => b.seconds - a.seconds);
}

const sumOf = (files) => files.reduce((sum, { seconds }) => sum + seconds, 0);

/** Neighbours stay together, and no batch is a small rest of the others. `aim`: seconds. */
function batchesOf(files, aim) {
  const all = sumOf(files);
  const longest = all / Math.ceil(all / aim);
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
  mkdirSync(dirname(TIMES), { recursive: true });
  writeFileSync(TIMES, JSON.stringify({ ...knownTimes(), ...Object.fromEntries(times) }));
}

function knownTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return {};
  }
}
