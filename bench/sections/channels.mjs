/**
 * Messages through channels, against servers with the platforms' protocols: response time, cost of a busy day, and
 * memory of each channel.
 */
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises';
import { rssMiB } from '../machine.mjs';
import { floorRound } from '../measurements.mjs';
import { startGateway } from '../processes.mjs';
import { configure } from '../state-directories.mjs';
import { quantile } from '../statistics.mjs';

const CHATS = 20;
const PER_SECOND = 200;

export async function channels(harness) {
  await oneAfterTheOther(harness);
  await busyDay(harness);
  await weight(harness);
}

/** From the update to the call that answers it, with a model that answers at once. */
async function oneAfterTheOther({ plan, report, space, mock, repeat, watch }) {
  await using telegram = await startTelegram();
  await using gateway = await startGateway(withChannels(space.make('telegram'), mock.port, [telegram]));
  watch(gateway);
  const answered = async (count) => {
    const times = [];
    for (let index = 0; index < count; index++) times.push(await answer(telegram, index % CHATS));
    return times;
  };
  await answered(plan.warmUp / 2);
  const dir = space.make('floor');
  const measured = await repeat('rounds of Telegram messages', plan.rounds, async () => ({
    times: await answered(plan.turns),
    floor: await floorRound(mock, plan.turns, dir),
  }));
  const rounds = measured.map(({ times }) => times);
  report.add(
    'Telegram update to sendMessage, p50',
    'ms',
    rounds.map((times) => quantile(times, 0.5)),
    { atMost: 15 },
  );
  report.add(
    '  ÷ the floor: the model and one synced append',
    '×',
    measured.map(({ times, floor }) => quantile(times, 0.5) / floor.p50),
    { atMost: 4 },
  );
  report.add(
    'Telegram update to sendMessage, p95',
    'ms',
    rounds.map((times) => quantile(times, 0.95)),
  );
}

/** Many people at once, for a while: everybody is answered, and memory stays where it was. */
async function busyDay({ plan, report, space, mock, watch }) {
  await using telegram = await startTelegram();
  await using gateway = await startGateway(withChannels(space.make('busy'), mock.port, [telegram]));
  watch(gateway);
  const total = PER_SECOND * plan.busySeconds;
  const sent = () => telegram.fake.calls.filter(({ method }) => method === 'sendMessage').length;
  const rss = [];
  const pours = async (count) => {
    const begin = performance.now();
    const before = sent();
    for (let index = 0; index < count; index++) {
      await telegram.write(index % CHATS, `message ${index}`);
      const ahead = begin + ((index + 1) * 1000) / PER_SECOND - performance.now();
      if (ahead > 1) await sleep(ahead);
    }
    const poured = performance.now();
    while (sent() - before < count && performance.now() - poured < 60_000) await sleep(20);
    rss.push(rssMiB(gateway.pid));
    return { late: performance.now() - poured, missing: count - (sent() - before) };
  };
  await pours(total / 4);
  const done = await pours(total);
  report.add(`updates answered of ${total}, ${PER_SECOND} a second over ${CHATS} chats`, '', [total - done.missing], {
    atLeast: total,
  });
  report.add('  last answer after the last update', 'ms', [done.late], { atMost: 1000 });
  report.add('  memory (RSS) a quarter in', 'MiB', [rss[0]]);
  report.add('  memory (RSS) at the end, most of it garbage', 'MiB', [rss[1]], { atMost: 260 });
  await sleep(plan.restMs);
  report.add(`  memory (RSS) after ${plan.restMs / 1000} idle seconds`, 'MiB', [rssMiB(gateway.pid)]);
}

/** The memory of a gateway at rest, with no channel and with each. */
async function weight({ plan, report, space, mock, watch }) {
  const rest = async (name, platforms) => {
    await using gateway = await startGateway(withChannels(space.make(name), mock.port, platforms));
    watch(gateway);
    await sleep(plan.idleMs);
    return rssMiB(gateway.pid);
  };
  const bare = await rest('no-channel', []);
  report.add('memory (RSS) at rest, no channel', 'MiB', [bare]);
  for (const start of [startTelegram, startDiscord, startSlack]) {
    await using platform = await start();
    report.add(`  ${platform.id} adds`, 'MiB', [(await rest(platform.id, [platform])) - bare]);
  }
}

function withChannels(dir, mockPort, platforms) {
  const sections = platforms.map(({ id, fake }) => [
    id,
    { ...fake.config, ...fake.credentials, dmPolicy: 'open', allowFrom: ['*'] },
  ]);
  return configure(dir, mockPort, {
    channels: Object.fromEntries(sections),
    session: { dmScope: 'per-channel-peer' },
    messages: { queue: { mode: 'followup', cap: 10_000 } },
  });
}

async function startTelegram() {
  const { startFakeTelegram } = await import('../../src/channels/telegram/fake.ts');
  const fake = await startFakeTelegram();
  return {
    id: 'telegram',
    fake,
    write: (chat, text) =>
      fake.write({ chat: { kind: 'direct', id: String(1000 + chat) }, by: String(1000 + chat), name: 'Ann', text }),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  };
}

async function startDiscord() {
  const { startFakeDiscord } = await import('../../src/channels/discord/fake.ts');
  const fake = await startFakeDiscord();
  return { id: 'discord', fake, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

async function startSlack() {
  const { startFakeSlack } = await import('../../src/channels/slack/fake.ts');
  const fake = await startFakeSlack();
  return { id: 'slack', fake, [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose]() };
}

/** Milliseconds from the update to the call; the server's own clock is this process's. */
async function answer(telegram, chat) {
  const { calls } = telegram.fake;
  const from = calls.length;
  const begin = performance.now();
  await telegram.write(chat, 'hello');
  for (;;) {
    for (let index = from; index < calls.length; index++)
      if (calls[index].method === 'sendMessage') return performance.now() - begin;
    if (performance.now() - begin > 30_000) throw new Error('Telegram was not answered within 30 s.');
    await nextRound();
  }
}
