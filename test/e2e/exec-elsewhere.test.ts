/** Commands requested on a channel, and commands in a sandbox: who may approve them, and what they can access. */
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { findProgram } from '../../src/platform/find-program.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture, type Fixture } from '../crash/fixture.ts';

const PLUGIN = join(import.meta.dirname, '../crash/plugin');
const bash = (args: object, id = 'call') => ({ calls: [{ id, name: 'bash', args }] });
const workspaceOf = (gateway: RunningGateway): string => join(gateway.stateDir, '..', 'clawd');
const results = (gateway: RunningGateway, nth: number): string[] =>
  gateway.models.requests[nth]!.toolResults.map(({ text }) => text);

async function onPipe(
  run: (fixture: Fixture, gateway: RunningGateway, say: (message: object) => void) => Promise<void>,
  config: object = {},
): Promise<void> {
  const fixture = await createFixture();
  try {
    await using gateway = await startGateway({
      config: {
        plugins: { load: { paths: [PLUGIN] } },
        channels: { pipe: { url: fixture.url, allowFrom: ['ann', 'bob', '*'] } },
        ...config,
      },
    });
    let nth = 0;
    await run(fixture, gateway, (message) => {
      const id = `m${nth++}`;
      fixture.unacknowledged.set(id, { id, chat: 'ann', text: '', ...message });
    });
  } finally {
    await fixture.close();
  }
}

describe('a command asked for in a chat', () => {
  it('is announced there whole, and runs after /approve from somebody who is named', async () =>
    onPipe(async (fixture, gateway, say) => {
      gateway.models.reply(bash({ command: 'touch from-chat.txt' }), { text: ['Made it.'] });
      say({ text: 'make it' });
      await until(() => fixture.sends.length === 1);
      const notice = fixture.sends[0]!.text;
      assert.match(notice, /Approval needed \(([0-9a-f]{8})\)\n```\ntouch from-chat\.txt\n```\nin `\//);
      const slug = /\(([0-9a-f]{8})\)/.exec(notice)![1]!;
      say({ text: `/approve ${slug}`, chat: 'ann' });
      await until(() => fixture.sends.length === 2);
      assert.match(fixture.sends[1]!.text, /Usage: \/approve/);
      say({ text: `/approve ${slug} allow-once` });
      await until(() => fixture.sends.length === 4);
      assert.deepEqual(
        fixture.sends
          .slice(2)
          .map(({ text }) => text)
          .sort(),
        ['Made it.', `⚙️ Approved ${slug} (allow-once).`].sort(),
      );
      assert.ok(existsSync(join(workspaceOf(gateway), 'from-chat.txt')));
    }));

  it('is not approved by everybody who may write', async () =>
    onPipe(async (fixture, gateway, say) => {
      gateway.models.reply(bash({ command: 'touch no.txt' }), { text: ['Stopped.'] });
      say({ text: 'make it' });
      await until(() => fixture.sends.length === 1);
      const slug = /\(([0-9a-f]{8})\)/.exec(fixture.sends[0]!.text)![1]!;
      say({ text: `/approve ${slug} allow-once`, chat: 'eve', sender: 'eve' });
      await until(() => fixture.unacknowledged.size === 0);
      await until(() => fixture.sends.length === 2);
      assert.match(fixture.sends[1]!.text, /may not answer approvals here/, 'who is answered at all is told why');
      await using chat = await gateway.connect();
      const { messages } = await chat.call('access.recent', { limit: 10 });
      assert.ok(messages.some(({ sender }: any) => sender.id === 'eve'));
      assert.equal((await chat.call('exec.approval.list')).length, 1);
      await chat.call('exec.approval.resolve', { id: slug, decision: 'deny' });
      await until(() => fixture.sends.length === 3);
      assert.equal(existsSync(join(workspaceOf(gateway), 'no.txt')), false);
    }));

  it('is not elevated by a sender nobody listed, and is by one who is (T5)', async () =>
    onPipe(
      async (fixture, gateway, say) => {
        gateway.models.reply(bash({ command: 'touch up.txt' }), { text: ['up'] });
        say({ text: '/elevated full', chat: 'bob', sender: 'bob' });
        await until(() => fixture.sends.some(({ text }) => text.includes('full for this session')));
        say({ text: 'make it', chat: 'bob', sender: 'bob' });
        await until(() => fixture.sends.some(({ text }) => text === 'up'));
        assert.ok(existsSync(join(workspaceOf(gateway), 'up.txt')));
        gateway.models.reply(bash({ command: 'touch down.txt', elevated: true }), { text: ['down'] });
        say({ text: 'make it', chat: 'ann', sender: 'ann' });
        await until(() => fixture.sends.some(({ text }) => text === 'down'));
        assert.match(
          results(gateway, 3)[0]!,
          /allowFrom \(tools\.elevated\.allowFrom\.pipe\)[\s\S]*provider=pipe session=/,
        );
        assert.equal(existsSync(join(workspaceOf(gateway), 'down.txt')), false);
      },
      {
        tools: { elevated: { allowFrom: { pipe: ['bob'] } }, exec: { approvalTimeoutSec: 1 } },
        session: { dmScope: 'per-channel-peer' },
      },
    ));

  it('tells its chat when it ended in the background', async () =>
    onPipe(
      async (fixture, gateway, say) => {
        gateway.models.reply(
          bash({ command: 'sleep 0.2; echo brewed', background: true }),
          { text: ['Brewing.'] },
          { text: ['The coffee is ready.'] },
        );
        say({ text: 'coffee' });
        await until(() => fixture.sends.length === 2);
        assert.deepEqual(
          fixture.sends.map(({ chat, text }) => [chat, text]),
          [
            ['ann', 'Brewing.'],
            ['ann', 'The coffee is ready.'],
          ],
        );
        assert.match(gateway.models.requests[2]!.texts.at(-1)!, /Exec completed .* :: "brewed"/);
      },
      { tools: { exec: { security: 'full', ask: 'off' } } },
    ));
});

const bwrap = await findProgram('bwrap', process.env['PATH']);

describe('a sandboxed conversation', { skip: bwrap ? false : 'bubblewrap is not installed' }, () => {
  it('works in a box: same files for commands and tools, nothing of the machine, no questions', async () => {
    await using gateway = await startGateway({ config: { agents: { defaults: { sandbox: { mode: 'all' } } } } });
    await using chat = await gateway.connect();
    await chat.say('hello');
    writeFileSync(join(workspaceOf(gateway), 'private.txt'), 'mine');
    gateway.models.reply(
      { calls: [{ id: 'w', name: 'write', args: { path: '/workspace/a.txt', content: 'from the tool\n' } }] },
      bash({ command: 'pwd; cat a.txt; ls -A; cat /etc/shadow; touch b.txt; echo $((6 * 7))' }, 'b'),
      {
        calls: [
          { id: 'r', name: 'read', args: { path: 'b.txt' } },
          { id: 'x', name: 'read', args: { path: join(workspaceOf(gateway), 'private.txt') } },
        ],
      },
      { text: ['Done.'] },
    );
    assert.equal(await chat.say('work'), 'Done.');
    const said = results(gateway, 3).at(-1)!;
    assert.match(said, /^\/workspace\nfrom the tool\na\.txt\n/);
    assert.match(said, /42/);
    assert.doesNotMatch(said, /private|root:/);
    assert.match(results(gateway, 4).at(-1)!, /outside|not/);
    assert.equal(
      chat.events.some((frame: any) => frame.event === 'exec.approval.requested'),
      false,
    );
    assert.match(gateway.models.requests[0]!.system, /## Sandbox\n/);
    assert.match(gateway.models.requests[0]!.system, /Your working folder is \/workspace\./);
  });

  it('leaves the main session alone with non-main, and leaves its box only by being elevated', async () => {
    await using gateway = await startGateway({
      config: { agents: { defaults: { sandbox: { mode: 'non-main', workspaceAccess: 'ro' } } } },
    });
    await using chat = await gateway.connect();
    gateway.models.reply(bash({ command: 'pwd' }), { text: ['main'] });
    await chat.say('go');
    assert.equal(results(gateway, 1)[0], workspaceOf(gateway));
    gateway.models.reply(bash({ command: 'pwd; touch x' }), bash({ command: 'pwd', elevated: true }, 'up'), {
      text: ['other'],
    });
    const answered = chat.say('go', { session: 'agent:main:side' });
    await until(
      async () => (await chat.call('exec.approval.list')).length === 1,
      'the model’s word alone asks a person',
    );
    const [asked] = await chat.call('exec.approval.list');
    assert.match(JSON.stringify(asked), /outside the sandbox/);
    await chat.call('exec.approval.resolve', { id: asked.id, decision: 'allow-once' });
    await answered;
    assert.match(results(gateway, 3).at(-1)!, /^\/workspace\n[\s\S]*exited with code 1/, 'read-only');
    assert.equal(results(gateway, 4).at(-1), workspaceOf(gateway));
    assert.deepEqual(
      gateway.models.requests[2]!.tools.map(({ name }) => name).filter((name) =>
        ['write', 'edit', 'apply_patch', 'cron', 'browser'].includes(name),
      ),
      [],
    );
    const { sandboxed, because } = await chat.call('sandbox.explain', { sessionKey: 'agent:main:main' });
    assert.deepEqual([sandboxed, /is the main session/.test(because)], [false, true]);
  });
});
