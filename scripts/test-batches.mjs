/** Runs all test files in batches, several processes at a time, and summarizes the results. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './progress.mjs';
import { plan, rememberTimes } from './test-plan.mjs';
import { batchArgs, testEnv } from './test-process.mjs';
import { batchLine, report, timesByFile } from './test-report.mjs';

/** Tests wait for each other's clocks, sockets and children half of the time: another process works meanwhile. */
const PROCESSES_PER_CORE = 2;

export async function runEverything(files) {
  const started = performance.now();
  const waiting = plan(files);
  const total = waiting.length;
  const folder = mkdtempSync(join(tmpdir(), 'clawdbot-tests-'));
  const results = [];
  const running = new Set();
  const stop = () => {
    waiting.length = 0;
    running.forEach((child) => child.kill('SIGTERM'));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  const worker = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
      const done = await runBatch(batch, { folder, running });
      results.push(done);
      console.log(batchLine(done, results.length, total));
    }
  };
  try {
    const processes = Math.min(8, PROCESSES_PER_CORE * availableParallelism());
    await Promise.all(Array.from({ length: processes }, worker));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  rememberTimes(timesByFile(results.filter(({ code }) => code === 0)));
  return report(results, { ms: performance.now() - started, cpu: sumOf(results) });
}

/** Undefined where the system does not tell. */
function sumOf(batches) {
  const counted = batches.flatMap(({ cpu }) => cpu ?? []);
  return counted.length > 0 ? counted.reduce((sum, seconds) => sum + seconds, 0) : undefined;
}

function runBatch({ files }, { folder, running }) {
  const out = join(folder, `${files[0].replaceAll('/', '-')}.jsonl`);
  const began = performance.now();
  const child = spawn(process.execPath, batchArgs(out, files), {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: testEnv(),
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
        ...readResults(out),
      });
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
