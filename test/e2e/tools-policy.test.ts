/**
 * The tool policy in the whole product: removed tools are missing from prompt and schema (T225, T226), refused in
 * direct calls, and explained.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const declared = (request: RunningGateway['models']['requests'][number]): string[] =>
  (request.body.tools ?? []).map((tool: any) => tool.function.name).sort();
const prompt = (request: RunningGateway['models']['requests'][number]): string =>
  JSON.stringify(request.body.messages.find((message: any) => message.role === 'system'));
const listed = (request: RunningGateway['models']['requests'][number]): string[] =>
  [...prompt(request).matchAll(/\\n- ([a-z_]+): /g)].map(([, name]) => name!).sort();
const MACHINE = ['apply_patch', 'bash', 'edit', 'process', 'read', 'write'];

/** What the model was told in the last turn: both halves are the same list. */
async function reportedIn(gateway: RunningGateway, session = 'main'): Promise<string[]> {
  await using chat = await gateway.connect();
  await chat.say('hello', { session, runId: `told-${gateway.models.requests.length}` });
  const request = gateway.models.requests.at(-1)!;
  assert.deepEqual(
    listed(request).filter((name) => declared(request).includes(name)),
    declared(request),
    'prompt and schema agree',
  );
  for (const name of MACHINE.filter((one) => !declared(request).includes(one)))
    assert.equal(listed(request).includes(name), false, `${name} is in the prompt`);
  return declared(request);
}

describe('what the policy removes', () => {
  it('T225: is in neither prompt nor schema', async () => {
    await using open = await startGateway();
    const all = await reportedIn(open);
    for (const name of ['read', 'write', 'edit']) assert.ok(all.includes(name), name);
    await using closed = await startGateway({ config: { tools: { deny: ['group:fs'] } } });
    const left = await reportedIn(closed);
    assert.deepEqual(
      left,
      all.filter((name) => !['read', 'write', 'edit', 'apply_patch'].includes(name)),
    );
    for (const name of ['apply_patch', 'edit'])
      assert.doesNotMatch(prompt(closed.models.requests.at(-1)!), new RegExp(`- ${name}: `));
  });

  it('a tool that a channel brings along is there with that channel, runs, and obeys the policy', async () => {
    const plugin = join(import.meta.dirname, '../fixtures/desk-channel');
    const config = (more: object) => ({ plugins: { load: { paths: [plugin] } }, ...more });
    await using without = await startGateway({ config: config({}) });
    assert.equal((await reportedIn(without)).includes('desk_bell'), false, 'the channel is not in use');
    await using denied = await startGateway({
      config: config({ channels: { desk: { table: 'bell-denied' } }, tools: { deny: ['group:plugins'] } }),
    });
    assert.equal((await reportedIn(denied)).includes('desk_bell'), false);
    await using gateway = await startGateway({ config: config({ channels: { desk: { table: 'bell' } } }) });
    await using chat = await gateway.connect();
    gateway.models.reply({ calls: [{ id: 'c', name: 'desk_bell', args: { times: 2 } }] }, { text: ['Rung.'] });
    assert.equal(await chat.say('ring'), 'Rung.');
    assert.equal(gateway.models.requests[1]!.toolResults[0]!.text, 'ding ding');
  });

  it('T226: of everything leaves no tools field', async () => {
    await using gateway = await startGateway({ config: { tools: { deny: ['*'] } } });
    assert.deepEqual(await reportedIn(gateway), []);
    assert.equal('tools' in gateway.models.requests.at(-1)!.body, false);
  });

  it('T212: goes by model, agent and group', async () => {
    const config = {
      tools: { byProvider: { 'fake/model': { deny: ['edit'] } } },
      agents: {
        list: [
          { id: 'main', default: true },
          { id: 'work', tools: { allow: ['read', 'edit'] } },
        ],
      },
      channels: { telegram: { enabled: false, groups: { '-100': { tools: { allow: ['session_status'] } } } } },
    };
    await using gateway = await startGateway({ config });
    assert.equal((await reportedIn(gateway)).includes('edit'), false);
    assert.deepEqual(await reportedIn(gateway, 'agent:work:main'), ['read']);
    assert.deepEqual(await reportedIn(gateway, 'agent:main:telegram:group:-100:topic:3'), ['session_status']);
  });

  it('T213: of a list that names nothing known is everything; status and log say so, and the file is in force', async () => {
    await using gateway = await startGateway({ config: { tools: { allow: ['brwoser'] }, logging: { level: 'warn' } } });
    assert.deepEqual(await reportedIn(gateway), []);
    await using chat = await gateway.connect();
    const snapshot = await chat.call('config.get');
    assert.deepEqual([snapshot.valid, snapshot.source], [true, 'file']);
    assert.match(JSON.stringify(snapshot.issues), /no tool \\"brwoser\\".*Did you mean \\"browser\\"\?/);
    const { warnings } = await chat.call('tools.explain');
    assert.match(
      warnings[0],
      /tools\.allow names "brwoser", which is not a tool; the list allows nothing\. Did you mean "browser"\?/,
    );
  });

  it('is back with the next turn once the configuration allows it', async () => {
    await using gateway = await startGateway({ config: { tools: { deny: ['read'] } } });
    assert.equal((await reportedIn(gateway)).includes('read'), false);
    await gateway.writeConfig({ tools: {} });
    await until(() => gateway.instance.config.current().tools.deny === undefined, 'the change');
    assert.equal((await reportedIn(gateway)).includes('read'), true);
  });
});

describe('by hand', () => {
  const CONFIG = { tools: { deny: ['write'] }, agents: { defaults: { workspace: '~/clawd' } } };

  it('POST /tools/invoke runs what is left and refuses the rest', async () => {
    await using gateway = await startGateway({ config: CONFIG });
    await reportedIn(gateway);
    const post = async (body: object) => {
      const answer = await gateway.fetch('/tools/invoke', { method: 'POST', body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as any };
    };
    const read = await post({ tool: 'read', args: { path: 'AGENTS.md' } });
    assert.equal(read.status, 200);
    assert.equal(read.body.ok && typeof read.body.result.content[0].text, 'string');
    const write = await post({ tool: 'write', args: { path: 'x', content: 'y' } });
    assert.deepEqual(
      [write.status, write.body],
      [
        404,
        {
          ok: false,
          error: {
            type: 'not_found',
            message: 'write is not available here: the global stage removed it (tools.deny: write).',
          },
        },
      ],
    );
    assert.equal((await post({ tool: 'read', args: {} })).status, 400);
    assert.deepEqual(
      (await post({ tool: 'edit', args: { path: 'AGENTS.md', oldText: 'a', newText: 'b' }, dryRun: true })).body.result
        .details.dryRun,
      true,
    );
    assert.equal(
      (await post({ tool: 'read', args: { path: 'AGENTS.md' }, sessionKey: 'agent:ghost:main' })).status,
      404,
    );
  });

  it('the methods speak the published protocol', async () => {
    await using gateway = await startGateway({ config: CONFIG });
    await using chat = await gateway.connect();
    const idsOf = (groups: any[]): string[] => groups.flatMap(({ tools }) => tools.map(({ id }: any) => id));
    assert.ok(idsOf((await chat.call('tools.catalog')).groups).includes('write'));
    assert.equal(idsOf((await chat.call('tools.effective', { sessionKey: 'main' })).groups).includes('write'), false);
    const invoked = await chat.call('tools.invoke', { name: 'read', args: { path: 'AGENTS.md' } });
    assert.deepEqual([invoked.toolName, typeof invoked.ok], ['read', 'boolean']);
    assert.equal((await chat.call('tools.invoke', { name: 'write', args: {} })).error.code, 'not_found');
    const { tools } = await chat.call('tools.explain', { tool: 'write' });
    assert.deepEqual(
      tools[0].stages.find((harness: any) => !harness.ok),
      { stage: 'global', ok: false, setting: 'tools.deny', pattern: 'write' },
    );
  });
});
