/**
 * What people see while an answer is made: nothing early for a quick one, one message or finished blocks for a slow
 * one.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { long, harness } from '../../testing/live-harness.ts';

describe('the sign that a message was seen', () => {
  it('is set at once, and taken away once the answer is there, when that is wished', async () => {
    const s = harness({ ack: '👀', removeAck: true });
    s.live.accepted('r');
    s.end('x');
    await s.clock.advance(0);
    assert.deepEqual(s.seen, ['react m 👀', 'delivered', 'unreact m 👀']);
    const stays = harness({ ack: '👀' });
    stays.live.accepted('r');
    stays.end('x');
    assert.deepEqual(stays.seen, ['react m 👀']);
  });
});

describe('tools', () => {
  it('G161 are shown where that is turned on, each in its own message', async () => {
    const use = (s: ReturnType<typeof harness>): void =>
      s.live.event('r', { type: 'tool.started', callId: 'c', tool: 'read', input: { path: 'a\nb' } });
    const reported = harness({ toolSummaries: true });
    use(reported);
    const untold = harness();
    use(untold);
    assert.deepEqual(
      [reported.rows.map(({ token, text }) => [token, text]), untold.rows],
      [[['r:tool:c', '🔧 read: `a b`']], []],
    );
  });
});

describe('what goes wrong', () => {
  it('harms nobody', async () => {
    const broken = async (): Promise<never> => {
      throw new AppError('network', 'down');
    };
    const s = harness(
      { typing: 'instant', ack: '👀', streaming: 'preview' },
      { connection: { typing: broken, react: broken, edit: broken } },
    );
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
