import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { harness } from '../../testing/live-harness.ts';

describe('typing', () => {
  const typed = (s: { seen: string[] }): number => s.seen.filter((what) => what === 'typing').length;
  const soon = async (s: ReturnType<typeof harness>): Promise<number> => {
    await s.clock.advance(150);
    return typed(s);
  };

  it('G159 begins almost at once, is shown again, and never after the end', async () => {
    const s = harness({ typing: 'instant' });
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
    const s = harness({ typing: 'instant' });
    for (const runId of ['r', 'r2', 'r3']) {
      s.live.accepted(runId);
      await s.clock.advance(100);
      s.end('x', runId);
    }
    await s.clock.advance(60_000);
    assert.deepEqual([typed(s), s.clock.pending()], [0, 0]);
  });

  it('G159 begins with words that are no silence, with thoughts, with tools, or never', async () => {
    const message = harness({ typing: 'message' });
    message.live.accepted('r');
    message.say('NO_');
    message.live.event('r', { type: 'thinking', delta: 'hm' });
    assert.equal(await soon(message), 0);
    message.say('w I know');
    assert.equal(await soon(message), 1);
    const thinking = harness({ typing: 'thinking' });
    thinking.live.event('r', { type: 'thinking', delta: 'hm' });
    assert.equal(await soon(thinking), 1);
    const tool = harness({ typing: 'message' });
    tool.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    assert.equal(await soon(tool), 1);
    const never = harness({ typing: 'never' });
    never.live.accepted('r');
    never.say('hello');
    never.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: {} });
    assert.equal(await soon(never), 0);
  });

  it('ends after two minutes without activity, and is one for a chat', async () => {
    const s = harness({ typing: 'instant' });
    s.live.accepted('r');
    s.live.accepted('r2');
    await s.clock.advance(600_000);
    assert.equal(typed(s), 20);
    s.end();
    s.end('', 'r2');
  });
});
