/** What people see while an answer is made: nothing early for a quick one, one message or finished blocks for a slow one. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChannelConnection } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { noUsage } from '../../core/transcript.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createLive } from './live.ts';
import type { LiveRun } from './live-run.ts';

const base: LiveRun = {
  runId: 'r', sessionKey: 's', messageId: 'm', address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'ann' } },
  typing: 'never', typingEveryMs: 6000, removeAck: false, streaming: 'off', toolSummaries: false, prefix: () => undefined,
  blocks: { minChars: 10, maxChars: 30, prefer: 'paragraph', flush: 'text_end', coalesce: { minChars: 1, maxChars: 100, idleMs: 1000 } },
  humanDelay: { mode: 'off', minMs: 0, maxMs: 0 },
  rules: { chunks: { limit: 200 }, maxCaption: 100, media: true, voice: true, replyTo: 'first', prefix: undefined },
};
const long = 'This is a sentence that is longer than forty characters.';

function stage(over: Partial<LiveRun> = {}, { connection = {}, sends = [] }: { connection?: Partial<ChannelConnection>; sends?: ('sent' | 'failed' | Promise<void>)[] } = {}) {
  const clock = createFakeClock();
  const seen: string[] = [];
  const rows: { token: string; text: string | undefined; replyTo: unknown }[] = [];
  const withdrawn: number[] = [];
  const live = createLive({
    clock, log: silentLog, random: () => 0.5,
    liveOf: (runId) => (runId.startsWith('unknown') ? undefined : { ...base, ...over, runId }),
    connection: () => ({
      async edit(_to: unknown, id: string, { payload }: { payload: { text?: string } }) { seen.push(`edit ${id}: ${payload.text}`); },
      async remove(_to: unknown, id: string) { seen.push(`remove ${id}`); },
      async typing() { seen.push('typing'); },
      async react(_to: unknown, id: string, emoji: string, options?: { remove?: boolean }) { seen.push(`${options?.remove ? 'unreact' : 'react'} ${id} ${emoji}`); },
      ...connection,
    }) as unknown as ChannelConnection,
    async post(_run, posted) {
      return posted.map(({ token, payload }) => rows.push({ token, text: payload.text, replyTo: payload.replyTo }));
    },
    async send(id) {
      const how = sends.shift() ?? 'sent';
      if (typeof how !== 'string') await how;
      seen.push(`send ${rows[id - 1]!.text}`);
      return how === 'failed' ? { status: 'failed', error: 'no' } : { status: 'sent', messageIds: [`p${id}`] };
    },
    withdraw: (id) => void withdrawn.push(id),
    delivered: async () => void seen.push('delivered'),
  });
  const say = (delta: string, runId = 'r'): void => live.event(runId, { type: 'text', delta });
  const end = (text = '', runId = 'r'): void => live.event(runId, { type: 'ended', outcome: { kind: 'done', text, usage: noUsage } });
  return { clock, seen, rows, withdrawn, live, say, end };
}

describe('a draft', () => {
  const long = 'A sentence that is long enough to be shown while more of it is written.';

  it('stands in for the preview where the platform has one, and leaves nothing to replace', async () => {
    const drafts: string[] = [];
    const s = stage({ streaming: 'preview' }, { connection: { draft: async (_to, { payload }) => (drafts.push(payload.text ?? ''), true) } });
    s.say(long);
    await s.clock.advance(700);
    s.say(' More.');
    await s.clock.advance(1000);
    assert.deepEqual(drafts, [long, `${long} More.`]);
    assert.deepEqual([await s.live.streamed('r'), s.rows], [{ preview: false, sent: '' }, []]);
  });

  it('that is not for this chat, or is refused, gives way to a message', async () => {
    for (const draft of [async () => false, async () => { throw new AppError('invalid', 'no drafts here'); }]) {
      const s = stage({ streaming: 'preview' }, { connection: { draft } });
        s.say(long);
      await s.clock.advance(700);
      assert.deepEqual(s.rows.map(({ token }) => token), ['r:preview']);
    }
  });
});

describe('a preview', () => {
  it('is not shown of a quick answer, nor of one that says nothing yet', async () => {
    const s = stage({ streaming: 'preview' });
    s.say(long);
    await s.clock.advance(699);
    assert.deepEqual([await s.live.streamed('r'), s.rows], [{ preview: false, sent: '' }, []]);
    s.end(long);
    const quiet = stage({ streaming: 'preview' });
    quiet.say('NO_REPLY');
    await quiet.clock.advance(5000);
    quiet.say('[[reply_to:1]] short');
    await quiet.clock.advance(5000);
    assert.deepEqual(quiet.rows, []);
    assert.equal(s.clock.pending(), 0);
  });

  it('shows thoughts until there are words, where that is wanted', async () => {
    const s = stage({ streaming: 'preview', thoughts: true });
    s.live.event('r', { type: 'thinking', delta: `Let me see. ${long}` });
    await s.clock.advance(700);
    assert.deepEqual(s.rows.map(({ text }) => text), [`💭 Let me see. ${long}`]);
    s.say(long);
    s.live.event('r', { type: 'thinking', delta: 'more' });
    await s.clock.advance(1000);
    assert.equal(s.seen.at(-1), `edit p1: ${long}`);
    s.end(long);
    const unasked = stage({ streaming: 'preview' });
    unasked.live.event('r', { type: 'thinking', delta: long });
    await unasked.clock.advance(5000);
    assert.deepEqual(unasked.rows, []);
    unasked.end();
  });

  it('shows what is there, a second apart, without directives, and stops at the end', async () => {
    const s = stage({ streaming: 'preview' });
    s.say(`[[reply_to_current]] ${long}`);
    await s.clock.advance(700);
    assert.deepEqual(s.rows, [{ token: 'r:preview', text: long, replyTo: { id: 'm' } }]);
    s.say(' And');
    s.say(' more');
    await s.clock.advance(999);
    assert.equal(s.seen.length, 1);
    await s.clock.advance(1);
    s.say(' [[audio');
    assert.deepEqual(s.seen, [`send ${long}`, `edit p1: ${long} And more`]);
    assert.deepEqual(await s.live.streamed('r'), { preview: true, sent: '' });
    s.say(' never shown');
    await s.clock.advance(10_000);
    assert.equal(s.seen.length, 2);
  });

  it('that is still waiting to be sent gives way', async () => {
    const s = stage({ streaming: 'preview' }, { sends: [new Promise(() => {})] });
    s.say(long);
    await s.clock.advance(700);
    assert.deepEqual([await s.live.streamed('r'), s.withdrawn], [{ preview: true, sent: '' }, [1]]);
  });

  it('keeps the answer waiting only while a change of it is on its way', async () => {
    const editing = Promise.withResolvers<void>();
    const s = stage({ streaming: 'preview' }, { connection: { edit: () => editing.promise } });
    s.say(long);
    await s.clock.advance(700);
    s.say(' more');
    await s.clock.advance(1000);
    await s.live.streamed('r');
    s.end(long);
    let settled = false;
    const settling = s.live.settled('r:preview').then(() => { settled = true; });
    await s.clock.advance(0);
    assert.equal(settled, false);
    editing.resolve();
    await settling;
    await s.live.settled('r:preview');
  });

  it('is left alone for as long as the platform asks, and for good when it cannot be changed', async () => {
    const errors = [new AppError('rate_limited', 'slow', { retryAfterMs: 5000 }), new AppError('denied', 'no')];
    let edits = 0;
    const s = stage({ streaming: 'preview' }, { connection: { edit: async () => { edits++; throw errors.shift()!; } } });
    s.say(long);
    await s.clock.advance(700);
    s.say(' one');
    await s.clock.advance(1000);
    s.say(' two');
    await s.clock.advance(4999);
    assert.equal(edits, 1);
    await s.clock.advance(1);
    s.say(' three');
    await s.clock.advance(60_000);
    assert.equal(edits, 2);
  });

  it('is taken back when the answer turns out to be silence', async () => {
    const s = stage({ streaming: 'preview' });
    s.say(long);
    await s.clock.advance(700);
    s.end(`${long} NO_REPLY`);
    await s.clock.advance(0);
    assert.deepEqual(s.seen.slice(1), ['remove p1']);
  });
});

const paragraphs = ['First paragraph.\n\n', 'Second paragraph.\n\n', 'Third, and the end.'];

describe('blocks', () => {
  it('G160 go out as they are finished; the rest is the answer\'s', async () => {
    const s = stage({ streaming: 'blocks' });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(s.rows.map(({ token, text, replyTo }) => [token, text, replyTo]), [['r:block:0', 'First paragraph.', { id: 'm' }], ['r:block:1', 'Second paragraph.', undefined]]);
    assert.deepEqual(await s.live.streamed('r'), { preview: false, sent: 'First paragraph.\n\nSecond paragraph.\n\n' });
  });

  it('G160 one that failed leaves everything to the answer', async () => {
    const s = stage({ streaming: 'blocks' }, { sends: ['sent', 'failed'] });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(await s.live.streamed('r'), { preview: false, sent: undefined });
  });

  it('G162 wait a human while, from the second on', async () => {
    const s = stage({ streaming: 'blocks', humanDelay: { mode: 'natural', minMs: 0, maxMs: 0 } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.equal(s.rows.length, 1);
    await s.clock.advance(1649);
    assert.equal(s.rows.length, 1);
    await s.clock.advance(1);
    assert.equal(s.rows.length, 2);
  });

  it('that still wait when the answer is whole are said by the answer', async () => {
    const s = stage({ streaming: 'blocks', humanDelay: { mode: 'custom', minMs: 9000, maxMs: 9000 } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(await s.live.streamed('r'), { preview: false, sent: 'First paragraph.\n\n' });
    assert.equal(s.rows.length, 1);
  });

  it('G163 are merged while more comes, and sent after a pause', async () => {
    const s = stage({ streaming: 'blocks', blocks: { ...base.blocks, coalesce: { minChars: 60, maxChars: 100, idleMs: 1000 } } });
    s.say(paragraphs[0]!);
    s.say('x');
    await s.clock.advance(999);
    s.say(paragraphs[1]!);
    s.say('y');
    assert.deepEqual(s.rows, []);
    await s.clock.advance(1000);
    assert.deepEqual(s.rows.map(({ text }) => text), ['First paragraph.\n\nxSecond paragraph.']);
  });

  it('G163 never beyond the most', async () => {
    const s = stage({ streaming: 'blocks', blocks: { ...base.blocks, coalesce: { minChars: 90, maxChars: 30, idleMs: 1000 } } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(s.rows.map(({ text }) => text), ['First paragraph.']);
  });

  it('what was said goes out before a tool is used', async () => {
    const s = stage({ streaming: 'blocks' });
    s.say('Let me look.');
    s.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    await s.clock.advance(0);
    assert.deepEqual(s.rows.map(({ text }) => text), ['Let me look.']);
  });

  it('may wait for the end of each message', async () => {
    const s = stage({ streaming: 'blocks', blocks: { ...base.blocks, flush: 'message_end' } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(5000);
    assert.deepEqual(s.rows, []);
    s.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    await s.clock.advance(0);
    assert.deepEqual(s.rows.map(({ text }) => text), ['First paragraph.', 'Second paragraph.', 'Third, and the end.']);
  });
});

describe('typing', () => {
  const typed = (s: { seen: string[] }): number => s.seen.filter((what) => what === 'typing').length;
  const soon = async (s: ReturnType<typeof stage>): Promise<number> => {
    await s.clock.advance(150);
    return typed(s);
  };

  it('G159 begins almost at once, is shown again, and never after the end', async () => {
    const s = stage({ typing: 'instant' });
    s.live.accepted('r');
    await s.clock.advance(149);
    assert.equal(typed(s), 0);
    await s.clock.advance(1);
    assert.equal(typed(s), 1);
    await s.clock.advance(12_000);
    assert.equal(typed(s), 3);
    s.end('x');
    s.say('late');
    await s.clock.advance(60_000);
    s.end();
    assert.deepEqual([typed(s), s.clock.pending()], [3, 0]);
  });

  it('is not shown where the answer is there within a moment, be it again and again', async () => {
    const s = stage({ typing: 'instant' });
    for (const runId of ['r', 'r2', 'r3']) {
      s.live.accepted(runId);
      await s.clock.advance(100);
      s.end('x', runId);
    }
    await s.clock.advance(60_000);
    assert.deepEqual([typed(s), s.clock.pending()], [0, 0]);
  });

  it('G159 begins with words that are no silence, with thoughts, with tools, or never', async () => {
    const message = stage({ typing: 'message' });
    message.live.accepted('r');
    message.say('NO_');
    message.live.event('r', { type: 'thinking', delta: 'hm' });
    assert.equal(await soon(message), 0);
    message.say('w I know');
    assert.equal(await soon(message), 1);
    const thinking = stage({ typing: 'thinking' });
    thinking.live.event('r', { type: 'thinking', delta: 'hm' });
    assert.equal(await soon(thinking), 1);
    const tool = stage({ typing: 'message' });
    tool.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    assert.equal(await soon(tool), 1);
    const never = stage({ typing: 'never' });
    never.live.accepted('r');
    never.say('hello');
    never.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    assert.equal(await soon(never), 0);
  });

  it('ends after two minutes without a sign of life, and is one for a chat', async () => {
    const s = stage({ typing: 'instant' });
    s.live.accepted('r');
    s.live.accepted('r2');
    await s.clock.advance(600_000);
    assert.equal(typed(s), 20);
    s.end();
    s.end('', 'r2');
  });
});

describe('the sign that a message was seen', () => {
  it('is set at once, and taken away once the answer is there, when that is wished', async () => {
    const s = stage({ ack: '👀', removeAck: true });
    s.live.accepted('r');
    s.end('x');
    await s.clock.advance(0);
    assert.deepEqual(s.seen, ['react m 👀', 'delivered', 'unreact m 👀']);
    const stays = stage({ ack: '👀' });
    stays.live.accepted('r');
    stays.end('x');
    assert.deepEqual(stays.seen, ['react m 👀']);
  });
});

describe('tools', () => {
  it('G161 are told of where that is wished, each in its own message', async () => {
    const use = (s: ReturnType<typeof stage>): void => s.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: { path: 'a\nb' } });
    const told = stage({ toolSummaries: true });
    use(told);
    const untold = stage();
    use(untold);
    assert.deepEqual([told.rows.map(({ token, text }) => [token, text]), untold.rows], [[['r:tool:c', '🔧 read: `a b`']], []]);
  });
});

describe('what goes wrong', () => {
  it('harms nobody', async () => {
    const broken = async (): Promise<never> => { throw new AppError('network', 'down'); };
    const s = stage({ typing: 'instant', ack: '👀', streaming: 'preview' }, { connection: { typing: broken, react: broken, edit: broken } });
    s.live.accepted('r');
    s.say(long);
    await s.clock.advance(3000);
    s.end(long);
    s.live.accepted('unknown');
    s.say('x', 'unknown');
    s.end('x', 'unknown');
    await s.clock.advance(0);
    assert.equal(s.live.size, 0);
  });
});
