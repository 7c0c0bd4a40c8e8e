/** The owner's code: only from its one folder, only so long, and nobody outside hears how it failed. */
import assert from 'node:assert/strict';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { present } from '../../core/present.ts';
import { hostilePaths } from '../../testing/hostile-paths.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import type { HookFacts } from './template.ts';
import { createTransforms } from './transform.ts';

const facts: HookFacts = {
  payload: { a: 1 },
  headers: { 'x-event': 'push' },
  query: { q: '1' },
  path: 'github',
  now: '2026-11-24T08:00:00.000Z',
};
const never = new AbortController().signal;

async function harness(files: Readonly<Record<string, string>> = {}, timeoutMs?: number) {
  const dir = await tempDir('hooks');
  const folder = join(dir.path, 'hooks', 'transforms');
  await mkdir(join(folder, 'deep'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const transforms = createTransforms(present({ stateDir: dir.path, timeoutMs }));
  return {
    dir: dir.path,
    folder,
    run: (module: string, more: { export?: string; dir?: string } = {}) =>
      transforms.run({ module, dir: undefined, ...more }, facts, never),
    async [Symbol.asyncDispose]() {
      await transforms[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('a transform', () => {
  it('makes the request, of what the call says', async () => {
    await using at = await harness({
      'a.mjs':
        'export default ({ payload, headers, query, path, url }) => ({ message: [payload.a, ' +
        'headers["x-event"], query.q, path, url.pathname].join(" ") });',
      'b.ts': 'export const other = async (facts: object) => ({ text: "b" });',
      'c.cjs': 'module.exports.transform = () => ({ text: "c" });',
    });
    assert.deepEqual(await at.run('a.mjs'), { skip: false, value: { message: '1 push 1 github /github' } });
    assert.deepEqual(await at.run('b.ts', { export: 'other' }), { skip: false, value: { text: 'b' } });
    assert.deepEqual(await at.run('c.cjs'), { skip: false, value: { text: 'c' } });
  });

  it('skips with null, leaves all to the mapping with nothing', async () => {
    await using at = await harness({
      'null.mjs': 'export default () => null;',
      'none.mjs': 'export default () => {};',
    });
    assert.deepEqual(await at.run('null.mjs'), { skip: true });
    assert.deepEqual(await at.run('none.mjs'), { skip: false, value: undefined });
  });

  it('is read again when it changed, and sees no environment', async () => {
    await using at = await harness({ 'a.mjs': 'export default () => ({ text: "one" });' });
    assert.deepEqual(((await at.run('a.mjs')) as { value: unknown }).value, { text: 'one' });
    await writeFile(
      join(at.folder, 'a.mjs'),
      'export default () => ({ text: "two, " + Object.keys(process.env).length });',
    );
    assert.deepEqual(((await at.run('a.mjs')) as { value: unknown }).value, { text: 'two, 0' });
  });

  it('that fails or exports nothing is a fault of ours that says why, and the next one runs', async () => {
    await using at = await harness(
      {
        'throws.mjs': 'export default () => { throw new Error("broken 42"); };',
        'syntax.mjs': 'export default (',
        'empty.mjs': 'export const x = 1;',
        'exits.mjs': 'export default () => process.exit(3);',
        'much.mjs': 'export default () => ({ message: "x".repeat(600_000) });',
        'ok.mjs': 'export default () => ({});',
      },
      60_000,
    );
    for (const [module, why] of [
      ['throws.mjs', /broken 42/],
      ['syntax.mjs', /SyntaxError/],
      ['empty.mjs', /no function "default"/],
      ['exits.mjs', /ended with code 3/],
      ['much.mjs', /more than 500000/],
      ['missing.mjs', /the file does not exist/],
    ] as const)
      await assert.rejects(at.run(module), { code: 'internal', message: why }, module);
    await assert.rejects(at.run('ok.mjs', { export: '__proto__' }), { code: 'internal' });
    assert.deepEqual(await at.run('ok.mjs'), { skip: false, value: {} });
  });

  it('that never ends is ended', async () => {
    await using at = await harness(
      {
        'loops.mjs': 'export default () => { for (;;); };',
        'waits.mjs': 'export default () => new Promise(() => {});',
        'begins.mjs': 'for (;;);',
      },
      100,
    );
    for (const module of ['loops.mjs', 'waits.mjs', 'begins.mjs'])
      await assert.rejects(at.run(module), { code: 'internal', message: /longer than 100 ms/ }, module);
  });
});

describe('a module outside the folder', () => {
  it('is never loaded (GHSA-7xhj), whatever its name', async () => {
    await using at = await harness({ 'ok.mjs': 'export default () => ({});' });
    const MARK = 'globalThis.escaped = true; export default () => ({ text: "escaped" });';
    await writeFile(join(at.dir, 'evil.mjs'), MARK);
    await writeFile(join(at.dir, 'hooks', 'evil.mjs'), MARK);
    await mkdir(join(at.dir, 'hooks', 'transforms-evil'));
    await writeFile(join(at.dir, 'hooks', 'transforms-evil', 'evil.mjs'), MARK);
    await symlink(join(at.dir, 'evil.mjs'), join(at.folder, 'link.mjs'));
    await symlink(at.dir, join(at.folder, 'up'));
    await writeFile(join(at.folder, 'open.mjs'), MARK);
    await chmod(join(at.folder, 'open.mjs'), 0o666);
    const names = [
      '../evil.mjs',
      '../../evil.mjs',
      './../evil.mjs',
      'deep/../../evil.mjs',
      '..%2fevil.mjs',
      '%2e%2e/evil.mjs',
      '..\\evil.mjs',
      '../transforms-evil/evil.mjs',
      join(at.dir, 'evil.mjs'),
      `file://${at.dir}/evil.mjs`,
      'data:text/javascript,export default () => ({})',
      'node:fs',
      'fs',
      'https://evil.example/x.mjs',
      'zod',
      'link.mjs',
      'up/evil.mjs',
      'up/hooks/evil.mjs',
      'open.mjs',
      'ok.mjs?x',
      'ok.mjs#x',
      'ok.mjs\0',
      ' ok.mjs',
      'ok',
      'deep',
      '',
      '.',
      '~/evil.mjs',
      'a.json',
      'a.node',
      'a.wasm',
    ];
    for (const name of [...names, ...hostilePaths(at.dir)])
      await assert.rejects(at.run(name), { code: 'internal' }, name);
    assert.deepEqual(await at.run('ok.mjs'), { skip: false, value: {} });
  });

  it('is not reached by moving the folder either', async () => {
    await using at = await harness({ 'ok.mjs': 'export default () => ({});' });
    await writeFile(join(at.folder, 'deep', 'in.mjs'), 'export default () => ({});');
    await writeFile(join(at.dir, 'evil.mjs'), 'export default () => ({});');
    await symlink(at.dir, join(at.folder, 'up'));
    assert.deepEqual(await at.run('in.mjs', { dir: 'deep' }), { skip: false, value: {} });
    assert.deepEqual(await at.run('in.mjs', { dir: join(at.folder, 'deep') }), { skip: false, value: {} });
    for (const dir of ['..', '../..', at.dir, '/', 'up', '~', 'deep/../..'])
      await assert.rejects(at.run('evil.mjs', { dir }), { code: 'internal' }, dir);
    await assert.rejects(at.run('ok.mjs', { dir: 'deep' }), { code: 'internal', message: /the file does not exist/ });
  });
});
