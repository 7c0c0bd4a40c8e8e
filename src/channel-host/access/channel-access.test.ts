/** Pairing, routes and access gates of a whole gateway, on a channel whose platform is a folder. */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startGateway } from '../../testing/running-gateway.ts';
import { until } from '../../testing/until.ts';

/** A channel whose platform is a folder. */
const PLUGIN = join(import.meta.dirname, '../../../test/fixtures/file-channel');

async function start(config: (dir: string) => object) {
  const place = { dir: '' };
  const gateway = await startGateway({
    config: {},
    async before(stateDir) {
      place.dir = join(stateDir, 'pipe');
      await mkdir(place.dir);
      const full = config(place.dir) as { channels: { pipe: object } };
      const text = await readFile(join(stateDir, 'clawdbot.json'), 'utf8');
      await writeFile(
        join(stateDir, 'clawdbot.json'),
        JSON.stringify({
          ...JSON.parse(text),
          ...full,
          plugins: { load: { paths: [PLUGIN] } },
          channels: { pipe: { dir: place.dir, ...full.channels.pipe } },
        }),
      );
    },
  });
  let count = 0;
  return {
    gateway,
    say: (message: object) =>
      writeFile(join(place.dir, 'in.jsonl'), `${JSON.stringify({ id: `m${++count}`, ...message })}\n`, { flag: 'a' }),
    sent: async (): Promise<{ to: string; text: string; token: string }[]> =>
      (await readFile(join(place.dir, 'out.jsonl'), 'utf8').catch(() => ''))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  };
}

test('G205 G230 an unknown sender gets one code, is approved by the owner and notified; groups stay closed', async () => {
  const { gateway, say, sent } = await start(() => ({ channels: { pipe: {} } }));
  await using _gateway = gateway;
  const owner = await gateway.connect();
  await say({ from: 'u7', name: 'Ann', text: 'hello?' });
  await say({ from: 'u7', name: 'Ann', text: 'anybody?' });
  await owner.event(({ event, payload }) => event === 'channel.pair.requested' && payload.id === 'u7');
  const refused = await until(async () => {
    const { messages } = await owner.call('access.recent', { channel: 'tube', refusedOnly: true });
    return messages.length === 2 && messages;
  });
  assert.match(refused[0].reason, /u7 is not in channels\.pipe\.allowFrom/);
  assert.equal(refused[0].steps.at(-1).step, 'allowlist');
  const gate = (await owner.call('chat.timeline', { runId: refused[0].runId })).entries.find(
    ({ stage }: { stage: string }) => stage === 'door',
  );
  assert.deepEqual(
    [gate.ok, gate.steps.at(-1).what, gate.steps.at(-1).outcome],
    [false, 'allowlist (channels.pipe.allowFrom)', 'blocked'],
  );
  const reported = await until(async () => (await sent())[0]);
  const {
    pending: [request],
  } = await owner.call('channel.pairing.list');
  assert.ok(reported.text.includes(`Pairing code: ${request.code}`) && reported.text.includes('Your Pipe user id: u7'));
  await assert.rejects(
    owner.call('channel.pairing.approve', { channel: 'pipe', code: 'AAAAAAAA' }),
    /No pending request with that code/,
  );
  await owner.call('channel.pairing.approve', { channel: 'tube', code: request.code });
  await owner.event(({ event, payload }) => event === 'channel.pair.resolved' && payload.decision === 'approved');
  await until(
    async () => (await sent()).some(({ token, to }) => token === `paired:pipe:u7:${request.code}` && to === 'u7'),
    'the notice of the approval',
  );
  await say({ from: 'u7', text: 'now?' });
  await until(async () => (await sent()).length === 3, 'the answer');
  assert.equal(
    (await sent()).filter(({ token }) => token.startsWith('pairing:')).length,
    1,
    'one code, however often they write',
  );
  const group = await owner.call('access.explain', {
    channel: 'pipe',
    chatKind: 'group',
    chatId: 'g1',
    senderId: 'u7',
    mentioned: true,
  });
  assert.deepEqual([group.allowed, group.steps.at(-1).step], [false, 'group-senders']);
  assert.deepEqual(
    (await owner.call('channel.pairing.list', { channel: 'pipe' })).approved.map(({ id }: { id: string }) => id),
    ['u7'],
  );
  assert.equal((await owner.call('channel.pairing.revoke', { channel: 'pipe', id: 'u7' })).revoked, true);
  assert.equal((await owner.call('access.explain', { channel: 'pipe', chatId: 'u7' })).allowed, false);
});

test('route and access are explained as they would be decided, and nothing is done', async () => {
  const { gateway, sent } = await start(() => ({
    agents: { list: [{ id: 'main', default: true }, { id: 'work' }] },
    bindings: [
      { agentId: 'work', match: { channel: 'tube', peer: { kind: 'group', id: 'g1' } } },
      { agentId: 'main', match: { channel: 'pipe', accountId: 'x' } },
      { agentId: 'work', match: { channel: 'nowhere' } },
    ],
    broadcast: { g2: ['main', 'work'] },
    channels: { pipe: { groupAllowFrom: ['u1'] } },
  }));
  await using _gateway = gateway;
  const owner = await gateway.connect();
  const explained = await owner.call('route.explain', {
    channel: 'pipe',
    chatKind: 'group',
    chatId: 'g1',
    threadId: '4',
  });
  assert.deepEqual([explained.route.agentId, explained.route.sessionKey], ['work', 'agent:work:pipe:group:g1:topic:4']);
  assert.deepEqual(
    explained.bindings.map(({ path, matches, chosen }: any) => [path, matches, chosen]),
    [
      ['bindings[0]', true, true],
      ['bindings[1]', false, false],
    ],
  );
  const together = await owner.call('route.explain', { channel: 'pipe', chatKind: 'group', chatId: 'g2' });
  assert.deepEqual(
    [together.broadcast, together.sessionKeys],
    [
      { agents: ['main', 'work'], strategy: 'parallel', path: 'broadcast.g2' },
      ['agent:main:pipe:group:g2', 'agent:work:pipe:group:g2'],
    ],
  );
  const quiet = await owner.call('access.explain', {
    channel: 'pipe',
    chatKind: 'group',
    chatId: 'g2',
    senderId: 'u1',
    text: 'hi all',
  });
  assert.deepEqual([quiet.allowed, quiet.steps.at(-1).step], [false, 'mention'], 'G35 a broadcast runs nobody either');
  assert.equal(
    (
      await owner.call('access.explain', {
        channel: 'pipe',
        chatKind: 'group',
        chatId: 'g2',
        senderId: 'u1',
        text: '/status',
      })
    ).allowed,
    true,
  );
  assert.equal((await owner.call('access.explain', { channel: 'pipe', chatId: 'u9' })).allowed, false);
  assert.deepEqual((await owner.call('channel.pairing.list')).pending, [], 'asking makes no code');
  assert.deepEqual(
    (await owner.call('route.review')).issues.map(({ path }: { path: string }) => path),
    ['bindings[1].match.accountId', 'bindings[2].match.channel'],
  );
  await assert.rejects(owner.call('access.explain', { channel: 'pip' }), /Unknown channel "pip"/);
  assert.deepEqual(await sent(), []);
});

test('with one owner, somebody else who is let in never becomes the place the main conversation writes to', async () => {
  const { gateway, say, sent } = await start(() => ({
    channels: { pipe: { dmPolicy: 'open', allowFrom: ['u1', '*'] } },
  }));
  await using _gateway = gateway;
  const owner = await gateway.connect();
  const lastTo = async () =>
    (await owner.call('sessions.list')).sessions.find(({ key }: { key: string }) => key === 'agent:main:main')?.lastTo;
  await say({ from: 'u1', text: 'my plans' });
  await until(async () => (await sent()).some(({ to }) => to === 'u1'), 'the answer to the owner');
  assert.equal(await lastTo(), 'u1');
  await say({ from: 'u2', text: 'hello from a guest' });
  await until(async () => (await sent()).some(({ to }) => to === 'u2'), 'the answer to the guest');
  assert.equal(await lastTo(), 'u1');
});
