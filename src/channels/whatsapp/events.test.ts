/** The recorded events of WhatsApp (`samples/events.json`): what is heard of each, and that none holds up the next. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Chat } from '../../testing/channel-platform.ts';
import type { WaContent } from './content.ts';
import { BOT } from './fake.ts';
import { ANN, direct, group, stage } from './harness.ts';
import { mediaFields } from './library/fake.ts';

interface Recorded {
  readonly event: string;
  readonly in?: 'group' | 'self';
  readonly by?: 'bot';
  readonly as?: 'phone' | 'lid' | 'lid-only';
  /** The field that has a file. */
  readonly file?: string;
  readonly wrapped?: readonly string[];
  readonly content: Readonly<Record<string, object>>;
  /** What is heard of it, at least; null: nothing. */
  readonly receives: object | null;
}

const events = JSON.parse(readFileSync(join(import.meta.dirname, 'samples', 'events.json'), 'utf8')) as Recorded[];
const CHATS: Readonly<Record<string, Chat>> = { direct, group, self: { kind: 'direct', id: BOT } };

function contentOf({ content, file, wrapped = [] }: Recorded): WaContent {
  const whole = file ? { ...content, [file]: { ...mediaFields(Buffer.from('bytes')), ...content[file] } } : content;
  return wrapped.toReversed().reduce<object>((message, name) => ({ [name]: { message } }), whole) as WaContent;
}

test('every recorded event is heard as its row says, and holds nothing up', async () => {
  await using on = await stage();
  const { received } = on.harness.fixture;
  for (const [nth, row] of events.entries()) {
    const [before, marker] = [received.length, `marker ${nth}`];
    const chat = CHATS[row.in ?? 'direct']!;
    await on.platform.bring(contentOf(row), { chat, by: row.by === 'bot' ? BOT : ANN, as: row.as ?? 'phone' });
    await on.platform.bring({ conversation: marker }, { chat, by: row.in === 'self' ? BOT : ANN });
    await on.harness.heard(({ text }) => text === marker);
    const heard = received.slice(before).filter(({ text }) => text !== marker);
    assert.equal(heard.length, row.receives === null ? 0 : 1, row.event);
    if (row.receives) assert.partialDeepStrictEqual(heard[0], row.receives, row.event);
  }
});
