/**
 * The real process is killed at random times under load on several sessions and a channel: the state stays consistent.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import type { GatewayConnection } from '../../src/gateway/client.ts';
import { audit, setAside, type Said } from './audit.ts';
import { timesOf } from './matrix.ts';
import { openRows } from './journal.ts';
import { configText, connect, LINK, linkReader, start, stop, type Running } from './scenario.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture, type Fixture } from './fixture.ts';

/** More on demand; a failure is had again with the seed it names. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? timesOf(6, 50));
/** The last one also stops, starts over and compacts. */
const SESSIONS = ['s0', 's1', 's2', 'x0'];
const CHATS = ['ann', 'bob'];
const MODES = ['followup', 'steer', 'collect'];
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** mulberry32: a failure is found again with its seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Everything ever said; what has no receipt is said again to the next run, in order, as clients do. */
function createSenders(random: () => number) {
  const said: Said[] = [];
  const receipts = new Set<string>();
  const counts = new Map<string, number>();

  function next(session: string): Said {
    const nth = counts.get(session) ?? 0;
    counts.set(session, nth + 1);
    const name = `${session}-${nth}`;
    const roll = random();
    const command =
      session === 'x0' && roll < 0.4 ? ['/stop', '/new', '/compact', '/status'][Math.floor(roll * 10)] : undefined;
    const work =
      roll > 0.75 ? ` do ${session}n${nth}a do ${session}n${nth}b` : roll > 0.6 ? ` do ${session}n${nth}` : '';
    const message = {
      id: `id-${name}`,
      session,
      nth,
      text: command ?? `${name}${work}${nth % 3 === 1 ? ` ${LINK}` : ''}`,
    };
    said.push(message);
    return message;
  }

  async function talk(client: GatewayConnection, session: string, fresh: number): Promise<void> {
    const open = said.filter((one) => one.session === session && !receipts.has(one.id));
    for (const one of [...open, ...Array.from({ length: fresh }, () => next(session))]) {
      const request = {
        sessionKey: session,
        message: one.text,
        idempotencyKey: one.id,
        ...(one.text.startsWith('/') ? {} : filesOf(one)),
      };
      await client.call('chat.send', request).catch((error: unknown) => {
        // It was taken in an earlier run, whose receipt was not heard, and has its end.
        if (!/crashed twice/.test(String(error))) throw error;
      });
      receipts.add(one.id);
    }
  }
  return { said, talk, next };
}

/** Now and then a picture, now and then a document. */
function filesOf({ nth }: Said): { attachments?: readonly object[] } {
  if (nth % 4 === 3)
    return { attachments: [{ type: 'image', mimeType: 'image/png', fileName: 'dot.png', content: PIXEL }] };
  return nth % 4 === 1
    ? {
        attachments: [
          { mimeType: 'text/csv', fileName: 'table.csv', content: Buffer.from('a,b\n1,2\n3,4\n').toString('base64') },
        ],
      }
    : {};
}

async function kill({ child, gone }: Pick<Running, 'child' | 'gone'>): Promise<void> {
  child.kill('SIGKILL');
  await gone;
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function round(
  home: string,
  fixture: Fixture,
  senders: ReturnType<typeof createSenders>,
  random: () => number,
): Promise<void> {
  await writeFile(
    join(home, 'clawdbot.json'),
    configText(fixture.url, MODES[Math.floor(random() * MODES.length)], await linkReader(home)),
  );
  const running = await start(home, fixture, '-');
  for (const chat of CHATS) {
    const { id, text } = senders.next(chat);
    fixture.unacknowledged.set(id, { id, chat, text });
  }
  const talking = connect(running)
    .then((client) => Promise.all(SESSIONS.map((session) => senders.talk(client, session, 3))))
    .catch(() => undefined /* it was killed meanwhile */);
  await after(random() ** 2 * 400);
  await kill(running);
  await talking;
}

it(`survives ${KILLS} kills at random moments under load`, { timeout: timesOf(120_000, 600_000) }, async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000);
  const random = dice(seed);
  const home = await mkdtemp(join(tmpdir(), 'clawdbot-kills-'));
  const fixture = await createFixture();
  fixture.pause = () => random() * 30;
  const senders = createSenders(random);
  try {
    for (let nth = 0; nth < KILLS; nth++) await round(home, fixture, senders, random);
    const last = await start(home, fixture, '-');
    const client = await connect(last);
    await Promise.all(SESSIONS.map((session) => senders.talk(client, session, 0)));
    await until(() => fixture.unacknowledged.size === 0 && openRows(home) === 0).catch(
      () => undefined /* the audit says what is open */,
    );
    await client.close();
    await stop(last);
    const faults = audit(home, fixture, senders.said, new Set(['x0']));
    const aside = setAside(home);
    t.diagnostic(
      `random kills: ${senders.said.length} messages, ${aside.length} of them under way at two deaths in a row and set aside`,
    );
    assert.ok(aside.length < senders.said.length / 2, 'most are answered');
    assert.deepEqual(faults, [], `seed ${seed}, ${senders.said.length} messages`);
  } finally {
    await fixture.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
});
