/** Every channel's folder is whole: contract suite, fake server, crash row, set-up as data, rules of its own, page. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ChannelPlugin } from '../../src/core/channel.ts';
import { PLATFORMS } from '../crash/platforms.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folders = globSync('src/channels/*/', { cwd: ROOT }).toSorted();
const all = await Promise.all(
  folders.map(async (folder) => {
    const { default: plugin } = (await import(join(ROOT, folder, 'index.ts'))) as { default: ChannelPlugin };
    return { folder, plugin };
  }),
);
/** Surfaces of the product itself have no service to connect to. */
const channels = all.filter(({ plugin }) => plugin.capabilities.deliverable);

/** Headings, by the first word of each. */
const SECTIONS = [/^## Set up/m, /^## What it can do/m, /^## Deliver/m, /^## Troubl/m];

for (const { folder, plugin } of channels)
  test(`${plugin.id} has all that a channel has`, () => {
    const read = (name: string): string => readFileSync(join(ROOT, folder, name), 'utf8');
    assert.match(read('contract.test.ts'), /channelContract\(\{/);
    assert.ok(globSync('fake*.ts', { cwd: join(ROOT, folder) }).length > 0, 'a fake server');
    assert.ok(
      PLATFORMS.some(({ id }) => id === plugin.id),
      'a row of the crash matrix',
    );
    assert.ok((plugin.credentials ?? []).length + (plugin.setup ?? []).length > 0, 'set-up steps as data');
    for (const part of ['review', 'senderEntry', 'parseTarget', 'senderIdLabel', 'targetHint', 'blurb'] as const)
      assert.ok(plugin[part], part);
    const page = read('README.md');
    for (const section of SECTIONS) assert.match(page, section);
    assert.match(page, /What was proven how|fake|tests run/i, 'what is proven');
    assert.match(page, /\d+ MB|\d+ characters|at most \d/, 'its limits');
    assert.ok(existsSync(join(ROOT, 'docs', 'channels', `${plugin.id}.md`)));
  });

test('all channels of the seed and two with real servers are there', () => {
  assert.ok(channels.length >= 9, channels.map(({ plugin }) => plugin.id).join(' '));
  const real = channels.filter(({ folder }) => existsSync(join(ROOT, folder, 'real.test.ts')));
  assert.ok(real.length >= 2, 'channels that run against software nobody here wrote');
});
