/**
 * Allows one gateway per state directory: a lock of the operating system decides, and a file says which process holds
 * it.
 */
import { parseJson } from '../core/parse-json.ts';
import { join } from 'node:path';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import type { Clock } from '../platform/clock.ts';
import { ensureDir, readTextIfExists, removeIfExists, setMode, writeFileAtomic } from '../platform/files.ts';
import { machineName } from '../platform/machine-name.ts';
import { holdSystemLock } from '../platform/system-lock.ts';

export interface GatewayLockOptions {
  readonly stateDir: string;
  readonly configPath: string;
  readonly clock: Clock;
}

export interface GatewayLock extends AsyncDisposable {
  /** Of the file that tells who holds it. */
  readonly path: string;
  /** Records the port for `status` and for the message a second gateway gets. */
  setPort(port: number): Promise<void>;
}

/** The content of the file. It is only shown: a torn, old or wrong file does not prevent a start. */
export interface LockOwner {
  readonly pid: number;
  readonly createdAt: number;
  readonly configPath: string;
  readonly host: string;
  readonly port?: number;
}

export const lockPath = (stateDir: string): string => join(stateDir, 'gateway.lock');

/** Held, never read: see `holdSystemLock`. */
const heldPath = (stateDir: string): string => join(stateDir, 'gateway.held');

/** A process that was killed is gone before its last thread is, and with that the lock. Milliseconds. */
const LAST_THREADS_MS = 500;
const RETRY_MS = 20;

/** Throws `AppError('conflict')` while another gateway runs on this state directory. */
export async function acquireGatewayLock({ stateDir, configPath, clock }: GatewayLockOptions): Promise<GatewayLock> {
  const path = lockPath(stateDir);
  await ensureDir(stateDir);
  const held = await hold(heldPath(stateDir), clock);
  if (!held) throw alreadyRunning(stateDir, parseOwner((await readTextIfExists(path)) ?? ''));
  const owner: LockOwner = { pid: process.pid, createdAt: clock.now(), configPath, host: machineName() };
  const notify = async (more: Partial<LockOwner> = {}): Promise<void> => {
    await writeFileAtomic(path, JSON.stringify({ ...owner, ...more }), { sync: false });
  };
  try {
    await setMode(heldPath(stateDir), 0o600);
    await notify();
  } catch (error) {
    held[Symbol.dispose]();
    throw error;
  }
  return {
    path,
    setPort: (port) => notify({ port }),
    async [Symbol.asyncDispose]() {
      try {
        await removeIfExists(path);
      } finally {
        held[Symbol.dispose]();
      }
    },
  };
}

async function hold(path: string, clock: Clock): Promise<Disposable | undefined> {
  for (const giveUpAt = clock.monotonic() + LAST_THREADS_MS; ; await clock.sleep(RETRY_MS)) {
    const held = holdSystemLock(path);
    if (held || clock.monotonic() >= giveUpAt) return held;
  }
}

/** Undefined for anything another program or a person wrote. */
function parseOwner(content: string): LockOwner | undefined {
  const owner = parseJson(content) as Partial<LockOwner> | null | undefined;
  return typeof owner?.pid === 'number' && owner.pid > 0 && typeof owner.host === 'string'
    ? (owner as LockOwner)
    : undefined;
}

function alreadyRunning(stateDir: string, owner: LockOwner | undefined): AppError {
  const where = owner
    ? [
        `pid ${owner.pid}`,
        ...(owner.port ? [`port ${owner.port}`] : []),
        ...(owner.host === machineName() ? [] : [`on ${owner.host}`]),
      ]
    : [`on ${stateDir}`];
  return new AppError(
    'conflict',
    `gateway already running (${where.join(', ')}). Stop it first, or set another CLAWDBOT_STATE_DIR.`,
    { details: present({ pid: owner?.pid, port: owner?.port || undefined }) },
  );
}
