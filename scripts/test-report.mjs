/** Prints the summary of a test run in the format of Node's reporter: failed, skipped and slow tests. */
import { dirname } from 'node:path';

const LARGEST = 15;

const leaves = ({ tests }) => tests.filter(({ suite }) => !suite);
const failed = ({ tests }) =>
  tests.filter(({ ok, suite, error }) => !ok && (!suite || !/subtests? failed/.test(error)));
/** The process ended without a test that says why. */
const broke = (batch) => batch.code !== 0 && failed(batch).length === 0;

/** One line for a process that ended. */
export function batchLine(batch, done, total) {
  const { files, ms, cpu, left } = batch;
  const where =
    files.length === 1 ? files[0] : `${dirname(files[0])} … ${dirname(files.at(-1))} (${files.length} files)`;
  const mark = batch.code === 0 ? '✓' : '✗';
  const busy = cpu === undefined ? '' : `, ${cpu.toFixed(1)} s of processor`;
  const rest = left.length === 0 ? '' : `\n  left in the temporary folder: ${left.join(' ')}`;
  const names = failed(batch).map(({ name, place, error }) => `\n  ✖ ${name} (${place})\n${indented(error, 12)}`);
  const counts = `${leaves(batch).length} tests, ${(ms / 1000).toFixed(1)} s${busy}`;
  return `${mark} ${done}/${total} ${where}: ${counts}${rest}${names.join('')}`;
}

/** Prints the closing lines and answers the exit code, which says whether all is well. `cpu`: seconds, where known. */
export function report(batches, { ms, cpu }) {
  const tests = batches.flatMap(leaves);
  const failures = batches.flatMap(failed);
  const broken = batches.filter(broke);
  printSkipped(tests.filter(({ skip }) => skip !== undefined));
  printLargest(batches);
  printFailures(failures, broken);
  const cancelled = tests.filter((test) => test.cancelled).length;
  const lines = {
    tests: tests.length,
    suites: batches.flatMap((batch) => batch.tests).filter(({ suite }) => suite).length,
    pass: tests.filter(({ ok, skip }) => ok && skip === undefined).length,
    fail: Math.max(failures.length - cancelled, 0) + broken.length,
    cancelled,
    skipped: tests.filter(({ skip }) => skip !== undefined).length,
    todo: 0,
    duration_ms: Math.round(ms),
    ...(cpu === undefined ? {} : { cpu_seconds: Math.round(cpu) }),
  };
  console.log(
    `\n${Object.entries(lines)
      .map(([name, value]) => `ℹ ${name} ${value}`)
      .join('\n')}`,
  );
  return batches.every(({ code }) => code === 0) && failures.length === 0 ? 0 : 1;
}

function printFailures(failures, broken) {
  if (failures.length + broken.length > 0) console.log('\n✖ failing tests:');
  for (const { place, name, ms: took, error } of failures)
    console.log(`\ntest at ${place}\n✖ ${name} (${took.toFixed(0)} ms)\n${indented(error)}`);
  for (const { files, code, signal, output } of broken)
    console.log(
      `\n✖ a process ended with ${signal ?? code} before its tests did: ${files.join(' ')}\n${indented(output)}`,
    );
}

function printSkipped(tests) {
  for (const [reason, all] of Map.groupBy(tests, ({ skip }) => skip))
    console.log(`\nskipped (${reason}):\n${all.map(({ name, file }) => `  ${name} (${file})`).join('\n')}`);
}

/** File → `seconds` it took, and `cpu`: seconds of processor, where known. Each file is in one batch. */
export const timesByFile = (batches) => new Map(batches.flatMap(({ processor = {} }) => Object.entries(processor)));

function printLargest(batches) {
  const files = [...timesByFile(batches)];
  const column = (number) => `${number.toFixed(1).padStart(6)} s`;
  for (const [title, of] of [
    ['The slowest files, and what they take of the processor', ({ seconds }) => seconds],
    ['The files that take most of the processor', ({ cpu }) => cpu],
  ]) {
    const largest = files.toSorted(([, a], [, b]) => of(b) - of(a)).slice(0, LARGEST);
    console.log(`\n${title}:`);
    for (const [file, { seconds, cpu }] of largest) console.log(`  ${column(seconds)} ${column(cpu)}  ${file}`);
  }
  const importing = batches.reduce((sum, { beforeTests = 0 }) => sum + beforeTests, 0);
  console.log(
    `\n${batches.length} processes took ${importing.toFixed(1)} s of processor until their first test began.`,
  );
}

const indented = (text, lines = 60) =>
  text
    .trim()
    .split('\n')
    .slice(0, lines)
    .map((line) => `  ${line}`)
    .join('\n');
