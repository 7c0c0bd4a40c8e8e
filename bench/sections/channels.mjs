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
  await eachBesideTelegram(harness);
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

/** All channels in one gateway: from what a platform tells to what its people see, against Telegram in the same round. */
async function eachBesideTelegram({ plan, report, space, mock, repeat, watch }) {
  const { PLATFORMS } = await import('../../test/crash/platforms.ts');
  await using opened = new AsyncDisposableStack();
  const platforms = [];
  for (const kind of PLATFORMS) platforms.push({ kind, id: kind.id, fake: opened.use(await kind.start()) });
  await using gateway = await startGateway(withChannels(space.make('each'), mock.port, platforms));
  watch(gateway);
  for (const platform of platforms) await connected(platform, gateway);
  const round = async (count) => {
    const times = new Map(platforms.map(({ id }) => [id, []]));
    // In turns, so that whatever else the machine does meets all of them.
    for (let index = 0; index < count; index++)
      for (const platform of platforms) times.get(platform.id).push(await seenAnswer(platform));
    return new Map([...times].map(([id, all]) => [id, quantile(all, 0.5)]));
  };
  await round(plan.warmUp / 10);
  const rounds = await repeat('rounds of every channel', plan.rounds, () => round(plan.turns / 5));
  const of = (id) => rounds.map((one) => one.get(id));
  report.add('Telegram beside the others, message to answer, p50', 'ms', of('telegram'));
  for (const { id } of platforms.filter((one) => one.id !== 'telegram'))
    report.add(
      `  ${id} ÷ Telegram`,
      '×',
      of(id).map((ms, index) => ms / of('telegram')[index]),
      { atMost: 1.5 },
    );
}

/** A platform that posts to a webhook learns where the gateway is; then somebody must be there. */
async function connected({ id, fake }, { port }) {
  const deliver = async (path, { method, headers, body }) => ({
    status: (await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body })).status,
  });
  fake.reach?.(Object.assign(deliver, { isThere: () => true }));
  const begin = performance.now();
  while (fake.consumers === 0) {
    if (performance.now() - begin > 30_000) throw new Error(`The gateway did not connect to ${id} within 30 s.`);
    await sleep(20);
  }
}

/** Milliseconds from what a person wrote to the answer they see. */
async function seenAnswer({ kind, id, fake }) {
  const before = fake.seen(kind.chat).length;
  const begin = performance.now();
  await fake.write({ chat: kind.chat, by: kind.person, name: 'Ann', text: 'hello' });
  while (fake.seen(kind.chat).length === before) {
    if (performance.now() - begin > 30_000) throw new Error(`${id} was not answered within 30 s.`);
    await nextRound();
  }
  return performance.now() - begin;
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
  const { PLATFORMS } = await import('../../test/crash/platforms.ts');
  for (const { id, start } of PLATFORMS) {
    await using fake = await start();
    report.add(`  ${id} adds`, 'MiB', [(await rest(id, [{ id, fake }])) - bare]);
  }
}

function withChannels(dir, mockPort, platforms) {
  const sections = platforms.map(({ id, fake }) => [
    id,
    { ...fake.config, ...fake.credentials, dmPolicy: 'open', allowFrom: ['*'], streaming: 'off' },
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
