/** Opens a page in the browser of the local user, if there is one. */
import { spawn } from 'node:child_process';
import { childEnv } from './child-env.ts';
import type { Env } from './env.ts';
import { findProgram } from './find-program.ts';

/** What opens a file or an address here; undefined: nobody sits at this machine's screen. */
async function opener(env: Env, platform: NodeJS.Platform): Promise<readonly string[] | undefined> {
  if (env.get('SSH_CONNECTION') ?? env.get('SSH_TTY')) return undefined;
  if (platform === 'darwin') return ['/usr/bin/open'];
  if (platform === 'win32') return ['explorer.exe'];
  const program =
    (env.get('DISPLAY') ?? env.get('WAYLAND_DISPLAY')) === undefined
      ? undefined
      : await findProgram('xdg-open', env.get('PATH'));
  return program === undefined ? undefined : [program];
}

/**
 * `target` is asked for when there is something to open it with; false when nothing here opens pages. What it shows
 * goes on without us.
 */
export async function openPage(
  target: () => Promise<string>,
  env: Env,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [program, ...args] = (await opener(env, platform)) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...args, await target()], { detached: true, stdio: 'ignore', env: childEnv(env.vars) });
  child.unref();
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
}
