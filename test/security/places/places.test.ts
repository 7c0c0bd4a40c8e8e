// Which files a turn can open: received files belong to their conversation, and few people can change the files of
// every prompt.
import assert from 'node:assert/strict';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMediaStore } from '../../../src/sessions/media-store.ts';
import { createReplyMedia } from '../../../src/pipeline/outbound/reply-media.ts';
import { createToolBounds, type ToolBoundsDeps } from '../../../src/agent/environment/tool-bounds.ts';
import type { Opening } from '../../../src/core/access-table.ts';
import {
  gatewayAuthority,
  delegatedVia,
  nobodysAuthority,
  programAuthority,
  type Authority,
  type Home,
} from '../../../src/core/authority.ts';
import { silentLog } from '../../../src/core/log.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { textOf } from '../../../src/core/transcript.ts';
import { peopleAuthority, surfaceAuthority } from '../../../src/testing/sample-authority.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { runTool, toolContext } from '../../../src/testing/tool-contract.ts';
import applyPatch from '../../../src/tools/apply_patch/index.ts';
import edit from '../../../src/tools/edit/index.ts';
import image from '../../../src/tools/image/index.ts';
import message from '../../../src/tools/message/index.ts';
import read from '../../../src/tools/read/index.ts';
import write from '../../../src/tools/write/index.ts';

const GROUP = 'agent:main:pipe:group:g1';
const home: Home = {
  agentId: 'main',
  sessionKey: GROUP,
  address: { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: 'g1' } },
};
const owner = peopleAuthority({ home, rights: ['approve', 'elevate', 'configure'] });

/** Which files: of its own conversation, of others, of nobody; and which may be changed: prompt files, memory. */
const PEOPLE: Record<
  string,
  { readonly who: Authority; readonly sees: 'all' | 'own' | 'none'; readonly changes: 'all' | 'none' }
> = {
  owner: { who: owner, sees: 'all', changes: 'all' },
  'the web chat': { who: surfaceAuthority({ home }), sees: 'all', changes: 'all' },
  'a program that may write in the web chat': {
    who: surfaceAuthority({ home, scopes: ['operator.read', 'operator.write'] }),
    sees: 'all',
    changes: 'none',
  },
  'a sub-agent of the owner': { who: delegatedVia(owner, 'sub-agent'), sees: 'all', changes: 'none' },
  'a job of the gateway': { who: gatewayAuthority(home), sees: 'all', changes: 'none' },
  member: { who: peopleAuthority({ home }), sees: 'own', changes: 'none' },
  'a member who may approve': { who: peopleAuthority({ home, rights: ['approve'] }), sees: 'own', changes: 'none' },
  'a sub-agent of a member': {
    who: delegatedVia(peopleAuthority({ home }), 'sub-agent'),
    sees: 'own',
    changes: 'none',
  },
  visitor: { who: peopleAuthority({ home, commands: false }), sees: 'own', changes: 'none' },
  program: { who: programAuthority('hook', home), sees: 'own', changes: 'none' },
  nobody: { who: nobodysAuthority(home), sees: 'own', changes: 'none' },
};

const RECEIVED = { own: 'of this conversation', other: 'PRIVATE of a direct message', flat: 'PRIVATE of nobody' };
const REPORTED = [
  'AGENTS.md',
  'SOUL.md',
  'TOOLS.md',
  'IDENTITY.md',
  'USER.md',
  'HEARTBEAT.md',
  'BOOTSTRAP.md',
  'skills/own/SKILL.md',
  'MEMORY.md',
  'memory/2026-11-23.md',
];
const NEIGHBOURS = [
  'notes.md',
  'AGENTS.md.txt',
  'docs/AGENTS.md',
  'memory-of-trees.txt',
  'skillset.md',
  'src/skills/x.ts',
];

async function harness() {
  const dir = await tempDir('places');
  const state = join(dir.path, 'state');
  const workspace = join(dir.path, 'work');
  const media = createMediaStore(state);
  const bytes = (text: string) => ({ mime: 'text/plain', name: 'file.txt', data: Buffer.from(text) });
  const paths = {
    own: (await media.keep(bytes(RECEIVED.own), GROUP)).path,
    other: (await media.keep(bytes(RECEIVED.other), 'agent:main:main')).path,
    flat: (await media.keep(bytes(RECEIVED.flat))).path,
  };
  for (const name of [...REPORTED, ...NEIGHBOURS]) {
    await mkdir(join(workspace, name, '..'), { recursive: true });
    await writeFile(join(workspace, name), `as it was\n`);
  }
  await symlink('AGENTS.md', join(workspace, 'link.md'));
  await symlink('.', join(workspace, 'self'));

  function contextOf(
    authority: Authority,
    { workspaceOnly, open = [] }: { readonly workspaceOnly: boolean; readonly open?: readonly Opening[] },
  ): ToolContext {
    const deps = {
      shellOf: () => undefined,
      pictures: { describer: () => undefined },
      media,
      home: dir.path,
      stateDir: state,
      docsPath: join(dir.path, 'docs'),
      agentWorkspaces: () => [workspace],
      ownFiles: () => [],
      config: () => ({ tools: { fs: { workspaceOnly } }, access: { open } }),
    } as unknown as ToolBoundsDeps;
    const place = { agentWorkspace: workspace, workspace, shownAs: workspace, sandbox: undefined };
    const { shell: _none, ...reach } = createToolBounds(deps)
      .of({
        turn: { id: 't', authority, route: { agentId: 'main', sessionKey: GROUP, replyTo: home.address } },
        entry: undefined,
        place,
        tools: [],
      } as never)
      .of('call');
    return toolContext(workspace, {
      ...reach,
      describePicture: async () => ({ ok: true, text: 'seen', model: 'a/b', attempts: [] }),
    } as Partial<ToolContext>);
  }
  return { workspace, media, paths, contextOf, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

const sees = (sight: 'all' | 'own' | 'none', which: keyof typeof RECEIVED): boolean =>
  sight === 'all' || (sight === 'own' && which === 'own');

test('received files: a turn opens and sends those of its own conversation, the owner all', async (t) => {
  await using s = await harness();
  const reply = createReplyMedia({ log: silentLog, home: s.workspace, denied: () => [] });
  let cases = 0;
  for (const [name, { who, sees: sight }] of Object.entries(PEOPLE))
    for (const workspaceOnly of [true, false])
      for (const which of ['own', 'other', 'flat'] as const) {
        const ctx = s.contextOf(who, { workspaceOnly });
        const shown = textOf((await runTool(read, { path: s.paths[which] }, ctx)).content);
        const where = `${name}, ${which}, ${workspaceOnly}`;
        assert.equal(shown.includes(RECEIVED[which]), sees(sight, which), where);
        const folder = await runTool(read, { path: join(s.paths[which], '..') }, ctx);
        assert.equal(folder.isError !== true, sees(sight, which), `the folder: ${where}`);
        for (const [tool, input] of [
          [message, { action: 'send', message: 'x', media: s.paths[which] }],
          [image, { image: s.paths[which] }],
        ] as const) {
          const said = textOf((await runTool(tool as Tool, input, ctx)).content);
          assert.equal(
            /received in another conversation|outside the workspace/.test(said),
            !sees(sight, which),
            `${tool.name}: ${where}: ${said}`,
          );
        }
        const received = [ctx.closed?.but ?? [s.media.folder]].flat();
        assert.equal(
          (await reply([s.paths[which]], { workspace: s.workspace, received })).files.length === 1,
          sees(sight, which),
          `sent: ${where}`,
        );
        cases += 5;
      }
  t.diagnostic(`places, received files: ${cases}/${cases}`);
});

const CHANGES: readonly (readonly [Tool, (path: string) => Record<string, unknown>])[] = [
  [write, (path) => ({ path, content: 'planted' })],
  [edit, (path) => ({ path, oldText: 'as it was', newText: 'planted' })],
  [
    applyPatch,
    (path) => ({ input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-as it was\n+planted\n*** End Patch` }),
  ],
  [applyPatch, (path) => ({ input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` })],
  [
    applyPatch,
    (path) => ({
      input: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: moved.md\n@@\n-as it was\n+planted\n*** End Patch`,
    }),
  ],
];

test('prompt files and memory change in turns that may configure, their neighbours in every turn', async (t) => {
  await using s = await harness();
  const restore = async (path: string): Promise<void> => {
    await writeFile(join(s.workspace, path), 'as it was\n');
    await rm(join(s.workspace, 'moved.md'), { force: true });
  };
  let cases = 0;
  for (const [name, { who, changes }] of Object.entries(PEOPLE))
    for (const path of [...REPORTED, ...NEIGHBOURS])
      for (const [at, [tool, input]] of CHANGES.entries()) {
        const isReadOnly = REPORTED.includes(path) && changes === 'none';
        const result = await runTool(tool, input(path), s.contextOf(who, { workspaceOnly: at % 2 === 0 }));
        const where = `${name}: ${tool.name} ${at} ${path}: ${textOf(result.content)}`;
        assert.equal(result.isError === true, isReadOnly, where);
        if (isReadOnly) {
          assert.match(textOf(result.content), /part of what every turn is told/, where);
          assert.equal(await readFile(join(s.workspace, path), 'utf8'), 'as it was\n', where);
        } else await restore(path);
        cases++;
      }
  t.diagnostic(`places, prompt files: ${cases}/${cases}`);
});

test('no other name leads to a prompt file, and one that is not there yet is not made', async (t) => {
  await using s = await harness();
  await rm(join(s.workspace, 'HEARTBEAT.md'));
  const names = [
    './AGENTS.md',
    'self/AGENTS.md',
    'self/self/skills/new/SKILL.md',
    'docs/../AGENTS.md',
    join(s.workspace, 'SOUL.md'),
    'HEARTBEAT.md',
    'heartbeat.md',
    'Agents.MD',
    'AGENTS.md.',
    'AGENTS.md ',
    'skills/new/SKILL.md',
    'SKILLS/x/SKILL.md',
    'memory/new.md',
    'Memory.md',
    '~/work/AGENTS.md',
    'link.md',
    '../state/skills/x/SKILL.md',
  ];
  for (const path of names)
    for (const workspaceOnly of [true, false]) {
      const result = await runTool(
        write,
        { path, content: 'planted' },
        s.contextOf(PEOPLE['member']!.who, { workspaceOnly }),
      );
      assert.equal(result.isError, true, path);
      assert.match(textOf(result.content), /part of what every turn is told|outside the workspace/, path);
    }
  t.diagnostic(`places, other names: ${names.length * 2}/${names.length * 2}`);
});

test('what the owner opens by name is open, and nothing else', async () => {
  await using s = await harness();
  const member = PEOPLE['member']!.who;
  const tried = async (open: readonly Opening[]) => {
    const ctx = s.contextOf(member, { workspaceOnly: true, open });
    const all = [
      await runTool(read, { path: s.paths.other }, ctx),
      await runTool(write, { path: 'AGENTS.md', content: 'x' }, ctx),
      await runTool(write, { path: 'skills/a/SKILL.md', content: 'x' }, ctx),
      await runTool(write, { path: 'memory/b.md', content: 'x' }, ctx),
    ];
    return all.map(({ isError }) => isError !== true);
  };
  assert.deepEqual(await tried([]), [false, false, false, false]);
  assert.deepEqual(await tried(['received-files']), [true, false, false, false]);
  assert.deepEqual(await tried(['prompt-files']), [false, true, true, false]);
  assert.deepEqual(await tried(['memory']), [false, false, false, true]);
  assert.deepEqual(await tried(['conversations', 'sessions', 'processes', 'jobs']), [false, false, false, false]);
});

test('a file that came before its conversation was known becomes its own', async () => {
  await using s = await harness();
  const kept = await s.media.keep({ mime: 'image/png', name: 'a.png', data: Buffer.from('pixels') });
  const own = await s.media.adopt(kept, GROUP);
  assert.ok(own.path?.startsWith(s.media.folderOf(GROUP)));
  assert.equal(await readFile(own.path!, 'utf8'), 'pixels');
  assert.equal(
    await s.media.adopt(own, 'agent:main:main').then(({ path }) => path),
    own.path,
    "what belongs to one is not another's",
  );
});
