/** Runs all test files in batches, several processes at a time, and summarizes the results. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './progress.mjs';
import { temporaryFolders } from './temporary-folder.mjs';
import { plan, rememberTimes } from './test-plan.mjs';
import { batchArgs, testEnv } from './test-process.mjs';
import { batchLine, report, timesByFile } from './test-report.mjs';

/** Tests wait for clocks, sockets and children more than half of the time: other processes work meanwhile. */
const PROCESSES_PER_CORE = 2;
const RESULTS = 'results.jsonl';
/** A gateway in the process of a batch may take the signal for itself, and go on. */
const KILL_AFTER_MS = 5000;

export async function runEverything(files) {
  const started = performance.now();
  const waiting = plan(files);
  const total = waiting.length;
  const folders = temporaryFolders();
  const results = [];
  const running = new Set();
  const stop = () => {
    waiting.length = 0;
    running.forEach((child) => child.kill('SIGTERM'));
    setTimeout(() => running.forEach((child) => child.kill('SIGKILL')), KILL_AFTER_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  const worker = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const done = await runBatch(batch, { folders, running });
      results.push(done);
      console.log(batchLine(done, results.length, total));
    }
  };
  const processes = Math.min(8, PROCESSES_PER_CORE * availableParallelism());
  await Promise.all(Array.from({ length: processes }, worker));
  rememberTimes(timesByFile(results.filter(({ code }) => code === 0)));
  return report(results, { ms: performance.now() - started, cpu: sumOf(results) });
}

/** Undefined where the system does not tell. */
function sumOf(batches) {
  const counted = batches.flatMap(({ cpu }) => cpu ?? []);
  return counted.length > 0 ? counted.reduce((sum, seconds) => sum + seconds, 0) : undefined;
}

function runBatch(batch, { folders, running }) {
  const { files } = batch;
  const temporary = folders.make(files);
  const out = join(temporary, RESULTS);
  const began = performance.now();
  const child = spawn(process.execPath, batchArgs(out, batch), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: testEnv(temporary),
  });
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
      resolve({
        files,
        code: code ?? 1,
        signal,
        output,
        ms: performance.now() - began,
        left: readdirSync(temporary).filter((name) => name !== RESULTS),
        ...readResults(out),
      });
      folders.remove(temporary);
    });
  });
}

function readResults(path) {
  try {
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const tests = lines.filter(({ name }) => name !== undefined);
    const { beforeTests, processor, seconds: cpu } = lines.find((line) => line.processor) ?? {};
    return { tests, beforeTests, processor, cpu };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { tests: [] };
  }
}
