/** A newer release for a global npm installation: exactly that version, tried; else the old one again. */
import { parseJson } from '../../core/parse-json.ts';
import { isPlainObject } from '../../config/paths.ts';
import { nameAt, selfTest, versionAt, type UpdateCheck, type Taken } from './kinds.ts';
import type { Steps } from './steps.ts';

const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund'] as const;
const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?$/;

/** Asks the registry: the one this user has set, whatever a file beside the program says (`--global`). */
export async function checkNpm(root: string, name: string, steps: Steps): Promise<UpdateCheck> {
  const version = await versionAt(root);
  const current = { version };
  const lookup = await steps.run('look up', 'npm', 'view', `${name}@latest`, 'version', '--json', '--global');
  const latest = versionOf(lookup.text);
  if (!lookup.ok || latest === undefined)
    return {
      current,
      failed: true,
      reason: 'registry-failed',
      advice: `npm view ${lookup.failed ?? 'did not return a version'}. Is the registry reachable?`,
    };
  if (!isNewer(latest, version)) return { current, reason: 'up-to-date', advice: `${version} is the newest release.` };
  return { current, available: { version: latest } };
}

export async function takeFromNpm(
  root: string,
  { name, current, available }: { readonly name: string } & Required<Pick<UpdateCheck, 'current' | 'available'>>,
  steps: Steps,
  back: Steps,
): Promise<Taken> {
  const installed = await steps.run('install', 'npm', 'install', '--global', `${name}@${available.version}`, ...FLAGS);
  // By the name inside the next update would be asked for.
  const arrived = installed.ok && (await versionAt(root)) === available.version && (await nameAt(root)) === name;
  const tried = arrived ? await selfTest(root, steps) : installed;
  if (arrived && tried.ok) return { ok: true };
  const reason = arrived ? 'self-test-failed' : 'install-failed';
  const restored = await back.run(
    'back: install',
    'npm',
    'install',
    '--global',
    `${name}@${current.version}`,
    ...FLAGS,
  );
  const advice = restored.ok
    ? `${current.version} is installed again.`
    : `${current.version} could not be installed again either: run \`npm install --global ` +
      `${name}@${current.version}\`.`;
  return {
    ok: false,
    reason,
    advice: `The update ${tried.failed ?? 'did not arrive'} (${reason}). ${advice}`,
    intact: restored.ok,
  };
}

/** npm answers a JSON text, of several a list. */
function versionOf(text: string): string | undefined {
  const value = parseJson(text);
  const last: unknown = Array.isArray(value) ? value.at(-1) : isPlainObject(value) ? undefined : value;
  return typeof last === 'string' && VERSION.test(last) ? last : undefined;
}

/** By number; a release is newer than what came before it under the same number. Never back. */
export function isNewer(candidate: string, than: string): boolean {
  const [a, b] = [VERSION.exec(candidate), VERSION.exec(than)];
  if (!a || !b) return false;
  for (const part of [1, 2, 3]) if (Number(a[part]) !== Number(b[part])) return Number(a[part]) > Number(b[part]);
  if (a[4] === undefined || b[4] === undefined) return a[4] === undefined && b[4] !== undefined;
  return a[4].localeCompare(b[4], 'en', { numeric: true }) > 0;
}
