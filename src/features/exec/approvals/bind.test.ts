// What was approved is what runs: every part of it, changed in turn between the yes and the start, is noticed by name.
import assert from 'node:assert/strict';
import { chmod, cp, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { tempDir } from '../../../testing/temp-dir.ts';
import { bind, bindsFilesIn, changed, type BoundFacts } from './bind.ts';

interface Harness extends AsyncDisposable {
  readonly root: string;
  readonly facts: BoundFacts;
}

async function harness(): Promise<Harness> {
  const dir = await tempDir('bind');
  const root = dir.path;
  await mkdir(join(root, 'work'));
  await writeFile(join(root, 'tool'), '#!/bin/sh\necho one\n', { mode: 0o755 });
  await writeFile(join(root, 'work', 'deploy.sh'), 'echo deploy\n');
  const facts: BoundFacts = {
    command: 'tool && sh deploy.sh',
    argv: ['/bin/sh', '-c', 'tool && sh deploy.sh'],
    cwd: join(root, 'work'),
    env: { PATH: '/bin', SECRET: 'hunter2' },
    programs: [join(root, 'tool')],
    scripts: [join(root, 'work', 'deploy.sh'), join(root, 'work', 'not-there'), join(root, 'work')],
  };
  return { root, facts, [Symbol.asyncDispose]: dir[Symbol.asyncDispose] };
}

/** What is said when this happened between the yes and the start. */
async function after(happened: (harness: Harness) => Promise<Partial<BoundFacts> | void>): Promise<string | undefined> {
  await using at = await harness();
  const bound = await bind(at.facts);
  assert.doesNotMatch(JSON.stringify([bound, [...bound.env], [...bound.files]]), /hunter2|echo/, 'digests only');
  const patch = await happened(at);
  return (await changed(bound, { ...at.facts, ...(typeof patch === 'object' ? patch : undefined) }))?.replaceAll(
    at.root,
    '',
  );
}

describe('binding', () => {
  it('nothing changed is nothing said', async () => assert.equal(await after(async () => {}), undefined));

  it('T59 an executable: content, another file in its place, gone, become a pipe or folder', async () => {
    assert.equal(
      await after(({ root }) => writeFile(join(root, 'tool'), '#!/bin/sh\necho two\n')),
      'the program /tool changed',
    );
    assert.equal(
      await after(async ({ root }) => {
        await cp(join(root, 'tool'), join(root, 'twin'));
        await rename(join(root, 'twin'), join(root, 'tool'));
      }),
      'the program /tool changed',
      'same content, another file',
    );
    assert.equal(await after(({ root }) => rm(join(root, 'tool'))), 'the program /tool changed');
    assert.equal(
      await after(async ({ root }) => {
        await rm(join(root, 'tool'));
        await mkdir(join(root, 'tool'));
      }),
      'the program /tool changed',
    );
  });

  it('an executable of the same size and the same time stamp', async () => {
    assert.equal(
      await after(async ({ root }) => {
        const path = join(root, 'tool');
        await utimes(path, 1000, 1000);
        await writeFile(path, '#!/bin/sh\necho two\n');
        await utimes(path, 1000, 1000);
      }),
      'the program /tool changed',
    );
  });

  it('a script an interpreter would read, also one that came into being since', async () => {
    assert.equal(
      await after(({ root }) => writeFile(join(root, 'work', 'deploy.sh'), 'rm -rf ~\n')),
      'the script /work/deploy.sh changed',
    );
    assert.equal(
      await after(({ root }) => writeFile(join(root, 'work', 'not-there'), 'x')),
      'the script /work/not-there changed',
    );
    assert.equal(await after(({ root }) => rm(join(root, 'work', 'deploy.sh'))), 'the script /work/deploy.sh changed');
  });

  it('the folder: another one, replaced, gone, led elsewhere', async () => {
    const other = (words: string): string => `the folder ${words} is no longer the same folder`;
    assert.equal(await after(async ({ root }) => ({ cwd: root })), other('/work'));
    const swap = async ({ root }: Harness): Promise<void> => {
      await rename(join(root, 'work'), join(root, 'old'));
      await cp(join(root, 'old'), join(root, 'work'), { recursive: true });
    };
    assert.equal(await after(swap), other('/work'));
    assert.equal(await after(({ root }) => rename(join(root, 'work'), join(root, 'old'))), other('/work'));
    assert.equal(
      await after(async ({ root }) => {
        await rename(join(root, 'work'), join(root, 'old'));
        await mkdir(join(root, 'evil'));
        await symlink(join(root, 'evil'), join(root, 'work'));
      }),
      other('/work'),
    );
  });

  it('the environment: by name, never by value', async () => {
    assert.equal(
      await after(async ({ facts }) => ({ env: { ...facts.env, SECRET: 'hunter3', NEW: 'x' } })),
      'the environment changed (SECRET, NEW)',
    );
    assert.equal(await after(async () => ({ env: { PATH: '/bin' } })), 'the environment changed (SECRET)');
  });

  it('the text and the arguments', async () => {
    assert.equal(await after(async () => ({ command: 'tool' })), 'the text of the command changed');
    assert.equal(
      await after(async ({ facts }) => ({ argv: [...facts.argv, 'x'] })),
      'the arguments of the command changed',
    );
    assert.equal(
      await after(async () => ({ argv: ['/bin/sh', '-c tool && sh deploy.sh'] })),
      'the arguments of the command changed',
    );
  });

  it('programs that were added or left out', async () => {
    assert.equal(
      await after(async ({ root, facts }) => ({ programs: [...facts.programs, join(root, 'work', 'extra')] })),
      'the program /work/extra changed',
    );
    assert.equal(await after(async () => ({ programs: [] })), 'the program /tool changed');
  });

  it('what could not be read at the yes is not believed at the start', async () => {
    await using at = await harness();
    const facts = { ...at.facts, programs: [join(at.root, 'ghost')] };
    assert.match((await changed(await bind(facts), facts)) ?? '', /the program .*ghost could not be read/);
    const nowhere = { ...at.facts, cwd: join(at.root, 'ghost') };
    assert.match((await changed(await bind(nowhere), nowhere)) ?? '', /does not exist/);
    if (process.getuid?.() === 0) return;
    await chmod(join(at.root, 'tool'), 0o111);
    assert.match((await changed(await bind(at.facts), at.facts)) ?? '', /tool could not be read/);
  });

  it('tells files in folders the agent writes, for which "always" would be too much', async () => {
    await using at = await harness();
    const bound = await bind(at.facts);
    const reported: boolean[] = [];
    for (const folders of [
      [join(at.root, 'work')],
      [`${join(at.root, 'work')}/`],
      [join(at.root, 'wor')],
      ['/nowhere'],
      [],
      'everywhere',
    ] as const)
      reported.push(await bindsFilesIn(bound, folders));
    assert.deepEqual(reported, [true, true, false, false, false, true]);
    await symlink(join(at.root, 'work'), join(at.root, 'linked'));
    assert.equal(await bindsFilesIn(bound, [join(at.root, 'linked')]), true, 'the folder is a link');
    const none = await bind({ ...at.facts, programs: ['/usr/bin/env'], scripts: [] });
    assert.deepEqual(
      [
        await bindsFilesIn(none, 'everywhere'),
        await bindsFilesIn(none, [at.root]),
        await bindsFilesIn(none, [at.root], [join(at.root, 'work')]),
      ],
      [false, false, true],
    );
  });
});
