/** Runs all test files in batches, several processes at a time, and sums up what came of them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './progress.mjs';
import { nodeTestArgs, testEnv } from './test-process.mjs';

/** Folders whose tests start whole gateways, browsers or sandboxes: their files come first, few in a batch. */
const HEAVY = ['test/crash', 'test/power-loss', 'test/e2e', 'test/security', 'src/features/exec', 'ui'];
/** Kills real processes at named points and counts what is lost: first, with the machine to itself. */
const ALONE = ['test/crash/', 'test/power-loss/'];
/** Bytes of test code in a batch; of heavy files, a fifth. */
const BATCH_BYTES = 250_000;

export async function runEverything(files, options) {
  const started = performance.now();
  const planned = batches(files);
  const isAlone = ({ files: [first] }) => ALONE.some((prefix) => first.startsWith(prefix));
  const alone = planned.filter(isAlone);
  const together = planned.filter((batch) => !isAlone(batch));
  const total = planned.length;
  const folder = mkdtempSync(join(tmpdir(), 'clawdbot-tests-'));
  const results = [];
  const running = new Set();
  const stop = () => {
    alone.length = 0;
    together.length = 0;
    running.forEach((child) => child.kill('SIGTERM'));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  const worker = async (waiting) => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const done = await runBatch(batch, { options, folder, running });
      results.push(done);
      console.log(batchLine(done, results.length, total));
    }
  };
  try {
    await worker(alone);
    const processes = Math.min(4, Math.max(2, availableParallelism()));
    await Promise.all(Array.from({ length: processes }, () => worker(together)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return report(results, performance.now() - started);
}

/** The heavy ones first, so that no process is left alone with them at the end; neighbours share what they import. */
function batches(files) {
  const rank = (file) => {
    const at = HEAVY.findIndex((prefix) => file.startsWith(`${prefix}/`));
    return at === -1 ? HEAVY.length : at;
  };
  const sorted = files.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const made = [];
  for (const file of sorted) {
    const heavy = rank(file) < HEAVY.length;
    const folder = heavy ? HEAVY[rank(file)] : '';
    const size = statSync(join(root, file)).size * (heavy ? 5 : 1);
    const last = made.at(-1);
    if (last && last.folder === folder && last.size + size <= BATCH_BYTES) {
      last.files.push(file);
      last.size += size;
    } else made.push({ folder, size, files: [file] });
  }
  return made;
}

function runBatch({ files }, { options, folder, running }) {
  const out = join(folder, `${files[0].replaceAll('/', '-')}.jsonl`);
  const began = performance.now();
  const child = spawn(
    process.execPath,
    nodeTestArgs({ [join(root, 'scripts/results-reporter.mjs')]: out }, options, files),
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: testEnv() },
  );
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output = (output + text).slice(-20_000)));
  return new Promise((resolve) => {
    // Not 'close': a process that a test left behind would hold the output open, and the suite with it.
    child.on('exit', (code, signal) => {
      running.delete(child);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ files, code: code ?? 1, signal, output, ms: performance.now() - began, tests: readResults(out) });
    });
  });
}

function readResults(path) {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [];
  }
}

const leaves = ({ tests }) => tests.filter(({ suite }) => !suite);
const failed = ({ tests }) =>
  tests.filter(({ ok, suite, error }) => !ok && (!suite || !/subtests? failed/.test(error)));
/** The process ended without a test that says why. */
const broke = (batch) => batch.code !== 0 && failed(batch).length === 0;

function batchLine(batch, done, total) {
  const { files, ms } = batch;
  const where =
    files.length === 1 ? files[0] : `${dirname(files[0])} … ${dirname(files.at(-1))} (${files.length} files)`;
  const mark = batch.code === 0 ? '✓' : '✗';
  return `${mark} ${done}/${total} ${where}: ${leaves(batch).length} tests, ${(ms / 1000).toFixed(1)} s`;
}

/** The closing lines are those of node's own reporter; the exit code says whether all is well. */
function report(batchesDone, ms) {
  const tests = batchesDone.flatMap(leaves);
  const failures = batchesDone.flatMap(failed);
  const broken = batchesDone.filter(broke);
  printSkipped(tests.filter(({ skip }) => skip !== undefined));
  printSlowest(batchesDone.flatMap((batch) => batch.tests));
  if (failures.length + broken.length > 0) console.log('\n✖ failing tests:');
  for (const { place, name, ms: took, error } of failures)
    console.log(`\ntest at ${place}\n✖ ${name} (${took.toFixed(0)} ms)\n${indented(error)}`);
  for (const { files, code, signal, output } of broken)
    console.log(
      `\n✖ a process ended with ${signal ?? code} before its tests did: ${files.join(' ')}\n${indented(output)}`,
    );
  const cancelled = tests.filter((test) => test.cancelled).length;
  const lines = {
    tests: tests.length,
    suites: batchesDone.flatMap((batch) => batch.tests).filter(({ suite }) => suite).length,
    pass: tests.filter(({ ok, skip }) => ok && skip === undefined).length,
    fail: Math.max(failures.length - cancelled, 0) + broken.length,
    cancelled,
    skipped: tests.filter(({ skip }) => skip !== undefined).length,
    todo: 0,
    duration_ms: Math.round(ms),
  };
  console.log(
    `\n${Object.entries(lines)
      .map(([name, value]) => `ℹ ${name} ${value}`)
      .join('\n')}`,
  );
  return batchesDone.every(({ code }) => code === 0) && failures.length === 0 ? 0 : 1;
}

function printSkipped(tests) {
  for (const [reason, all] of Map.groupBy(tests, ({ skip }) => skip))
    console.log(`\nskipped (${reason}):\n${all.map(({ name, file }) => `  ${name} (${file})`).join('\n')}`);
}

function printSlowest(tests) {
  const files = new Map();
  for (const { top, file, ms } of tests) if (top) files.set(file, (files.get(file) ?? 0) + ms);
  const slowest = [...files].sort(([, a], [, b]) => b - a).slice(0, 15);
  console.log('\nThe slowest files:');
  for (const [file, ms] of slowest) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
}

const indented = (text) =>
  text
    .trim()
    .split('\n')
    .slice(0, 60)
    .map((line) => `  ${line}`)
    .join('\n');
