/** Starts the browser of a local profile, once no other process uses its port. */
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { childEnv } from '../../../platform/child-env.ts';
import { ensureDir } from '../../../platform/files.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import { startChildProgram, type ChildProgram } from '../platform/child-program.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import { findBrowser, type FoundBrowser } from '../../../platform/find-browser.ts';
import { launchArguments } from './launch-options.ts';
import { endOrphan, remember } from './orphaned-browser.ts';
import { endOwner, ownerOfPort } from './owner-of-port.ts';
import { userDataOf } from './user-data.ts';

/** A browser process that this gateway started. */
export interface Launched {
  readonly found: FoundBrowser;
  readonly process: ChildProgram;
  /** The DevTools address: `ws://127.0.0.1:18800/devtools/browser/…`, with the id of this browser. */
  readonly webSocketUrl: string;
  /** The port of its DevTools. */
  readonly port: number;
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
  /** Cancels the start and cleans up. */
  readonly signal: AbortSignal;
  /** Called once the process exists. */
  begun(process: ChildProgram): void;
}

/**
 * The line that Chromium prints when its DevTools listen. Requests to the port could reach another program instead: if
 * 127.0.0.1 is in use, Chromium listens on ::1 without an error.
 */
const LISTENS = /DevTools listening on (ws:\/\/\S+)|Cannot start http server for devtools/;

/**
 * Rejects with `AppError`: `conflict` if another program uses the port, `unavailable` if there is no browser or it does
 * not start.
 */
export async function launch(profile: Profile, folder: string, deps: LaunchDeps): Promise<Launched> {
  if (profile.cdpPort === 0 && !profile.portBySystem)
    throw new AppError('storage', 'No available CDP ports in range: remove a profile, or give this one a cdpPort.');
  const found = await findBrowser({ executablePath: deps.executablePath, path: deps.vars['PATH'] });
  await endOrphan(folder, deps.log);
  if (!profile.portBySystem) await freePortOf(profile, folder);
  const userDataDir = userDataOf(folder);
  await ensureDir(userDataDir);
  deps.signal.throwIfAborted();
  const args = launchArguments({ ...deps, port: profile.cdpPort, userDataDir });
  // Recorded before the process starts, so that the next start of the gateway finds the process even if this one is
  // killed in between.
  await remember(folder, []);
  const process = await startChildProgram({ command: found.path, args, env: childEnv(deps.vars) });
  deps.begun(process);
  try {
    await remember(folder, [process]);
    const webSocketUrl = await whenListening(process, profile, deps.signal);
    const port = Number(new URL(webSocketUrl).port);
    const owner = await ownerOfPort({ port, userDataDir, likely: process.pid });
    if (owner.kind === 'ours' && owner.pid !== process.pid) await remember(folder, [process, owner]);
    deps.log.info('browser.started', { profile: profile.name, pid: process.pid, port });
    return { found, process, webSocketUrl, port };
  } catch (error) {
    await process.end(0);
    throw error;
  }
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

/** Waits until the process ends or the signal fires; there is no other timeout. */
async function whenListening(process: ChildProgram, { name, cdpPort }: Profile, signal: AbortSignal): Promise<string> {
  const said = await process.says(LISTENS, signal);
  if (said?.[1] !== undefined) return said[1];
  if (said)
    throw new AppError(
      'conflict',
      `The browser of the profile "${name}" could not use the port ${cdpPort}. Set ` +
        `browser.profiles.${name}.cdpPort to another one.`,
    );
  throw notStarted(process, `It ended with ${await exitOf(process)}.`);
}

async function exitOf(process: ChildProgram): Promise<string> {
  const { code, signalName } = await process.exited;
  return signalName ?? `exit code ${code}`;
}

/**
 * The last lines of its output explain most failures: a missing library, no display, a sandbox that cannot be created.
 */
export function notStarted(process: ChildProgram, why: string): AppError {
  const said = process.said().trim().split('\n').slice(-4).join('\n');
  return new AppError(
    'unavailable',
    `The browser did not start. ${why}${said === '' ? '' : ` Its last output:\n${said}`}`,
  );
}
