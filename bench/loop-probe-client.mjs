/** Starts a gateway with `bench/loop-probe.mjs` loaded, and queries the probe. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './processes.mjs';

const POLL_MS = 10;
const MAX_POLLS = 500;

/** The flags and the environment of such a gateway, whose probe answers in a file in `dir`. */
export function withProbe(dir) {
  const file = join(dir, 'probe.json');
  return { file, flags: ['--import', `${ROOT}bench/loop-probe.mjs`], env: { BENCH_LOOP_FILE: file } };
}

/** `{ p99, max, timers }`: how late the event loop ran since the last time, ms, and how many timers are armed. */
export async function askProbe(gateway, { file }) {
  rmSync(file, { force: true });
  process.kill(gateway.pid, 'SIGUSR2');
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    await sleep(POLL_MS);
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  throw new Error('The probe in the gateway did not answer.');
}
