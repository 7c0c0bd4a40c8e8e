// Former privilege escalations by group members, tried against a whole gateway on Slack; next to each, what the owner
// may do.
import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startFakeSlack, type FakeSlack } from '../../../src/channels/slack/fake.ts';
import type { Chat } from '../../../src/testing/channel-platform.ts';
import { startGateway, type RunningGateway } from '../../../src/testing/running-gateway.ts';
import { until } from '../../../src/testing/until.ts';

const [ANN, BOB] = ['U0ANN00001', 'U0BOB00001'];
const DIRECT: Chat = { kind: 'direct', id: ANN };
const GROUP: Chat = { kind: 'channel', id: 'C0GENERAL1' };
const BOARD: Chat = { kind: 'channel', id: 'C0BOARD001' };
const OWNERS_SESSION = 'agent:main:main';

interface Call {
  readonly name: string;
  readonly args: Record<string, unknown>;
}
interface Facts {
  readonly received: string;
  readonly job: string;
  readonly process: string;
  readonly said: string;
  readonly dm: string;
  readonly state: string;
}

/** What the owner's own turn in that group gets; members get none of it. */
const TEMPTATIONS: Readonly<Record<string, (facts: Facts) => Call>> = {
  'writing into the private channel': () => ({
    name: 'message',
    args: { action: 'send', target: BOARD.id, message: 'EVIL' },
  }),
  'writing to the owner': () => ({ name: 'message', args: { action: 'send', target: `user:${ANN}`, message: 'EVIL' } }),
  'reading the private channel': () => ({ name: 'message', args: { action: 'read', target: BOARD.id } }),
  'reading the owner’s direct chat': ({ dm }) => ({ name: 'message', args: { action: 'read', target: dm } }),
  'reacting in the private channel': ({ said }) => ({
    name: 'message',
    args: { action: 'react', target: BOARD.id, messageId: said, emoji: '👍' },
  }),
  'the owner’s file': ({ received }) => ({ name: 'read', args: { path: received } }),
  'the owner’s file, by a command': ({ received }) => ({ name: 'bash', args: { command: `cat ${received}` } }),
  'sending the owner’s file': ({ received }) => ({
    name: 'message',
    args: { action: 'send', message: 'here', media: received },
  }),
  'what the owner said': () => ({ name: 'sessions_history', args: { sessionKey: OWNERS_SESSION } }),
  'the state of the owner’s session': () => ({ name: 'session_status', args: { sessionKey: OWNERS_SESSION } }),
  'writing into the owner’s session': () => ({
    name: 'sessions_send',
    args: { sessionKey: OWNERS_SESSION, message: 'EVIL', timeoutSeconds: 0 },
  }),
  'a prompt file': () => ({ name: 'write', args: { path: 'SOUL.md', content: 'EVIL' } }),
  'a prompt file, by an edit': () => ({
    name: 'edit',
    args: { path: 'AGENTS.md', oldText: 'kept by the owner', newText: 'EVIL' },
  }),
  'a prompt file, by a patch': () => ({
    name: 'apply_patch',
    args: { input: '*** Begin Patch\n*** Add File: skills/other/SKILL.md\n+EVIL\n*** End Patch' },
  }),
  'the memory': () => ({ name: 'write', args: { path: 'memory/2026-11-24.md', content: 'EVIL' } }),
  'a skill': () => ({
    name: 'write',
    args: { path: 'skills/evil/SKILL.md', content: '---\nname: evil\ndescription: EVIL\n---\n' },
  }),
  'the owner’s process': ({ process }) => ({ name: 'process', args: { action: 'log', sessionId: process } }),
  'typing into the owner’s process': ({ process }) => ({
    name: 'process',
    args: { action: 'write', sessionId: process, data: 'EVIL\n' },
  }),
  'the runs of the owner’s job': ({ job }) => ({ name: 'cron', args: { action: 'runs', jobId: job } }),
  'changing the owner’s job': ({ job }) => ({
    name: 'cron',
    args: { action: 'update', jobId: job, patch: { name: 'EVIL' } },
  }),
  'a job that writes to the owner': ({ dm }) => ({
    name: 'cron',
    args: {
      action: 'add',
      job: {
        name: 'EVIL',
        schedule: 'every day at 7:00',
        payload: { kind: 'agentTurn', message: 'EVIL' },
        deliver: true,
        channel: 'slack',
        to: dm,
      },
    },
  }),
  'the configuration': () => ({ name: 'gateway', args: { action: 'config.get', path: 'messages' } }),
  'running the owner’s job': ({ job }) => ({ name: 'cron', args: { action: 'run', jobId: job } }),
  'ending the owner’s process': ({ process }) => ({ name: 'process', args: { action: 'kill', sessionId: process } }),
  'forgetting the owner’s job': ({ job }) => ({ name: 'cron', args: { action: 'remove', jobId: job } }),
};

/** What neither gets: what limits the agent, and the keys of the gateway. */
const NOBODYS: Readonly<Record<string, (facts: Facts) => Call>> = {
  'the gateway’s token': ({ state }) => ({ name: 'read', args: { path: join(state, 'gateway.token') } }),
  'the journal': ({ state }) => ({ name: 'read', args: { path: join(state, 'journal.sqlite') } }),
  'the lists of who may': ({ state }) => ({
    name: 'write',
    args: { path: join(state, 'exec-approvals.json'), content: '{}' },
  }),
};

/** Each says why: whose it is, or that it is nothing they know of. */
const REFUSED =
  /not allowed|only within their own conversation|is outside the workspace|was received in another conversation|nobody answered within 1 s, so nothing was run|^[^:]+: (?:There is no job|No (?:active )?session found for)/;

/** What a member keeps. */
const NEIGHBOURS: Readonly<Record<string, () => Call>> = {
  'writing in this chat': () => ({ name: 'message', args: { action: 'send', message: 'hello group' } }),
  'reading this chat': () => ({ name: 'message', args: { action: 'read' } }),
  'a file of the workspace': () => ({ name: 'read', args: { path: 'notes.txt' } }),
  'writing one': () => ({ name: 'write', args: { path: 'plan.txt', content: 'our plan' } }),
  'a harmless command': () => ({ name: 'bash', args: { command: 'cat notes.txt' } }),
  'a job for this chat': () => ({
    name: 'cron',
    args: {
      action: 'add',
      job: {
        name: 'Lunch',
        schedule: 'every day at 12:00',
        payload: { kind: 'agentTurn', message: 'Say that it is noon' },
      },
    },
  }),
  'the state of this conversation': () => ({ name: 'session_status', args: {} }),
};

describe('who may, in a whole gateway', () => {
  let platform: FakeSlack;
  let gateway: RunningGateway;
  let facts: Facts;
  let turns = 0;
  const workspace = (): string => join(gateway.stateDir, '..', 'clawd');

  /** One turn of theirs in which the model tries all of it; what it was told of each. */
  async function tries(by: string, where: Chat, calls: readonly Call[]): Promise<readonly string[]> {
    const turn = ++turns;
    const reported = Promise.withResolvers<ReadonlyMap<string | undefined, string>>();
    // What is set in motion answers beside it.
    gateway.models.otherwise(({ texts, toolResults }) => {
      if (!texts.some((text) => text.includes(`turn ${turn}.`))) return { text: ['ok'] };
      if (!toolResults.some(({ id }) => id === `c${turn}-0`))
        return { calls: calls.map((call, index) => ({ id: `c${turn}-${index}`, ...call })) };
      reported.resolve(new Map(toolResults.map(({ id, text }) => [id, text])));
      return { text: [`done ${turn}`] };
    });
    await platform.write({
      chat: where,
      by,
      name: by === ANN ? 'Ann' : 'Bob',
      text: `turn ${turn}.`,
      mention: where.kind !== 'direct',
    });
    const results = await reported.promise;
    await until(() => platform.seen(where).some(({ text }) => text === `done ${turn}`), 'the turn to end');
    return calls.map((_, index) => results.get(`c${turn}-${index}`) ?? 'no result');
  }

  before(async () => {
    platform = await startFakeSlack();
    const { userToken: _, ...credentials } = platform.credentials;
    gateway = await startGateway({
      config: {
        channels: { slack: { ...platform.config, ...credentials, allowFrom: [ANN], groupPolicy: 'open' } },
        messages: { queue: { mode: 'followup' } },
        tools: { exec: { approvalTimeoutSec: 1 } },
      },
      before: (state) =>
        writeFile(
          join(state, 'exec-approvals.json'),
          JSON.stringify({
            version: 1,
            agents: { main: { allowlist: [{ pattern: '/usr/bin/sleep' }, { pattern: '/bin/sleep' }] } },
          }),
          { mode: 0o600 },
        ),
    });
    await using chat = await gateway.connect();
    await until(
      async () =>
        (await chat.call('channels.status', {})).channelAccounts?.slack?.some(
          (account: { connected?: boolean }) => account.connected,
        ),
      'the connection',
    );
    await mkdir(workspace(), { recursive: true });
    await writeFile(join(workspace(), 'notes.txt'), 'notes of all');
    await writeFile(join(workspace(), 'AGENTS.md'), 'kept by the owner');
    const said = await platform.write({ chat: BOARD, by: ANN, name: 'Ann', text: 'SECRET of the board' });
    gateway.models.reply({ text: ['kept'] });
    await platform.write({
      chat: DIRECT,
      by: ANN,
      name: 'Ann',
      text: 'keep this',
      file: { name: 'letter.txt', mime: 'text/plain', data: Buffer.from('SECRET letter') },
    });
    await until(() => platform.seen(DIRECT).some(({ text }) => text === 'kept'), 'the file to be kept');
    const [made] = await tries(ANN, DIRECT, [
      {
        name: 'cron',
        args: {
          action: 'add',
          job: {
            name: 'Plan',
            schedule: 'every weekday at 7:00',
            payload: { kind: 'agentTurn', message: 'SECRET plan' },
          },
        },
      },
      { name: 'bash', args: { command: 'sleep 600', background: true } },
    ]);
    assert.match(made!, /Plan/);
    const media = join(gateway.stateDir, 'media', 'inbound');
    const folders = (await readdir(media)).filter((name) => name.startsWith('of-'));
    const letters = (
      await Promise.all(
        folders.map(async (folder) => (await readdir(join(media, folder))).map((name) => join(media, folder, name))),
      )
    ).flat();
    const jobs = (await chat.call('cron.list', {})).jobs as readonly { readonly id: string }[];
    const processes = (await chat.call('process.list', {})).processes as readonly { readonly sessionId: string }[];
    assert.deepEqual([letters.length, jobs.length, processes.length], [1, 1, 1]);
    facts = {
      received: letters[0]!,
      job: jobs[0]!.id,
      process: processes[0]!.sessionId,
      said,
      dm: `D${ANN.slice(1)}`,
      state: gateway.stateDir,
    };
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    await platform[Symbol.asyncDispose]();
  });

  it('members have nothing done beyond their conversation', async (t) => {
    const names = [...Object.keys(TEMPTATIONS), ...Object.keys(NOBODYS)];
    const reported = await tries(
      BOB,
      GROUP,
      Object.values({ ...TEMPTATIONS, ...NOBODYS }).map((make) => make(facts)),
    );
    const through = reported
      .map((text, index) => `${names[index]}: ${text.slice(0, 300)}`)
      .filter((line) => !REFUSED.test(line) || /SECRET/.test(line));
    assert.deepEqual(through, []);
    await using chat = await gateway.connect();
    assert.doesNotMatch(JSON.stringify([platform.seen(BOARD), platform.seen(DIRECT)]), /EVIL/);
    assert.deepEqual(
      (await chat.call('cron.list', {})).jobs.map(({ name }: { name: string }) => name),
      ['Plan'],
    );
    assert.equal((await chat.call('process.list', {})).processes.length, 1);
    assert.doesNotMatch(JSON.stringify(await chat.history(OWNERS_SESSION)), /EVIL/);
    assert.equal(await readFile(join(workspace(), 'AGENTS.md'), 'utf8'), 'kept by the owner');
    const files = await readdir(workspace(), { recursive: true });
    for (const path of files.filter((name) => name.endsWith('.md')))
      assert.doesNotMatch(await readFile(join(workspace(), path), 'utf8'), /EVIL/, path);
    t.diagnostic(`front door: ${names.length - through.length}/${names.length} refused`);
  });

  it('members keep what is theirs', async (t) => {
    const reported = await tries(
      BOB,
      GROUP,
      Object.values(NEIGHBOURS).map((make) => make()),
    );
    const lines = reported.map((text, index) => `${Object.keys(NEIGHBOURS)[index]}: ${text.slice(0, 200)}`);
    assert.deepEqual(
      lines.filter((line) => REFUSED.test(line)),
      [],
    );
    t.diagnostic(`front door: ${lines.length}/${lines.length} neighbours`);
  });

  it('the owner has all of it done, in the same group', async (t) => {
    const names = Object.keys(TEMPTATIONS);
    const reported = await tries(
      ANN,
      GROUP,
      Object.values(TEMPTATIONS).map((make) => make(facts)),
    );
    const lines = reported.map((text, index) => `${names[index]}: ${text.slice(0, 300)}`);
    assert.deepEqual(
      lines.filter((line) => REFUSED.test(line)),
      [],
    );
    assert.match(JSON.stringify(platform.seen(BOARD)), /EVIL/);
    t.diagnostic(`front door: ${lines.length}/${lines.length} for the owner`);
  });
});
