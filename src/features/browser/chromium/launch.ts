/** Starts the browser of a local profile, once nobody else is on its port. */
import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { childEnv } from '../../../platform/child-env.ts';
import { ensureDir, readTextIfExists, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { pause } from '../../../platform/pause.ts';
import { commandLineOf } from '../platform/port-listener.ts';
import { stillRuns } from '../platform/birth.ts';
import { startCompanion, type Companion } from '../platform/companion.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import { readVersion, type BrowserVersion } from './endpoint.ts';
import { findBrowser, type FoundBrowser } from './find-browser.ts';
import { launchArguments } from './launch-options.ts';
import { endOwner, ownerOfPort } from './owner-of-port.ts';

/** A browser that was started here. */
export interface Launched {
  readonly found: FoundBrowser;
  readonly process: Companion;
  readonly version: BrowserVersion;
}

export interface LaunchDeps {
  readonly vars: Readonly<Record<string, string>>;
  readonly linux: boolean;
  readonly log: Log;
  readonly executablePath: string | undefined;
  readonly headless: boolean;
  readonly noSandbox: boolean;
  /** `http://127.0.0.1:4711` */
  readonly proxy: string;
  readonly signal: AbortSignal;
}

const START_MS = 20_000;
const ASK_MS = 1000;
const POLL_MS = 25;

/** What a profile keeps on disk. */
export const userDataOf = (folder: string): string => join(folder, 'user-data');
const recordOf = (folder: string): string => join(folder, 'running.json');

/** The process that was started last, for a gateway that begins after one that was killed. */
interface Running {
  readonly pid: number;
  readonly birth: string;
  readonly port: number;
}

/** Rejects with `AppError`: `conflict` a stranger on the port, `unavailable` no browser or one that does not start. */
export async function launch(profile: Profile, folder: string, deps: LaunchDeps): Promise<Launched> {
  if (profile.cdpPort === 0)
    throw new AppError('storage', 'No available CDP ports in range: remove a profile, or give this one a cdpPort.');
  const found = await findBrowser({ executablePath: deps.executablePath, path: deps.vars['PATH'] });
  await endOrphan(folder, deps.log);
  await freePortOf(profile, folder);
  const userDataDir = userDataOf(folder);
  await ensureDir(userDataDir);
  const args = launchArguments({ ...deps, port: profile.cdpPort, userDataDir });
  const process = await startCompanion({ command: found.path, args, env: childEnv(deps.vars) });
  try {
    const version = await whenUp(process, profile, deps.signal);
    await remember(folder, { port: profile.cdpPort, userDataDir, process });
    deps.log.info('browser.started', { profile: profile.name, pid: process.pid, port: profile.cdpPort });
    return { found, process, version };
  } catch (error) {
    await process.end(0);
    throw error;
  }
}

/** The process of a gateway that was killed is ended: what it goes through is gone with that gateway. */
export async function endOrphan(folder: string, log: Log): Promise<boolean> {
  const known = await readRecord(folder);
  if (!known) return false;
  const line = (await commandLineOf(known.pid)) ?? [];
  const isOurs = line.some((word) => word === `--user-data-dir=${userDataOf(folder)}`);
  const orphan = isOurs && (await stillRuns(known.pid, known.birth));
  if (orphan) {
    log.info('browser.orphan-ended', { pid: known.pid, folder });
    await endOwner(known);
  }
  await forget(folder);
  return orphan;
}

export const forget = (folder: string): Promise<void> => removeIfExists(recordOf(folder));

async function readRecord(folder: string): Promise<Running | undefined> {
  const text = await readTextIfExists(recordOf(folder));
  try {
    const { pid, birth, port } = JSON.parse(text ?? 'null') as Partial<Running>;
    return typeof pid === 'number' && typeof birth === 'string' && typeof port === 'number'
      ? { pid, birth, port }
      : undefined;
  } catch (error) {
    // A record that was cut short, or none.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

async function remember(
  folder: string,
  { port, userDataDir, process }: { readonly port: number; readonly userDataDir: string; readonly process: Companion },
): Promise<void> {
  // What was started may be a script that starts the browser: the one on the port is the browser.
  const owner = await ownerOfPort({ port, userDataDir });
  const { pid, birth } = owner.kind === 'ours' ? owner : process;
  await writeFileAtomic(recordOf(folder), JSON.stringify({ pid, birth, port }), { sync: false });
}

async function freePortOf({ name, cdpPort: port }: Profile, folder: string): Promise<void> {
  const owner = await ownerOfPort({ port, userDataDir: userDataOf(folder) });
  if (owner.kind === 'nobody') return;
  if (owner.kind === 'ours') {
    if (await endOwner(owner)) return;
    throw new AppError(
      'conflict',
      `A browser of the profile "${name}" is left on port ${port} (process ${owner.pid}) and does not end. Run ` +
        `\`${OWN_COMMAND} browser reset-profile --profile ${name}\`, or end it by hand.`,
    );
  }
  const who = owner.pid === undefined ? '' : ` (process ${owner.pid})`;
  throw new AppError(
    'conflict',
    `Port ${port} of the profile "${name}" is taken by another program${who}, which is not a browser of this ` +
      `profile and is left alone. Stop it, or set browser.profiles.${name}.cdpPort to another port.`,
    { details: { port } },
  );
}

/** Polls its DevTools until they answer, it ends, or the time is up. */
async function whenUp(process: Companion, { cdpUrl, name }: Profile, signal: AbortSignal): Promise<BrowserVersion> {
  for (const until = performance.now() + START_MS; performance.now() < until; await pause(POLL_MS, signal)) {
    signal.throwIfAborted();
    if (!process.running) throw notStarted(process, `It ended with ${await exitOf(process)}.`);
    try {
      return await readVersion(cdpUrl, { timeoutMs: ASK_MS });
    } catch (error) {
      if (!(error instanceof AppError) || !['network', 'timeout'].includes(error.code)) throw error;
    }
  }
  throw notStarted(process, `The browser of the profile "${name}" did not answer within ${START_MS / 1000} s.`);
}

async function exitOf(process: Companion): Promise<string> {
  const { code, signalName } = await process.exited;
  return signalName ?? `exit code ${code}`;
}

/** Its own last lines tell most: a missing library, a display that is not there, a sandbox it cannot make. */
function notStarted(process: Companion, why: string): AppError {
  const said = process.said().trim().split('\n').slice(-4).join('\n');
  return new AppError('unavailable', `The browser did not start. ${why}${said === '' ? '' : ` It said:\n${said}`}`);
}
