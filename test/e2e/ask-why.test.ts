/**
 * Access explanations of a whole gateway, by CLI and protocol; and the timeline with requester, refusals and extended
 * access.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCli } from '../../src/cli/cli.ts';
import { connect } from '../../src/cli/connect.ts';
import { fakeTerminal } from '../../src/cli/fake.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture, type Fixture } from '../crash/fixture.ts';

const PLUGIN = join(import.meta.dirname, '../crash/plugin');
const TOKEN = 'test-token-of-sufficient-length';
const CONFIG = {
  plugins: { load: { paths: [PLUGIN] } },
  session: { dmScope: 'per-channel-peer' },
  commands: { ownerAllowFrom: ['pipe:olga'] },
};
const call = (name: string, args: object) => ({ calls: [{ id: `call-${name}`, name, args }] });

describe('asking why', () => {
  let fixture: Fixture;
  let gateway: RunningGateway;
  let chat: Chat;
  let nth = 0;
  before(async () => {
    fixture = await createFixture();
    gateway = await startGateway({
      config: {
        ...CONFIG,
        channels: { pipe: { url: fixture.url, dmPolicy: 'open', allowFrom: ['*', 'ann', 'olga'] } },
      },
    });
    chat = await gateway.connect();
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    await fixture.close();
  });

  async function cli(
    ...argv: string[]
  ): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
    const io = { ...fakeTerminal({ vars: { HOME: gateway.stateDir } }), connect };
    const code = await runCli([...argv, '--url', `ws://127.0.0.1:${gateway.instance.port}`, '--token', TOKEN], io);
    return { code, out: io.lines.join('\n'), err: io.errors.join('\n') };
  }

  /** Somebody writes; resolves with the timeline once it was answered. */
  async function wrote(sender: string, text: string): Promise<any[]> {
    const id = `m${nth++}`;
    const answers = fixture.sends.length;
    fixture.unacknowledged.set(id, { id, chat: sender, text });
    await until(() => fixture.sends.length > answers, `an answer to ${sender}`);
    const seen = async () => (await chat.call('access.recent', { channel: 'pipe', limit: 1 })).messages[0];
    await until(async () => (await seen()).state !== 'accepted', 'its end');
    return (await chat.call('chat.timeline', { runId: (await seen()).runId })).entries;
  }
  const authority = (entries: any[]): any[] => entries.filter(({ stage }) => stage === 'authority');

  it('access explain says what a sender may, and with a verb every step and what would change it', async () => {
    const { code, out } = await cli('access', 'explain', '--channel', 'pipe', '--sender', 'ann');
    assert.equal(code, 0);
    assert.match(
      out,
      /Sender:\n {2}asks +ann on pipe, account default \(member\)\n {2}in +agent:main:pipe:dm:ann\n {2}through +in person/,
    );
    const { out: stranger } = await cli('access', 'explain', '--channel', 'telegram', '--sender', '5');
    assert.match(stranger, / {2}asks +nobody \(nobody\)\n.*\n {2}through +-\n/, 'nobody is not there in person');
    assert.match(out, /^received-file +read/m);
    assert.match(out, /^conversation +read, send, act, moderate/m);
    const why = (
      await cli(
        'access',
        'explain',
        '--channel',
        'pipe',
        '--sender',
        'ann',
        '--verb',
        'read',
        '--resource',
        'received-file',
      )
    ).out;
    assert.match(why, /Yes: read received-file .* one of their own conversation/);
    assert.match(
      why,
      /No: read received-file .* one of another conversation\n {2}✓ +standing .*\n {2}✗ +table .*only within their own conversation.*\n {2}✗ +opening +access\.open/,
    );
    assert.match(
      why,
      /To change this:\n.*"pipe:ann" to commands\.ownerAllowFrom.*\n.*the conversation it belongs to.*\n.*"received-files" to access\.open/,
    );
    assert.doesNotMatch(
      (
        await cli(
          'access',
          'explain',
          '--channel',
          'pipe',
          '--sender',
          'olga',
          '--verb',
          'read',
          '--resource',
          'received-file',
        )
      ).out,
      /^No:/m,
    );
  });

  it('devices by their scopes, what came through hands, and things by their owner', async () => {
    const asked = async (more: object): Promise<any> =>
      (await chat.call('access.explain', { channel: 'webchat', verb: 'change', resource: 'configuration', ...more }))
        .acts[0];
    assert.equal((await asked({})).ok, true);
    assert.deepEqual((await asked({ scopes: ['operator.write'] })).changes, [
      'Give the device the scope operator.admin.',
    ]);
    assert.deepEqual((await asked({ hands: ['job:7'] })).changes, [
      'Ask in person: a request that is passed on has fewer rights.',
    ]);
    const session = async (key: string): Promise<any> =>
      (
        await chat.call('access.explain', {
          channel: 'pipe',
          senderId: 'ann',
          verb: 'read',
          resource: `session:${key}`,
        })
      ).acts;
    assert.deepEqual(
      (await session('agent:main:pipe:dm:ann')).map(({ ok, thing }: any) => [ok, thing]),
      [[true, 'the session agent:main:pipe:dm:ann']],
    );
    assert.deepEqual(
      (await session('agent:main:main')).map(({ ok }: any) => ok),
      [false],
    );
    const made = await chat.call('cron.add', {
      name: 'mine',
      schedule: { kind: 'every', everyMs: 3_600_000 },
      sessionTarget: 'isolated',
      payload: { kind: 'agentTurn', message: 'look' },
    });
    assert.match(
      (
        await cli(
          'access',
          'explain',
          '--channel',
          'pipe',
          '--sender',
          'ann',
          '--verb',
          'read',
          '--resource',
          `job:${made.id}`,
        )
      ).out,
      /No: read job .*made by an operator/,
    );
  });

  it('what is no verb, no thing or not there says what there is', async () => {
    const reported = async (verb: string, resource: string): Promise<string> =>
      (await cli('access', 'explain', '--channel', 'pipe', '--sender', 'ann', '--verb', verb, '--resource', resource))
        .err;
    assert.match(
      await reported('read', 'files'),
      /Unknown resource "files"\. Resources: conversation, session, received-file,/,
    );
    assert.match(await reported('eat', 'session'), /Actions: read, send, start, stop, reset, change\./);
    assert.match(await reported('read', 'job:none'), /Unknown job "none"/);
    assert.match(await reported('read', 'configuration:x'), /There is only one configuration/);
    assert.match(await reported('read', 'received-file:/etc/passwd'), /absolute path below/);
    assert.match(
      (await cli('access', 'explain', '--channel', 'pipe', '--verb', 'read')).err,
      /Give both --verb and --resource/,
    );
    await assert.rejects(
      chat.call('access.explain', { channel: 'pipe', senderId: 'ann', scopes: ['operator.read'] }),
      /Only devices connected to the gateway have scopes/,
    );
  });

  it('tools explain says after the policy what the calls may do for that sender', async () => {
    const { out } = await cli(
      'tools',
      'explain',
      'gateway',
      '--session',
      'agent:main:pipe:dm:ann',
      '--channel',
      'pipe',
      '--sender',
      'ann',
    );
    assert.match(out, /^gateway: .*\nAvailable to agent main/);
    assert.match(out, /asks +ann on pipe, account default \(member\)/);
    assert.match(out, /No: change configuration .* any/);
    assert.doesNotMatch(
      (await cli('tools', 'explain', 'gateway')).out,
      /^No: /m,
      'without a sender it is whoever asks',
    );
    const { access } = await chat.call('tools.explain', { tool: 'agents_list' });
    assert.deepEqual(access.acts, []);
  });

  it('the timeline says who asked, and what was refused to them', async () => {
    gateway.models.reply(call('gateway', { action: 'config.get' }), { text: ['I may not.'] });
    const [asked, refused, ...more] = authority(await wrote('ann', 'what are your settings?'));
    assert.equal(
      asked.detail,
      'Asked by pipe:ann in a direct chat; may use commands, read and write in this conversation, and use what was started or received in it.',
    );
    assert.deepEqual(
      [refused.ok, refused.detail, more.length],
      [false, 'Refused: read configuration – read settings; secrets are masked.', 0],
    );
    assert.deepEqual(
      refused.steps.map(({ what, outcome }: any) => [what, outcome]),
      [
        ['standing', 'success'],
        ['table', 'blocked'],
      ],
    );

    gateway.models.reply(
      call('read', { path: join(gateway.stateDir, 'media/inbound/of-000000000000000000000000/x.txt') }),
      { text: ['I may not.'] },
    );
    const [, file] = authority(await wrote('ann', 'read that file'));
    assert.deepEqual(
      [file.ok, file.steps.map(({ what }: any) => what)],
      [false, ['standing', 'table', 'opening (access.open)']],
    );

    gateway.models.reply(call('sessions_history', { sessionKey: 'agent:main:pipe:dm:olga' }), { text: ['I may not.'] });
    const [, history] = authority(await wrote('ann', 'what did olga say?'));
    assert.equal(history.ok, false);
    assert.match(history.detail, /^Refused: read session \(agent:main:pipe:dm:olga\) – /);

    const [, command] = authority(await wrote('ann', '/config show'));
    assert.match(command.detail, /^Refused: (read|change) configuration \(agent:main:pipe:dm:ann\)/);
  });

  it('and what took more than the conversation, of the owner; everyday acts make no stage', async () => {
    gateway.models.reply(call('gateway', { action: 'config.get' }), { text: ['There.'] });
    const [asked, allowed] = authority(await wrote('olga', 'what are your settings?'));
    assert.match(asked.detail, /^Asked by pipe:olga in a direct chat; the owner: may all there is\.$/);
    assert.deepEqual(
      [allowed.ok, allowed.detail],
      [true, 'Allowed: read configuration – read settings; secrets are masked.'],
    );
    gateway.models.reply(call('message', { action: 'send', message: 'here' }), { text: ['Done.'] });
    assert.equal(authority(await wrote('ann', 'say it')).length, 1);
    const { runId, ended } = await chat.send('hello');
    await ended;
    const own = authority((await chat.call('chat.timeline', { runId })).entries).map(({ detail }) => detail);
    assert.match(own.join('|'), /^Asked by the device \S+ \(operator\.admin\); the owner: may all there is\.$/);
  });

  it('is bounded, and holds nothing secret', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({
      id: `c${n}`,
      name: 'sessions_history',
      args: { sessionKey: `agent:main:pipe:dm:x${n}${'y'.repeat(900)}` },
    }));
    gateway.models.reply({ calls: many }, { text: ['No.'] });
    const entries = await wrote('ann', 'all of them');
    const checks = authority(entries);
    assert.ok(checks.length > 2 && checks.length <= 33, `${checks.length} stages`);
    assert.ok(JSON.stringify(checks).length < 64_000);
    assert.doesNotMatch(JSON.stringify(entries), new RegExp(TOKEN));
  });
});
