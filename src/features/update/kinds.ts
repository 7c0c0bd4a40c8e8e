/** How this installation came here, and what every way of updating it has in common. */
import { parseJson } from '../../core/parse-json.ts';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CodeVersion, UpdateStatus } from './update-service.ts';
import { readTextIfExists, realPathIfExists, statIfExists } from '../../platform/files.ts';
import { mayWrite } from './platform/may-write.ts';
import type { Outcome, Steps } from './steps.ts';

/** What there is to take. Without `available`: why nothing is taken; `failed`: because it could not even be asked. */
export interface UpdateCheck {
  readonly current: CodeVersion;
  readonly available?: NonNullable<UpdateStatus['available']>;
  readonly reason?: string;
  readonly advice?: string;
  readonly failed?: boolean;
}

/** `intact`: the old code is in place, whole. */
export type Taken =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly advice: string; readonly intact?: boolean };

export type Install =
  | { readonly mode: 'git' }
  | { readonly mode: 'npm'; readonly name: string }
  | { readonly mode: 'none'; readonly reason: string; readonly advice: string };

/** A checkout of its own, or a global npm package this user may write. */
export async function findInstall(root: string, steps: Pick<Steps, 'ask'>): Promise<Install> {
  if (await statIfExists(join(root, '.git'))) return checkout(root, steps);
  const name = await nameAt(root);
  const folder = name?.includes('/') ? dirname(dirname(root)) : dirname(root);
  if (name === undefined || basename(folder) !== 'node_modules' || join(folder, name) !== root)
    return none(
      'not-git-install',
      `${root} is neither a git checkout nor a global npm package. Update it the way it was installed.`,
    );
  const globalRoot = await steps.ask('npm', 'root', '--global');
  if (!globalRoot.ok)
    return none('npm-unavailable', `npm failed (${globalRoot.failed}). Install npm, or update manually.`);
  if ((await realPathIfExists(globalRoot.text)) !== (await realPathIfExists(folder)))
    return none(
      'not-global-install',
      `It belongs to the project in ${dirname(folder)}, not to the npm on PATH. Update it there.`,
    );
  if (!(await mayWrite(folder)) || !(await mayWrite(root)))
    return none(
      'not-writable',
      `This user may not write ${folder}. Update it as the user who installed it: npm install --global ${name}@latest`,
    );
  return { mode: 'npm', name };
}

const none = (reason: string, advice: string): Install => ({ mode: 'none', reason, advice });

async function checkout(root: string, steps: Pick<Steps, 'ask'>): Promise<Install> {
  const top = await steps.ask('git', 'rev-parse', '--show-toplevel');
  if (!top.ok) return none('git-unavailable', `git failed in ${root} (${top.failed}).`);
  return (await realPathIfExists(top.text)) === (await realPathIfExists(root))
    ? { mode: 'git' }
    : none('not-git-install', `${root} is part of another repository. Update it there.`);
}

async function manifest(root: string): Promise<{ readonly name?: unknown; readonly version?: unknown }> {
  const value = parseJson((await readTextIfExists(join(root, 'package.json'))) ?? '{}');
  return typeof value === 'object' && value !== null ? value : {};
}

const NAME = /^(?:@[a-z0-9-][a-z0-9._-]*\/)?[a-z0-9-][a-z0-9._-]*$/;

export async function nameAt(root: string): Promise<string | undefined> {
  const { name } = await manifest(root);
  return typeof name === 'string' && NAME.test(name) && !name.startsWith('-') ? name : undefined;
}

export async function versionAt(root: string): Promise<string> {
  const { version } = await manifest(root);
  return typeof version === 'string' && isVersion(version) ? version : 'unknown';
}

/** It is shown to people and told to sessions: what is no version is not. */
export const isVersion = (text: string): boolean => /^\d[\w.+-]{0,63}$/.test(text);

/**
 * Loads the whole new gateway in a process of its own, which runs nothing of it: code that does not load must not
 * replace code that runs.
 */
export async function selfTest(root: string, steps: Steps): Promise<Outcome> {
  const built = join(root, 'dist', 'app.js');
  const entry = (await statIfExists(built)) ? built : join(root, 'src', 'app.ts');
  return steps.run(
    'self-test',
    process.execPath,
    '--input-type=module',
    '--eval',
    `await import(${JSON.stringify(pathToFileURL(entry).href)})`,
  );
}
