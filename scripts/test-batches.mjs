/** Runs all test files in batches, several processes at a time, and sums up what came of them. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenSeconds } from './processor-time.mjs';
import { root } from './progress.mjs';
import { plan, rememberTimes } from './test-plan.mjs';
import { nodeTestArgs, testEnv } from './test-process.mjs';
import { batchLine, report, timesByFile } from './test-report.mjs';

/** Tests wait for each other's clocks, sockets and children half of the time: another process works meanwhile. */
const PROCESSES_PER_CORE = 2;

export async function runEverything(files, options) {
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
      const done = await runBatch(batch, { options, folder, running });
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
  if (options.length === 0) rememberTimes(timesByFile(results.filter(({ code }) => code === 0)));
  return report(results, { ms: performance.now() - started, cpu: childrenSeconds() });
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
      resolve({
        files,
        code: code ?? 1,
        signal,
        output,
        ms: performance.now() - began,
        cpu: newSeconds(),
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
    return { tests, beforeTests: lines.find(({ beforeTests }) => beforeTests !== undefined)?.beforeTests };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { tests: [] };
  }
}

const counted = { seconds: 0 };

/** Since it was asked for last, which is when the child before this one ended. */
function newSeconds() {
  const all = childrenSeconds();
  if (all === undefined) return undefined;
  const fresh = all - counted.seconds;
  counted.seconds = all;
  return fresh;
}
