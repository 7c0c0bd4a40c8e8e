/** What the terminal says of one agent, asked of a gateway that is played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../../cli/harness.ts';
import type { AgentDescribed } from '../answers.ts';
import { agentsShow } from './agents-show.ts';

const shop: AgentDescribed = {
  agentId: 'shop',
  isDefault: false,
  written: true,
  name: 'Shop\u202egpj',
  identity: { emoji: '🛒' },
  workspace: '/home/ada/shop',
  model: { own: true, primary: 'mock/large', fallbacks: ['mock/small'] },
  skills: [],
  tools: { profile: 'messaging', deny: ['cron'] },
  bindings: 2,
};
const files = {
  files: [
    { name: 'SOUL.md', known: true, exists: true },
    { name: 'USER.md', known: true, exists: false },
  ],
};

test('agents show says what is in force, without what nothing is said of', async () => {
  const answers = { 'agents.describe': shop, 'agents.files.list': files };
  const { out, io } = await runCommand(agentsShow, answers, { args: ['shop'] });
  assert.deepEqual(
    out.split('\n').map((line) => line.replace(/ {2,}/, ': ')),
    [
      'Agent: shop',
      'Name: 🛒 Shop⟨U+202E⟩gpj',
      'Folder: /home/ada/shop',
      'Model: mock/large',
      'Fallbacks: mock/small',
      'Skills: none',
      'Tool profile: messaging',
      'Tools denied: cron',
      'Bindings: 2',
      'Files: SOUL.md',
    ],
  );
  assert.deepEqual(io.requests, [
    { method: 'agents.describe', params: { agentId: 'shop' } },
    { method: 'agents.files.list', params: { agentId: 'shop' } },
  ]);
});

test('agents show without an id asks for the default agent', async () => {
  const usual = { ...shop, agentId: 'main', isDefault: true, model: { own: false, fallbacks: [] }, tools: {} };
  const answers = { 'agents.describe': usual, 'agents.files.list': files };
  const { out, io } = await runCommand(agentsShow, answers);
  assert.match(out, /^Agent +main \(default\)$/m);
  assert.match(out, /^Model +chosen by the gateway \(as all agents\)$/m);
  assert.deepEqual(io.requests[0], { method: 'agents.describe', params: {} });
  const { out: data } = await runCommand(agentsShow, answers, { flags: { json: true } });
  assert.deepEqual(JSON.parse(data), { ...usual, ...files });
});
