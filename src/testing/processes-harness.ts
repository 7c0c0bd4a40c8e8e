/** A registry of real processes in a temporary folder; at the end, nothing it started may be running or a zombie. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { silentLog } from '../core/log.ts';
import { mainSessionKey } from '../core/session-key.ts';
import {
  createProcesses,
  type ExitedProcess,
  type ProcessesDeps,
  type ProcessRegistry,
  type Started,
} from '../features/exec/processes/create-processes.ts';
import type { ProcessSpec } from '../features/exec/processes/process-spec.ts';
import { systemClock } from '../platform/clock.ts';
import { sha256Hex } from '../platform/ids.ts';
import { marksOf, processTable } from '../features/exec/platform/process-table.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';
import { surfaceAuthority } from './sample-authority.ts';

export interface ProcessHarness extends AsyncDisposable {
  readonly dir: string;
  readonly registry: ProcessRegistry;
  /** Whose end was told of, in order. */
  readonly exits: readonly ExitedProcess[];
  /** Starts `bash -c command`. */
  start(command: string, more?: Partial<ProcessSpec>): Promise<Started>;
  background(command: string, more?: Partial<ProcessSpec>): Promise<Started>;
  /** What runs of all that was started, by number and name. */
  alive(): Promise<readonly string[]>;
}

export const specOf = (command: string, more: Partial<ProcessSpec> = {}): ProcessSpec => ({
  owner: {
    agentId: 'main',
    sessionKey: mainSessionKey('main'),
    replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } },
    turnId: 'turn',
    callId: 'call',
    authority: surfaceAuthority(),
  },
  command,
  argv: ['/bin/bash', '-c', command],
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir() },
  cwd: tmpdir(),
  host: 'gateway',
  pty: false,
  timeoutMs: 60_000,
  spoolMaxBytes: 64 * 1024 * 1024,
  ...more,
});

export async function processHarness(more: Partial<ProcessesDeps> = {}): Promise<ProcessHarness> {
  const temp = more.dir === undefined ? await tempDir('processes') : undefined;
  const dir = more.dir ?? temp!.path;
  const exits: ExitedProcess[] = [];
  const registry = createProcesses({
    dir,
    clock: systemClock,
    log: silentLog,
    cleanupMs: () => 1_800_000,
    ownerExists: () => true,
    onExit: async (ended) => void exits.push(ended),
    ...more,
  });
  const start = async (command: string, more: Partial<ProcessSpec> = {}): Promise<Started> => {
    const started = await registry.start(specOf(command, more));
    assert.ok(!('problem' in started), 'problem' in started ? started.problem : '');
    return started;
  };
  return {
    dir,
    registry,
    exits,
    start,
    async background(command, more) {
      const started = await start(command, more);
      await started.toBackground();
      return started;
    },
    alive: () => aliveIn(dir),
    async [Symbol.asyncDispose]() {
      for (const { sessionId } of await registry.list()) await registry.of(undefined).remove(sessionId);
      await registry.suspend();
      await until(
        async () =>
          (await aliveIn(dir, { keeper: true })).length === 0 &&
          !(await processTable()).some(({ zombie, parent }) => zombie && parent === process.pid),
      );
      await temp?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * What runs and carries the mark of a registry on that folder; `keeper`: also who holds inputs open, who goes a little
 * later.
 */
export async function aliveIn(dir: string, { keeper = false } = {}): Promise<readonly string[]> {
  const rows = await processTable();
  const marks = await marksOf(rows.map(({ pid }) => pid));
  const ours = (mark: string | undefined): boolean =>
    mark !== undefined && mark.endsWith(`@${sha256Hex(dir).slice(0, 12)}`) && (keeper || !mark.startsWith('.'));
  return rows.filter(({ pid, zombie }) => !zombie && ours(marks.get(pid))).map(({ pid, name }) => `${pid} ${name}`);
}

/** Waits for what a poll brings, collecting all of it, until `done` says so. */
export async function pollUntil(
  registry: ProcessRegistry,
  id: string,
  done: (output: string, status: string) => boolean,
): Promise<string> {
  let all = '';
  await until(async () => {
    const polled = await registry.of(undefined).poll(id, { waitMs: 500, signal: new AbortController().signal });
    assert.ok(typeof polled === 'object', `poll says ${String(polled)}`);
    all += polled.output;
    return done(all, polled.view.status);
  });
  return all;
}
