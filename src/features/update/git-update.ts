/**
 * Newer code for a checkout: fetched, taken only when nothing of the person's is in the way, installed, built, tried;
 * else the old code again.
 */
import { parseJson } from '../../core/parse-json.ts';
import { join } from 'node:path';
import { statIfExists } from '../../platform/files.ts';
import type { Outcome, Steps } from './steps.ts';
import { isVersion, selfTest, versionAt, type UpdateCheck, type Taken } from './kinds.ts';

/** Nothing we depend on needs a script of its own to be installed. */
const INSTALL = ['ci', '--include=dev', '--include=optional', '--ignore-scripts', '--no-audit', '--no-fund'] as const;

/** Fetches, and changes nothing but what git knows of the remote. `step`: the fetch counts as one. */
export async function checkGit(root: string, steps: Steps): Promise<UpdateCheck> {
  const git = (...args: readonly string[]): Promise<Outcome> => steps.ask('git', ...args);
  const version = await versionAt(root);
  const head = await git('rev-parse', '--verify', 'HEAD');
  if (!head.ok)
    return {
      current: { version },
      reason: 'git-unavailable',
      advice: `git cannot read the commit of ${root}: ${head.failed}.`,
    };
  const current = { version, sha: head.text };
  const upstream = await git('rev-parse', '--abbrev-ref', '--symbolic-full-name', '@{upstream}');
  if (!upstream.ok)
    return {
      current,
      reason: 'no-upstream',
      advice: 'The current branch has no upstream. Set one with `git branch --set-upstream-to=origin/main`.',
    };
  const dirty = await git('status', '--porcelain', '--untracked-files=no');
  if (!dirty.ok || dirty.text !== '')
    return {
      current,
      reason: 'dirty',
      advice: 'The checkout has local changes. Commit or stash them (`git stash`), then update.',
    };
  const fetched = await steps.run(
    'fetch',
    'git',
    'fetch',
    '--quiet',
    '--no-tags',
    '--upload-pack=git-upload-pack',
    ...(await remoteOf(steps)),
  );
  if (!fetched.ok)
    return {
      current,
      failed: true,
      reason: 'fetch-failed',
      advice: `git fetch ${fetched.failed}. Is the remote reachable?`,
    };
  const target = await git('rev-parse', '--verify', '@{upstream}');
  const counted = await git('rev-list', '--left-right', '--count', `HEAD...${target.text}`);
  const [ahead = NaN, behind = NaN] = counted.text.split(/\s+/).map(Number);
  if (!target.ok || !counted.ok || Number.isNaN(behind))
    return {
      current,
      failed: true,
      reason: 'comparison-failed',
      advice: 'git cannot compare the checkout with its upstream.',
    };
  if (behind === 0) return { current, reason: 'up-to-date', advice: `Nothing newer on ${upstream.text}.` };
  if (ahead > 0)
    return {
      current,
      reason: 'diverged',
      advice:
        `The checkout has ${ahead} local ${Number(ahead) === 1 ? 'commit that is' : 'commits that are'} ` +
        `not in ${upstream.text}. Merge or rebase manually.`,
    };
  return {
    current,
    available: {
      sha: target.text,
      version: await versionIn(steps, target.text, version),
      upstream: upstream.text,
      behind,
    },
  };
}

async function remoteOf(steps: Steps): Promise<readonly string[]> {
  const branch = await steps.ask('git', 'symbolic-ref', '--short', 'HEAD');
  const remote = branch.ok ? await steps.ask('git', 'config', '--get', `branch.${branch.text}.remote`) : branch;
  return remote.ok && remote.text !== '' && remote.text !== '.' && !remote.text.startsWith('-') ? [remote.text] : [];
}

async function versionIn(steps: Steps, sha: string, otherwise: string): Promise<string> {
  const shown = await steps.ask('git', 'show', `${sha}:package.json`);
  const { version } = (parseJson(shown.text) ?? {}) as { version?: unknown };
  return typeof version === 'string' && isVersion(version) ? version : otherwise;
}

/** Moves the checkout to `target`. When a step fails everything is put back. */
export async function takeFromGit(
  root: string,
  { current, available }: Required<Pick<UpdateCheck, 'current' | 'available'>>,
  steps: Steps,
  back: Steps,
): Promise<Taken> {
  const forward = await steps.run('fast-forward', 'git', 'merge', '--ff-only', '--quiet', available.sha!);
  // Nothing moved: git refuses before it changes a file.
  if (!forward.ok)
    return {
      ok: false,
      reason: 'merge-failed',
      advice: `git merge --ff-only ${forward.failed}. The code is unchanged.`,
      intact: true,
    };
  const lockChanged = !(
    await steps.ask('git', 'diff', '--quiet', '--no-ext-diff', current.sha!, available.sha!, '--', 'package-lock.json')
  ).ok;
  // Installing takes away, for a while, what the running gateway loads when first needed: only when it has to be.
  const installs = lockChanged || (await statIfExists(join(root, 'node_modules'))) === undefined;
  const broken = await prepare(root, { installs, steps });
  if (broken === undefined) return { ok: true };
  return putBack({ sha: current.sha!, installs, broken }, back);
}

async function prepare(
  root: string,
  { installs, steps }: { readonly installs: boolean; readonly steps: Steps },
): Promise<{ readonly reason: string; readonly words: string } | undefined> {
  const plan: readonly (readonly [reason: string, run: () => Promise<Outcome>])[] = [
    ...(installs ? [['install-failed', () => steps.run('install', 'npm', ...INSTALL)] as const] : []),
    ['build-failed', () => steps.run('build', 'npm', 'run', 'build')],
    ['self-test-failed', () => selfTest(root, steps)],
  ];
  for (const [reason, run] of plan) {
    const { ok, failed } = await run();
    if (!ok) return { reason, words: failed! };
  }
  return undefined;
}

async function putBack(
  {
    sha,
    installs,
    broken,
  }: {
    readonly sha: string;
    readonly installs: boolean;
    readonly broken: { readonly reason: string; readonly words: string };
  },
  back: Steps,
): Promise<Taken> {
  const what = `The step before it ${broken.words}`;
  const reset = await back.run('back', 'git', 'reset', '--keep', sha);
  if (!reset.ok)
    return {
      ok: false,
      reason: broken.reason,
      advice: `${what}, and git could not go back to ${sha} (${reset.failed}). Run: git reset --keep ${sha}`,
    };
  const installed = !installs || (await back.run('back: install', 'npm', ...INSTALL)).ok;
  const built = installed && (await back.run('back: build', 'npm', 'run', 'build')).ok;
  const advice = built
    ? 'The old code was restored.'
    : `The old commit was restored, but not built. Run \`npm ci && npm run build\`, or \`npm start\`, before ` +
      'the next start.';
  return {
    ok: false,
    reason: broken.reason,
    advice: `The update ${broken.words} (${broken.reason}). ${advice}`,
    intact: built,
  };
}
