// A real process swaps folders and links while the file tools run: no file of the owner is read, listed, sent or
// written.
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createContextFiles, defaultContextCaps } from '../../../src/agent/workspace/context-files.ts';
import { createOpenMedia } from '../../../src/pipeline/outbound/open-media.ts';
import { createReplyMedia } from '../../../src/pipeline/outbound/reply-media.ts';
import { silentLog } from '../../../src/core/log.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { folderFingerprint } from '../../../src/testing/folder-fingerprint.ts';
import { runTool, toolContext } from '../../../src/testing/tool-contract.ts';
import applyPatch from '../../../src/tools/apply_patch/index.ts';
import edit from '../../../src/tools/edit/index.ts';
import image from '../../../src/tools/image/index.ts';
import message from '../../../src/tools/message/index.ts';
import read from '../../../src/tools/read/index.ts';
import write from '../../../src/tools/write/index.ts';
import { timesOf } from '../../crash/matrix.ts';
import { INSIDE, SECRET, swappedFixture, type SwappedFixture } from './swapper.ts';

const skip = process.platform === 'linux' ? false : 'only Linux tells the path of an open file';
const AT_ONCE = 8;
/** By default a sixth of the calls, all of them in `npm run test:full`. */
const CALLS_PER_HUNDRED = timesOf(17, 100);

interface Race {
  readonly name: string;
  readonly calls: number;
  readonly once: (fixture: SwappedFixture, at: number) => Promise<string>;
}

/** What came out of one call, as text; whatever is in it could reach a chat. */
const by =
  (tool: Tool, input: (at: number) => Record<string, unknown>, extra: Partial<ToolContext> = {}) =>
  async ({ workspace }: SwappedFixture, at: number): Promise<string> => {
    const sent: unknown[] = [];
    const context = toolContext(workspace, {
      sandboxed: true,
      workspaceShownAs: '/workspace',
      rpc: async (_method, params) => {
        sent.push(params);
        throw new Error('not sent');
      },
      describePicture: async ({ data }) => ({
        ok: true,
        text: Buffer.from(data).toString('latin1'),
        model: 'a/b',
        attempts: [],
      }),
      ...extra,
    });
    const result = await runTool(tool, input(at), context);
    const files = (sent as readonly { files?: readonly { data: Uint8Array }[] }[]).flatMap(({ files = [] }) =>
      files.map(({ data }) => Buffer.from(data).toString('latin1')),
    );
    return JSON.stringify(result) + files.join();
  };
const PATCH = (at: number): string =>
  [
    '*** Begin Patch',
    `*** Add File: swap/patched/${at}/a.txt`,
    '+x',
    '*** Update File: swap/file.txt',
    '@@',
    '-nothing like it',
    '+x',
    '*** End Patch',
  ].join('\n');

const RACES: readonly Race[] = [
  {
    name: 'read: a file',
    calls: 1200,
    once: by(read, (at) => ({ path: at % 2 ? 'swap/file.txt' : '/workspace/swap/sub/file.txt' })),
  },
  { name: 'read: a folder', calls: 600, once: by(read, () => ({ path: 'swap' })) },
  { name: 'read: a file that is a link now and then', calls: 400, once: by(read, () => ({ path: 'AGENTS.md' })) },
  {
    name: 'edit: shows what is near',
    calls: 400,
    once: by(edit, () => ({ path: 'swap/file.txt', oldText: 's3cret-of-the-owned', newText: 'x' })),
  },
  {
    name: 'edit: changes it',
    calls: 300,
    once: by(edit, (at) => ({ path: 'swap/sub/file.txt', oldText: at % 2 ? INSIDE : SECRET, newText: INSIDE })),
  },
  { name: 'apply_patch: adds and updates', calls: 300, once: by(applyPatch, (at) => ({ input: PATCH(at) })) },
  {
    name: 'apply_patch: moves a file of the owner here',
    calls: 200,
    once: by(applyPatch, (at) => ({
      input: `*** Begin Patch\n*** Update File: swap/only-outside\n*** Move to: stolen-${at}\n*** End Patch`,
    })),
  },
  {
    name: 'write: new folders',
    calls: 600,
    once: by(write, (at) => ({ path: `swap/new-${at}/deep/file.txt`, content: 'planted' })),
  },
  { name: 'write: over a file', calls: 400, once: by(write, () => ({ path: 'swap/file.txt', content: INSIDE })) },
  {
    name: 'write: what only the owner has',
    calls: 200,
    once: by(write, () => ({ path: 'swap/only-outside', content: 'planted' })),
  },
  { name: 'image', calls: 300, once: by(image, () => ({ image: 'swap/file.txt' })) },
  {
    name: 'message: an attachment',
    calls: 400,
    once: by(message, () => ({ action: 'send', message: 'hi', media: 'swap/file.txt' })),
  },
  { name: 'a file that an answer names', calls: 400, once: answered },
  { name: 'files of the prompt', calls: 400, once: prompted },
];

async function answered({ workspace }: SwappedFixture): Promise<string> {
  const media = createReplyMedia({ log: silentLog, home: '/nonexistent', denied: () => [] });
  const open = createOpenMedia(() => Promise.reject(new Error('no network')), '/nonexistent');
  const { files: found } = await media(['swap/file.txt', '/workspace/swap/sub/file.txt'], {
    workspace,
    received: [],
    shownAs: '/workspace',
    sandbox: {},
  });
  const opened = await Promise.allSettled(found.map((ref) => open(ref, 1000)));
  return opened
    .map((one) => (one.status === 'fulfilled' ? Buffer.from(one.value.data).toString('latin1') : 'refused'))
    .join();
}

async function prompted({ workspace }: SwappedFixture): Promise<string> {
  return JSON.stringify(await createContextFiles().load(workspace, { ...defaultContextCaps, confined: true }));
}

test('nothing of the owner comes out, and nothing comes into being outside', { skip }, async (t) => {
  await using fixture = await swappedFixture();
  const before = await folderFingerprint(fixture.outside);
  const stolen = new Map<string, number>();
  const calls = { all: 0, fine: 0 };
  for (const race of RACES) await run(race, fixture, { stolen, calls });
  assert.deepEqual([...stolen], []);
  assert.equal(await folderFingerprint(fixture.outside), before, "the owner's folder is as it was");
  assert.deepEqual((await readdir(fixture.root)).sort(), ['owner', 'work']);
  assert.ok(calls.fine > calls.all / 20, `between two swaps the tools work: ${calls.fine} of ${calls.all}`);
  reported(t, calls);
});

async function run(
  { name, calls, once }: Race,
  fixture: SwappedFixture,
  { stolen, calls: count }: { stolen: Map<string, number>; calls: { all: number; fine: number } },
): Promise<void> {
  for (let at = 0; at < (calls * CALLS_PER_HUNDRED) / 100; at += AT_ONCE) {
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, (_none, offset) => once(fixture, at + offset)));
    for (const text of outcomes) {
      count.all++;
      if (text.includes(SECRET) || /only-outside(?!")/.test(text.replaceAll(/swap\/only-outside/g, '')))
        stolen.set(name, (stolen.get(name) ?? 0) + 1);
      else if (text.includes(INSIDE) || /Created|Replaced|Edited/.test(text)) count.fine++;
    }
  }
}

const reported = (t: TestContext, { all, fine }: { all: number; fine: number }): void =>
  t.diagnostic(`files, races: ${all}/${all} calls without an escape (${fine} of them found what they wanted)`);

test('the same process is really there: names change under a plain look', { skip }, async () => {
  await using fixture = await swappedFixture();
  const seen = new Set<string>();
  for (let at = 0; at < 20_000 && seen.size < 2; at++)
    seen.add(
      (await readdir(join(fixture.workspace, 'swap')).catch(() => ['gone'])).includes('only-outside')
        ? 'owner'
        : 'inside',
    );
  assert.equal(seen.size, 2);
});
