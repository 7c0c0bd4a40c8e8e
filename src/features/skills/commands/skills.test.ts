/** What the terminal says of skills, asked of a gateway that is played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../../cli/harness.ts';
import type { AgentSkill } from '../answers.ts';
import { skillsList, skillsShow } from './skills.ts';

const ferry: AgentSkill = {
  name: 'ferry',
  description: 'Knows the\nferries.\u001b[31m',
  from: 'workspace',
  path: '/home/ada/clawd/skills/ferry/SKILL.md',
  enabled: true,
  ready: false,
  requirements: [
    { kind: 'program', name: 'boat', met: false, install: ['brew install boat'] },
    { kind: 'variable', name: 'HARBOUR', met: true, install: [] },
  ],
};
const list = {
  agentId: 'main',
  folders: ['/home/ada/clawd/skills', '/srv/skills'],
  skills: [ferry, { ...ferry, name: 'tide', requirements: [] }, { ...ferry, name: 'old', enabled: false }],
};

test('skills list says what is ready, what is missing and what is off', async () => {
  const { out, io } = await runCommand(skillsList, { 'skills.list': list }, { flags: { agent: 'main' } });
  const lines = out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
  assert.deepEqual(lines, [
    'SKILL | STATE | FROM | DESCRIPTION',
    'ferry | needs boat | workspace | Knows the ferries.⟨U+001B⟩[31m',
    'tide | ready | workspace | Knows the ferries.⟨U+001B⟩[31m',
    'old | off | workspace | Knows the ferries.⟨U+001B⟩[31m',
  ]);
  assert.deepEqual(io.requests[0], { method: 'skills.list', params: { agentId: 'main' } });
  const none = await runCommand(skillsList, { 'skills.list': { ...list, skills: [] } });
  assert.equal(none.out, 'No skills. Put them into /home/ada/clawd/skills or /srv/skills.');
});

test('skills show gives the needs with what adds them, and the text without controls', async () => {
  const read = { name: 'ferry', path: ferry.path, content: '# Ferries\n\u001b]0;x\u0007\n' };
  const answers = { 'skills.list': list, 'skills.read': read };
  const { out } = await runCommand(skillsShow, answers, { args: ['ferry'] });
  assert.match(out, /Needs +program boat: missing; brew install boat\nNeeds +variable HARBOUR: there\n/);
  assert.ok(out.endsWith('# Ferries\n⟨U+001B⟩]0;x⟨U+0007⟩'));
  const { out: data } = await runCommand(skillsShow, answers, { args: ['ferry'], flags: { json: true } });
  assert.equal(JSON.parse(data).content, read.content);
  await assert.rejects(runCommand(skillsShow, answers, { args: ['moon'] }), {
    message: 'Unknown skill "moon". `skills list` lists the skills.',
  });
});
