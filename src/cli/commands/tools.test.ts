/** `tools list|explain|invoke` as a person reads them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { present } from '../../core/present.ts';
import { fakeTerminal } from '../fake.ts';
import { runCli } from '../cli.ts';

const READ = {
  name: 'read',
  summary: 'Read a file',
  source: 'core',
  allowed: true,
  stages: [
    { stage: 'profile', ok: true },
    { stage: 'global', ok: true, setting: 'tools.allow', pattern: 'group:fs' },
    { stage: 'available', ok: true },
  ],
};
const removed = (stage: string, setting: string, pattern?: string) => ({
  name: 'bash',
  summary: 'Run a command',
  source: 'core',
  allowed: false,
  stages: [{ stage: 'profile', ok: true }, present({ stage, ok: false, setting, pattern: pattern || undefined })],
});
const answer = (...tools: object[]) => ({
  agentId: 'main',
  sessionKey: 'agent:main:main',
  profile: 'full',
  tools,
  warnings: ['tools.allow names "raed".'],
});
const run = async (argv: string[], answers: Record<string, unknown>) => {
  const io = fakeTerminal({ answers });
  return { code: await runCli(argv, io), io };
};

it('list is a table of what is left and what removed the rest', async () => {
  const { io, code } = await run(
    [
      'tools',
      'list',
      '--agent',
      'main',
      '--session',
      'main',
      '--channel',
      'telegram',
      '--group',
      '-100',
      '--sender',
      '4711',
      '--model',
      'fake/echo',
    ],
    { 'tools.explain': answer(READ, removed('agent', 'agents.list[1].tools.deny', 'group:runtime')) },
  );
  assert.equal(code, 0);
  assert.deepEqual(io.lines.join('\n').split('\n'), [
    'Agent main, session agent:main:main, profile full.',
    '',
    'TOOL  ALLOWED  REMOVED BY',
    'read  yes',
    'bash  no       agent: agents.list[1].tools.deny "group:runtime"',
  ]);
  assert.deepEqual(io.errors, ['warning: tools.allow names "raed".']);
  assert.deepEqual(io.requests, [
    {
      method: 'tools.explain',
      params: {
        agentId: 'main',
        sessionKey: 'main',
        channel: 'telegram',
        groupId: '-100',
        sender: '4711',
        model: 'fake/echo',
      },
    },
  ]);
});

it('explain tells every stage, and how to change it', async () => {
  const { io } = await run(['tools', 'explain', 'bash'], {
    'tools.explain': answer(removed('agent', 'agents.list[1].tools.deny', 'group:runtime')),
  });
  assert.deepEqual(io.lines.join('\n').split('\n'), [
    'bash: Run a command',
    'Not available to agent main in agent:main:main.',
    '',
    '  ✓  profile  (nothing set)',
    '  ✗  agent    agents.list[1].tools.deny  "group:runtime"',
    '',
    'To change it:',
    '  remove "group:runtime" from agents.list[1].tools.deny',
  ]);
  const advice = async (...stage: [string, string, string?]): Promise<string> =>
    (await run(['tools', 'explain', 'bash'], { 'tools.explain': answer(removed(...stage)) })).io.lines
      .join('\n')
      .split('To change it:\n  ')[1]!;
  assert.equal(await advice('global', 'tools.allow', 'read, write'), 'add "bash" to tools.allow');
  assert.equal(
    await advice('profile', 'tools.profile', 'session_status'),
    'add "bash" to tools.alsoAllow, or choose a wider profile',
  );
  assert.match(await advice('sub-agent', 'built in', 'bash'), /not configurable/);
  assert.equal(
    await advice('available', 'agents.defaults.imageModel: no model can describe images'),
    'agents.defaults.imageModel: no model can describe images',
  );
  const allowed = await run(['tools', 'explain', 'read'], { 'tools.explain': answer(READ) });
  assert.doesNotMatch(allowed.io.lines.join('\n'), /To change it/);
});

it('--json prints what the gateway answered', async () => {
  const { io } = await run(['tools', '--json'], { 'tools.explain': answer(READ) });
  assert.deepEqual(JSON.parse(io.lines.join('')), answer(READ));
});

it('invoke prints the result; a failure is an exit code', async () => {
  const ok = {
    ok: true,
    toolName: 'read',
    output: {
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image', mimeType: 'image/png', data: '' },
      ],
    },
  };
  const good = await run(['tools', 'invoke', 'read', '--args', '{"path":"a"}'], {
    'tools.explain': answer(READ),
    'exec.approval.list': [],
    'tools.invoke': ok,
  });
  assert.deepEqual(
    [good.code, good.io.lines, good.io.requests.find(({ method }) => method === 'tools.invoke')!.params],
    [0, ['hello\n(image/png)'], { name: 'read', args: { path: 'a' } }],
  );
  const failed = await run(['tools', 'invoke', 'read'], {
    'tools.explain': answer(READ),
    'exec.approval.list': [],
    'tools.invoke': { ok: false, toolName: 'read', error: { code: 'not_found', message: 'There is no tool "read".' } },
  });
  assert.deepEqual([failed.code, failed.io.errors], [1, ['There is no tool "read".']]);
  for (const args of ['{', '[]', '7', 'null']) {
    const bad = await run(['tools', 'invoke', 'read', '--args', args], {});
    assert.deepEqual([bad.code, bad.io.requests.length], [1, 0], args);
  }
});
