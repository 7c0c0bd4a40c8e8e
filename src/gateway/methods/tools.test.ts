/** `tools.*` through the protocol, compared with the published protocol. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { publishedProtocol } from '../../testing/published-protocol.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const protocol = publishedProtocol();
const ADMIN = { scopes: ['operator.admin'] };

it('tools.catalog is every tool by group, with the profiles that begin with it', async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.client(ADMIN);
  const { payload } = await client.request('tools.catalog', {});
  assert.equal(protocol.fault('ToolsCatalogResult', payload), undefined);
  assert.deepEqual(
    payload.groups.map(({ id, tools }: any) => [id, tools.map((tool: any) => tool.id)]),
    [
      ['fs', ['read']],
      ['runtime', ['bash']],
      ['plugin:lobster', ['lobster_run']],
    ],
  );
  assert.deepEqual(payload.groups[0].tools[0].defaultProfiles, ['coding', 'full']);
  assert.deepEqual(payload.groups[2].tools[0].defaultProfiles, ['full']);
  const own = await client.request('tools.catalog', { includePlugins: false });
  assert.equal(own.payload.groups.length, 2);
});

it('tools.effective is what a session has, with what is odd about its policy', async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.client(ADMIN);
  const { payload } = await client.request('tools.effective', { sessionKey: 'main' });
  assert.equal(protocol.fault('ToolsEffectiveResult', payload), undefined);
  assert.deepEqual(
    payload.groups.map(({ id, tools }: any) => [id, tools.map((tool: any) => tool.id)]),
    [
      ['core', ['read']],
      ['plugin', ['lobster_run']],
    ],
  );
  assert.match(payload.notices[0].message, /Did you mean "read"/);
  assert.equal((await client.request('tools.effective', {})).error.code, 'INVALID_REQUEST');
});

it('tools.explain tells every stage, of one tool or of all', async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.client({ scopes: ['operator.read'] });
  const { payload } = await client.request('tools.explain', {
    tool: 'exec',
    agentId: 'work',
    channel: 'telegram',
    groupId: '-100',
    sender: '4711',
    model: 'fake/echo',
  });
  assert.deepEqual(
    payload.tools.map(({ name, allowed }: any) => [name, allowed]),
    [['bash', false]],
  );
  assert.deepEqual(payload.tools[0].stages[1], {
    stage: 'global',
    ok: false,
    setting: 'tools.deny',
    pattern: 'group:runtime',
  });
  assert.deepEqual(gateway.services.tools.asked.at(-1), {
    agentId: 'work',
    sessionKey: undefined,
    channel: 'telegram',
    groupId: '-100',
    sender: '4711',
    model: 'fake/echo',
  });
  assert.equal((await client.request('tools.explain', {})).payload.tools.length, 3);
  assert.match(
    (await client.request('tools.explain', { tool: 'nosuch' })).error.message,
    /Unknown tool "nosuch".*read, bash/,
  );
  assert.match((await client.request('tools.explain', { agentId: 'nobody' })).error.message, /unknown agent/);
});

it('tools.invoke runs one, for those who may do everything', async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.client(ADMIN);
  const invoke = async (params: object) => {
    const { payload } = await client.request('tools.invoke', params);
    assert.equal(protocol.fault('ToolsInvokeResult', payload), undefined);
    return payload;
  };
  assert.deepEqual(await invoke({ name: 'read', args: { path: 'a' }, sessionKey: 'main' }), {
    ok: true,
    toolName: 'read',
    output: { content: [{ type: 'text', text: 'ran read' }], details: { args: { path: 'a' } } },
  });
  assert.deepEqual((await invoke({ name: 'read', args: { path: 'broken' } })).error, {
    code: 'not_found',
    message: 'File not found.',
  });
  assert.deepEqual((await invoke({ name: 'bash' })).error, { code: 'not_found', message: 'There is no tool "bash".' });
  assert.equal((await invoke({ name: 'read', args: { path: '' } })).error.code, 'invalid');
  assert.equal(gateway.services.tools.invoked[0]!.sessionKey, 'agent:main:main');

  const writer = await gateway.client({ scopes: ['operator.write', 'operator.approvals'] });
  assert.equal((await writer.request('tools.invoke', { name: 'read' })).error.code, 'FORBIDDEN');
  assert.equal(gateway.services.tools.invoked.length, 4);
});

it('tools.invoke stops the tool when the connection ends', async () => {
  await using gateway = await startTestGateway();
  const client = await gateway.client(ADMIN);
  client.request('tools.invoke', { name: 'read', args: { path: 'waits' } }).catch(() => undefined);
  while (gateway.services.tools.invoked.length === 0) await new Promise(setImmediate);
  const { signal } = gateway.services.tools.invoked[0]!;
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  client.socket.close();
  await stopped;
  assert.equal(signal.aborted, true);
});
