/** Agents over the wire: changed in the configuration with its comments kept, and their files edited safely. */
import assert from 'node:assert/strict';
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startGateway, type Chat, type RunningGateway } from '../../testing/running-gateway.ts';

const CONFIG = (workspace: string) => `{
  // who answers
  agents: {
    defaults: { workspace: '${workspace}', model: { primary: 'fake/model' } },
    list: [
      { id: 'main', name: 'Main' }, // the first
      { id: 'shop', /* sells */ identity: { name: 'Shop', emoji: '🛒' } },
    ],
  },
  bindings: [
    // sales
    { agentId: 'shop', match: { channel: 'telegram' } },
    { agentId: 'main', match: { channel: 'discord' } }, // all else
  ],
}`;

describe('agents.*', () => {
  let gateway: RunningGateway;
  let chat: Chat;
  before(async () => {
    gateway = await startGateway();
    chat = await gateway.connect();
  });
  after(() => gateway[Symbol.asyncDispose]());

  const config = (): Promise<string> => readFile(join(gateway.stateDir, 'clawdbot.json'), 'utf8');
  const workspace = (): string => join(gateway.stateDir, 'work');
  const refused = async (method: string, params: object): Promise<string> => {
    const answer = await chat.call(method, params).catch((error: unknown) => error);
    assert.ok(answer instanceof Error, `${method} was refused`);
    return answer.message;
  };

  it('add to an empty list without taking the place of the agent there is', async () => {
    await chat.call('agents.create', { agentId: 'helper', name: 'Helper', emoji: '🦉' });
    const { agents, defaultId } = await chat.call('agents.list');
    assert.deepEqual([defaultId, agents.map(({ id }: { id: string }) => id)], ['main', ['main', 'helper']]);
    assert.match(await refused('agents.create', { agentId: 'helper' }), /already/);
    assert.match(await refused('agents.create', { agentId: '../x' }), /lower-case/);
    assert.match(await refused('agents.delete', { agentId: 'main' }), /default agent/);
    await chat.call('agents.delete', { agentId: 'helper' });
    assert.match(await refused('agents.delete', { agentId: 'main' }), /only agent/);
  });

  it('change single values and keep the comments, and remove an agent with its bindings', async () => {
    const models = (await chat.call('config.get')).parsed.models as object;
    const { hash } = await chat.call('config.get');
    await chat.call('config.set', {
      raw: CONFIG(workspace()).replace(
        '{\n',
        `{ models: ${JSON.stringify(models).replaceAll(/"__[^"]*__"/g, '"k"')},\n`,
      ),
      baseHash: hash,
    });
    await chat.call('agents.update', {
      agentId: 'shop',
      identity: { name: 'Market', emoji: null },
      model: { primary: 'fake/model', fallbacks: ['offline/concierge'] },
      skills: ['sums'],
    });
    const shop = await chat.call('agents.describe', { agentId: 'shop' });
    assert.deepEqual(
      [shop.name, shop.identity, shop.model, shop.skills, shop.bindings],
      [
        'Market',
        { name: 'Market' },
        { own: true, primary: 'fake/model', fallbacks: ['offline/concierge'] },
        ['sums'],
        1,
      ],
    );
    await chat.call('agents.update', { agentId: 'shop', model: null, skills: null, isDefault: true });
    const moved = await chat.call('agents.describe', { agentId: 'shop' });
    assert.deepEqual([moved.isDefault, moved.workspace, moved.model.own], [true, `${workspace()}-shop`, false]);
    assert.equal((await chat.call('agents.describe', { agentId: 'main' })).workspace, workspace());
    await chat.call('agents.update', { agentId: 'main', isDefault: true });
    const gone = await chat.call('agents.delete', { agentId: 'shop' });
    assert.equal(gone.bindings, 1);
    const text = await config();
    for (const comment of ['// who answers', '// the first', '// all else']) assert.ok(text.includes(comment), comment);
    assert.ok(!text.includes('shop'), text);
    assert.equal((await chat.call('config.get')).parsed.bindings.length, 1);
  });

  it('get a profile, and tools given and taken away, where only the agent decides', async () => {
    await chat.call('agents.create', { agentId: 'clerk' });
    const tools = { profile: 'messaging', alsoAllow: ['read'], deny: ['message'] };
    await chat.call('agents.update', { agentId: 'clerk', tools });
    assert.deepEqual((await chat.call('agents.describe', { agentId: 'clerk' })).tools, tools);
    const { tools: explained } = await chat.call('tools.explain', { agentId: 'clerk' });
    const may = explained
      .filter(({ allowed }: { allowed: boolean }) => allowed)
      .map((one: { name: string }) => one.name);
    assert.ok(may.includes('read') && !may.includes('message') && !may.includes('bash'), may.join());
    await chat.call('agents.update', { agentId: 'clerk', tools: { profile: null, alsoAllow: [], deny: null } });
    assert.deepEqual((await chat.call('agents.describe', { agentId: 'clerk' })).tools, {});
    assert.match(await refused('agents.update', { agentId: 'clerk', tools: { profile: 'everything' } }), /profile/);
    await chat.call('agents.delete', { agentId: 'clerk' });
  });

  it('get bindings, with their comments kept, if the file is still the one they were made for', async () => {
    const kept = async (): Promise<string> => (await config()).slice((await config()).indexOf('bindings'));
    const set = async (bindings: object[]) =>
      chat.call('agents.bindings.set', { bindings, baseHash: (await chat.call('config.get')).hash });
    const shop = (id: string) => ({ agentId: 'main', match: { channel: 'telegram', peer: { kind: 'group', id } } });
    const tried = await chat.call('route.explain', {
      channel: 'telegram',
      chatKind: 'group',
      chatId: '-7',
      bindings: [shop('-7')],
    });
    assert.deepEqual([tried.bindings[0].chosen, (await chat.call('config.get')).parsed.bindings.length], [true, 1]);
    await set([{ keep: 0 }, shop('-7'), shop('-8')]);
    assert.match(await kept(), /all else/);
    const places = async (): Promise<string[]> =>
      (await chat.call('config.get')).parsed.bindings.map(
        (one: ReturnType<typeof shop>) => one.match.peer?.id ?? 'all',
      );
    await set([{ keep: 2 }, { keep: 0 }, { keep: 1 }]);
    assert.deepEqual(await places(), ['-8', 'all', '-7']);
    await set([{ keep: 0 }, { keep: 2 }]);
    assert.deepEqual(await places(), ['-8', '-7']);
    const { hash } = await chat.call('config.get');
    const wrong: [object[], string, RegExp][] = [
      [[{ keep: 0 }], 'of another file', /changed since/],
      [[{ keep: 0 }, { keep: 0 }], hash, /kept once/],
      [[{ keep: 9 }], hash, /kept once/],
      [[{ ...shop('1'), agentId: 'nobody' }], hash, /no agent "nobody"/],
      [[{ ...shop('1'), elevated: true }], hash, /Invalid|invalid|nrecognized/],
    ];
    for (const [bindings, baseHash, reason] of wrong)
      assert.match(await refused('agents.bindings.set', { bindings, baseHash }), reason);
    assert.deepEqual(await places(), ['-8', '-7']);
    await set([]);
    assert.equal((await chat.call('config.get')).config.bindings?.length ?? 0, 0);
    await set([shop('1')]);
    assert.deepEqual(await places(), ['1']);
  });

  it('read and write the Markdown files of the folder, and tell of changes in between', async () => {
    await mkdir(workspace(), { recursive: true });
    const file = { agentId: 'main', name: 'SOUL.md' };
    const fresh = await chat.call('agents.files.get', file);
    assert.deepEqual([fresh.exists, fresh.content, fresh.hash], [false, '', '']);
    const saved = await chat.call('agents.files.set', { ...file, content: 'kind\n', baseHash: '' });
    assert.equal(await readFile(join(workspace(), 'SOUL.md'), 'utf8'), 'kind\n');
    await writeFile(join(workspace(), 'SOUL.md'), 'by the agent\n');
    assert.match(await refused('agents.files.set', { ...file, content: 'x', baseHash: saved.hash }), /changed since/);
    assert.match(await refused('agents.files.set', { ...file, content: 'x', baseHash: '' }), /changed since/);
    assert.equal(await readFile(join(workspace(), 'SOUL.md'), 'utf8'), 'by the agent\n');
    await writeFile(join(workspace(), 'notes.md'), 'own');
    await writeFile(join(workspace(), 'data.json'), '{}');
    const { files } = await chat.call('agents.files.list', { agentId: 'main' });
    const of = (name: string) => files.find((one: { name: string }) => one.name === name);
    assert.deepEqual([of('SOUL.md').exists, of('USER.md').exists, of('notes.md').known], [true, false, false]);
    assert.equal(of('data.json'), undefined);
  });

  it('neither reads nor writes through names, links and second names that lead elsewhere', async () => {
    const secret = join(gateway.stateDir, 'secret.md');
    await writeFile(secret, 'TOP SECRET');
    await symlink(secret, join(workspace(), 'linked.md'));
    await link(secret, join(workspace(), 'hard.md'));
    await symlink(join(gateway.stateDir, 'new.md'), join(workspace(), 'dangling.md'));
    await writeFile(join(workspace(), 'bytes.md'), Buffer.from([0xff, 0xfe, 0]));
    const names = ['linked.md', 'hard.md', 'dangling.md', 'bytes.md', '../secret.md', '.hidden.md', 'a/b.md', 'x.json'];
    for (const name of [...names, 'SOUL.md\0.md', '/etc/passwd.md', 'CON .md\n.md']) {
      assert.ok(!(await refused('agents.files.get', { agentId: 'main', name })).includes('TOP SECRET'), name);
      await refused('agents.files.set', { agentId: 'main', name, content: 'mine', baseHash: '' });
    }
    assert.equal(await readFile(secret, 'utf8'), 'TOP SECRET');
    await assert.rejects(readFile(join(gateway.stateDir, 'new.md')), { code: 'ENOENT' });
    const shown = JSON.stringify(await chat.call('agents.files.list', { agentId: 'main' }));
    assert.ok(!shown.includes('linked.md') && !shown.includes('dangling.md'));
    assert.match(await refused('agents.files.get', { agentId: 'nobody', name: 'SOUL.md' }), /Unknown agent/);
  });
});
