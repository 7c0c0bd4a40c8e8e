import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base, harness } from '../../testing/live-harness.ts';

const paragraphs = ['First paragraph.\n\n', 'Second paragraph.\n\n', 'Third, and the end.'];

describe('blocks', () => {
  it("G160 go out as they are finished; the rest is the answer's", async () => {
    const s = harness({ streaming: 'blocks' });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(
      s.rows.map(({ token, text, replyTo }) => [token, text, replyTo]),
      [
        ['r:block:0', 'First paragraph.', { id: 'm' }],
        ['r:block:1', 'Second paragraph.', undefined],
      ],
    );
    assert.deepEqual(await s.live.streamed('r'), { preview: false, sent: 'First paragraph.\n\nSecond paragraph.\n\n' });
  });

  it('G160 one that failed leaves everything to the answer', async () => {
    const s = harness({ streaming: 'blocks' }, { sends: ['sent', 'failed'] });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(await s.live.streamed('r'), { preview: false, sent: undefined });
  });

  it('G162 wait a human while, from the second on', async () => {
    const s = harness({ streaming: 'blocks', humanDelay: { mode: 'natural', minMs: 0, maxMs: 0 } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.equal(s.rows.length, 1);
    await s.clock.advance(1649);
    assert.equal(s.rows.length, 1);
    await s.clock.advance(1);
    assert.equal(s.rows.length, 2);
  });

  it('that still wait when the answer is whole are said by the answer', async () => {
    const s = harness({ streaming: 'blocks', humanDelay: { mode: 'custom', minMs: 9000, maxMs: 9000 } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(await s.live.streamed('r'), { preview: false, sent: 'First paragraph.\n\n' });
    assert.equal(s.rows.length, 1);
  });

  it('G163 are merged while more comes, and sent after a pause', async () => {
    const s = harness({
      streaming: 'blocks',
      blocks: { ...base.blocks, coalesce: { minChars: 60, maxChars: 100, idleMs: 1000 } },
    });
    s.say(paragraphs[0]!);
    s.say('x');
    await s.clock.advance(999);
    s.say(paragraphs[1]!);
    s.say('y');
    assert.deepEqual(s.rows, []);
    await s.clock.advance(1000);
    assert.deepEqual(
      s.rows.map(({ text }) => text),
      ['First paragraph.\n\nxSecond paragraph.'],
    );
  });

  it('G163 never beyond the most', async () => {
    const s = harness({
      streaming: 'blocks',
      blocks: { ...base.blocks, coalesce: { minChars: 90, maxChars: 30, idleMs: 1000 } },
    });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(0);
    assert.deepEqual(
      s.rows.map(({ text }) => text),
      ['First paragraph.'],
    );
  });

  it('what was said goes out before a tool is used', async () => {
    const s = harness({ streaming: 'blocks' });
    s.say('Let me look.');
    s.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    await s.clock.advance(0);
    assert.deepEqual(
      s.rows.map(({ text }) => text),
      ['Let me look.'],
    );
  });

  it('may wait for the end of each message', async () => {
    const s = harness({ streaming: 'blocks', blocks: { ...base.blocks, flush: 'message_end' } });
    for (const text of paragraphs) s.say(text);
    await s.clock.advance(5000);
    assert.deepEqual(s.rows, []);
    s.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    await s.clock.advance(0);
    assert.deepEqual(
      s.rows.map(({ text }) => text),
      ['First paragraph.', 'Second paragraph.', 'Third, and the end.'],
    );
  });
});
