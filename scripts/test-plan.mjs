/**
 * Plans the test batches: which files share a process, and which processes start first (the longest, so that none runs
 * alone at the end).
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './progress.mjs';

/**
 * Seconds a kilobyte of test code takes, by where it lies, and with what it shares processes; of the first prefix that
 * fits. Those that share import the same things, a browser among them, or need their temporary files on the disk.
 */
const RATES = [
  ['test/e2e/ui-', 1.2, 'pages'],
  ['src/features/a2ui/viewer', 2, 'pages'],
  ['test/crash/', 2, 'gateways'],
  ['test/e2e/exec', 0.35, 'boxes'],
  ['test/e2e/', 0.35, 'gateways'],
  ['test/security/commands/', 1.9, 'boxes'],
  ['test/security/', 0.4, 'boxes'],
  ['src/channels/', 0.25, 'parts'],
  ['src/features/browser/', 0.6, 'boxes'],
  ['src/features/exec/', 0.25, 'boxes'],
  ['src/features/update/', 0.75, 'programs'],
  ['src/features/', 0.13, 'parts'],
  ['src/documents/', 0.36, 'parts'],
  ['src/pipeline/understanding/media/', 0.4, 'programs'],
  ['src/pipeline/', 0.12, 'parts'],
  ['src/', 0.06, 'parts'],
  ['', 0.2, 'parts'],
];
/**
 * These start hundreds of programs, and for each the system copies the page tables of the process: of one with 100 MB
 * that takes 2 ms of the processor, of one with 700 MB 10 ms and more.
 */
const STARTING_PROGRAMS = new Set(['boxes', 'programs']);
/**
 * Seconds of work in a process: at least, because each one imports the product again, which takes more than a second of
 * the processor; and at most, as a part of all the work, so that the first ones do not end last.
 */
const SHORTEST_SECONDS = 25;
const LONGEST_PART = 1 / 9;
/** Whose batches become shorter towards the end, so that all processes end together: many files of seconds. */
const SHRINKING = 'parts';
/** What such a batch takes of the work of its group that is not yet in one. */
const PART_OF_REST = 1 / 3;
/** What each file took when it last ran here: seconds, and `cpu` of them of the processor. */
const TIMES = join(root, 'node_modules/.cache/tests/took.json');

/** Batches of files, the longest first. `small`: its process should have little memory. */
export function plan(files) {
  const known = knownTimes();
  const timed = files.map((file) => {
    const [, rate, group] = RATES.find(([prefix]) => file.startsWith(prefix));
    return { file, group, seconds: known[file]?.seconds ?? (statSync(join(root, file)).size / 1000) * rate };
  });
  const longest = Math.max(SHORTEST_SECONDS, sumOf(timed) * LONGEST_PART);
  const made = Object.entries(Object.groupBy(timed, ({ group }) => group)).flatMap(([group, files]) =>
    batchesOf(files, { longest, shrinking: group === SHRINKING }).map((batch) => ({
      ...batch,
      small: STARTING_PROGRAMS.has(group),
    })),
  );
  return made.toSorted((a, b) => b.seconds - a.seconds);
}

const sumOf = (files) => files.reduce((sum, { seconds }) => sum + seconds, 0);

/** Neighbours stay together. Those of a group that does not shrink are even, so that none is a small rest. */
function batchesOf(files, { longest, shrinking }) {
  let rest = sumOf(files);
  const even = rest / Math.ceil(rest / longest);
  const made = [];
  for (const { file, seconds } of files) {
    const last = made.at(-1);
    // The last file of a batch may stand over by half.
    if (last && last.seconds + seconds / 2 <= last.aim) {
      last.files.push(file);
      last.seconds += seconds;
    } else {
      const aim = shrinking ? Math.min(longest, Math.max(SHORTEST_SECONDS, rest * PART_OF_REST)) : even;
      made.push({ files: [file], seconds, aim });
    }
    rest -= seconds;
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
