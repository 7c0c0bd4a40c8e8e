/** One gateway per state directory: a lock file that names its owner, and is taken over only from owners that are gone. */
import { join } from 'node:path';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Clock } from '../platform/clock.ts';
import { ensureDir } from '../platform/files.ts';
import { randomId, sha256Hex } from '../platform/ids.ts';
import { createLockFile, isProcessAlive, machineName, processStartTime, readLockFile, refreshLockFile, removeLockFile, replaceLockFile } from '../platform/lock-file.ts';

export interface GatewayLockOptions {
  readonly stateDir: string;
  readonly configPath: string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface GatewayLock extends AsyncDisposable {
  readonly path: string;
  /** Records the port for `status` and for the message a second gateway gets. */
  setPort(port: number): Promise<void>;
}

/** What the file says. `startTime` is the kernel's, so that a recycled pid is not mistaken for the owner. */
export interface LockOwner {
  readonly pid: number;
  readonly createdAt: number;
  readonly configPath: string;
  readonly host: string;
  readonly startTime?: string;
  readonly port?: number;
  /** Tells two locks of one process apart. */
  readonly nonce: string;
}

/** An owner we cannot look at counts as gone when it has not refreshed its file for this long. */
const STALE_AFTER_MS = 30_000;
const REFRESH_EVERY_MS = 10_000;
const ACQUIRE_TIMEOUT_MS = 5_000;
const RETRY_MS = 20;

export const lockPath = (stateDir: string): string => join(stateDir, 'gateway.lock');

/** Throws `AppError('conflict')` while another gateway runs on this state directory. */
export async function acquireGatewayLock({ stateDir, configPath, clock, log }: GatewayLockOptions): Promise<GatewayLock> {
  const path = lockPath(stateDir);
  await ensureDir(stateDir);
  const startTime = await processStartTime(process.pid);
  let owner: LockOwner = { pid: process.pid, createdAt: clock.now(), configPath, host: machineName(), nonce: randomId(), ...(startTime && { startTime }) };
  await take(path, owner, { clock, giveUpAt: clock.monotonic() + ACQUIRE_TIMEOUT_MS });

  const refresher = clock.setInterval(() => {
    // A failing disk shows itself where data is written; a lock that cannot be refreshed is not worth a crash.
    refreshLockFile(path, new Date(clock.now())).catch((error: unknown) => log.warn('gateway.lock.refresh', { error: String(error) }));
  }, REFRESH_EVERY_MS).unref();

  return {
    path,
    async setPort(port) {
      owner = { ...owner, port };
      await replaceLockFile(path, JSON.stringify(owner));
    },
    async [Symbol.asyncDispose]() {
      refresher.cancel();
      const held = await readLockFile(path);
      if (held && parseOwner(held.content)?.nonce === owner.nonce) await removeLockFile(path);
    },
  };
}

interface Attempt { readonly clock: Clock; readonly giveUpAt: number }

/**
 * Creating the file is exclusive. Replacing a dead owner's file is guarded by a lock of its own, named after the very content that is
 * replaced: of several processes that saw the same dead owner one gets it, and who comes later finds the content changed.
 */
async function take(path: string, mine: LockOwner, attempt: Attempt): Promise<void> {
  for (;;) {
    if (await createLockFile(path, JSON.stringify(mine))) return;
    const held = await readLockFile(path);
    if (!held) continue;
    const owner = parseOwner(held.content);
    if (await isRunning(owner, held.refreshedAt, attempt.clock)) throw alreadyRunning(path, owner);
    if (await replaceDead(path, held.content, { mine, attempt })) return;
    await attempt.clock.sleep(RETRY_MS);
  }
}

/** False when somebody else is at it or was faster: look again. */
async function replaceDead(path: string, seen: string, { mine, attempt }: { mine: LockOwner; attempt: Attempt }): Promise<boolean> {
  const guard = `${path}.${sha256Hex(seen).slice(0, 16)}`;
  try {
    await take(guard, mine, attempt);
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict' && attempt.clock.monotonic() < attempt.giveUpAt) return false;
    throw error;
  }
  try {
    if ((await readLockFile(path))?.content !== seen) return false;
    await replaceLockFile(path, JSON.stringify(mine));
    return true;
  } finally {
    await removeLockFile(guard);
  }
}

async function isRunning(owner: LockOwner | undefined, refreshedAt: number, clock: Clock): Promise<boolean> {
  if (!owner || owner.host !== machineName()) return clock.now() - refreshedAt < STALE_AFTER_MS;
  if (!isProcessAlive(owner.pid)) return false;
  const startTime = await processStartTime(owner.pid);
  return owner.startTime === undefined || startTime === undefined || owner.startTime === startTime;
}

/** Undefined for anything another program or a person wrote. */
function parseOwner(content: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(content) as Partial<LockOwner> | null;
    return typeof owner?.pid === 'number' && owner.pid > 0 && typeof owner.host === 'string' ? (owner as LockOwner) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function alreadyRunning(path: string, owner: LockOwner | undefined): AppError {
  if (!owner) return new AppError('conflict', `The lock file ${path} is not readable. If no gateway is running, wait ${STALE_AFTER_MS / 1000} s or remove it.`);
  const where = [`pid ${owner.pid}`, ...(owner.port ? [`port ${owner.port}`] : []), ...(owner.host === machineName() ? [] : [`on ${owner.host}`])].join(', ');
  return new AppError('conflict', `gateway already running (${where}). Stop it first, or give this one its own CLAWDBOT_STATE_DIR.`, { details: { pid: owner.pid, ...(owner.port && { port: owner.port }) } });
}
