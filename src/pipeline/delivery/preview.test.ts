import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { long, harness } from '../../testing/live-harness.ts';

describe('a draft', () => {
  const long = 'A sentence that is long enough to be shown while more of it is written.';

  it('stands in for the preview where the platform has one, and leaves nothing to replace', async () => {
    const drafts: string[] = [];
    const s = harness(
      { streaming: 'preview' },
      { connection: { draft: async (_to, { payload }) => (drafts.push(payload.text ?? ''), true) } },
    );
    s.say(long);
    await s.clock.advance(700);
    s.say(' More.');
    await s.clock.advance(1000);
    assert.deepEqual(drafts, [long, `${long} More.`]);
    assert.deepEqual([await s.live.streamed('r'), s.rows], [{ preview: false, sent: '' }, []]);
  });

  it('that is not for this chat, or is refused, gives way to a message', async () => {
    for (const draft of [
      async () => false,
      async () => {
        throw new AppError('invalid', 'no drafts here');
      },
    ]) {
      const s = harness({ streaming: 'preview' }, { connection: { draft } });
      s.say(long);
      await s.clock.advance(700);
      assert.deepEqual(
        s.rows.map(({ token }) => token),
        ['r:preview'],
      );
    }
  });
});

describe('a preview', () => {
  it('is not shown of a quick answer, nor of one that says nothing yet', async () => {
    const s = harness({ streaming: 'preview' });
    s.say(long);
    await s.clock.advance(699);
    assert.deepEqual([await s.live.streamed('r'), s.rows], [{ preview: false, sent: '' }, []]);
    s.end(long);
    const quiet = harness({ streaming: 'preview' });
    quiet.say('NO_REPLY');
    await quiet.clock.advance(5000);
    quiet.say('[[reply_to:1]] short');
    await quiet.clock.advance(5000);
    assert.deepEqual(quiet.rows, []);
    assert.equal(s.clock.pending(), 0);
  });

  it('shows thoughts until there are words, where that is wanted', async () => {
    const s = harness({ streaming: 'preview', thoughts: true });
    s.live.event('r', { type: 'thinking', delta: `Let me see. ${long}` });
    await s.clock.advance(700);
    assert.deepEqual(
      s.rows.map(({ text }) => text),
      [`💭 Let me see. ${long}`],
    );
    s.say(long);
    s.live.event('r', { type: 'thinking', delta: 'more' });
    await s.clock.advance(1000);
    assert.equal(s.seen.at(-1), `edit p1: ${long}`);
    s.end(long);
    const unasked = harness({ streaming: 'preview' });
    unasked.live.event('r', { type: 'thinking', delta: long });
    await unasked.clock.advance(5000);
    assert.deepEqual(unasked.rows, []);
    unasked.end();
  });

  it('shows what is there, a second apart, without directives, and stops at the end', async () => {
    const s = harness({ streaming: 'preview' });
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
    const s = harness({ streaming: 'preview' }, { sends: [new Promise(() => {})] });
    s.say(long);
    await s.clock.advance(700);
    assert.deepEqual([await s.live.streamed('r'), s.withdrawn], [{ preview: true, sent: '' }, [1]]);
  });

  it('keeps the answer waiting only while a change of it is on its way', async () => {
    const editing = Promise.withResolvers<void>();
    const s = harness({ streaming: 'preview' }, { connection: { edit: () => editing.promise } });
    s.say(long);
    await s.clock.advance(700);
    s.say(' more');
    await s.clock.advance(1000);
    await s.live.streamed('r');
    s.end(long);
    let settled = false;
    const settling = s.previews.settled('r:preview').then(() => {
      settled = true;
    });
    await s.clock.advance(0);
    assert.equal(settled, false);
    editing.resolve();
    await settling;
    await s.previews.settled('r:preview');
  });

  it('is left alone for as long as the platform asks, and for good when it cannot be changed', async () => {
    const errors = [new AppError('rate_limited', 'slow', { retryAfterMs: 5000 }), new AppError('denied', 'no')];
    let edits = 0;
    const s = harness(
      { streaming: 'preview' },
      {
        connection: {
          edit: async () => {
            edits++;
            throw errors.shift()!;
          },
        },
      },
    );
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
    const s = harness({ streaming: 'preview' });
    s.say(long);
    await s.clock.advance(700);
    s.end(`${long} NO_REPLY`);
    await s.clock.advance(0);
    assert.deepEqual(s.seen.slice(1), ['remove p1']);
  });
});
