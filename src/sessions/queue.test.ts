/** Queue settings, overflow and the text of collected messages (`spec/gateway.md` 2.7). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messagesConfigSchema } from './config.ts';
import { collectText, overflow, queueMode, queueSettings, summaryLine } from './queue.ts';

const config = (queue: object = {}) => messagesConfigSchema.parse({ queue });
const entry = (over: object) => ({ sessionId: 's', updatedAt: 0, ...over });

describe('queue settings', () => {
  it('have the documented defaults', () =>
    assert.deepEqual(queueSettings(config(), 'webchat'), {
      mode: 'collect',
      debounceMs: 1000,
      cap: 20,
      drop: 'summarize',
      gatherMs: 0,
    }));

  it('go from the session over the channel to the general setting', () => {
    const messages = config({
      mode: 'followup',
      debounceMs: 5,
      byChannel: { telegram: 'steer', slack: 'queue' },
      debounceMsByChannel: { telegram: 7 },
    });
    assert.deepEqual(queueSettings(messages, 'discord'), {
      mode: 'followup',
      debounceMs: 5,
      cap: 20,
      drop: 'summarize',
      gatherMs: 0,
    });
    assert.deepEqual(queueSettings(messages, 'telegram'), {
      mode: 'steer',
      debounceMs: 7,
      cap: 20,
      drop: 'summarize',
      gatherMs: 0,
    });
    assert.equal(queueSettings(messages, 'slack').mode, 'steer', 'in any spelling');
    const own = entry({ queueMode: 'interrupt', queueDebounceMs: 0, queueCap: 3, queueDrop: 'old' });
    assert.deepEqual(queueSettings(messages, 'telegram', own), {
      mode: 'interrupt',
      debounceMs: 0,
      cap: 3,
      drop: 'old',
      gatherMs: 0,
    });
  });

  it('never leave room for nobody', () =>
    assert.equal(queueSettings(config(), 'webchat', entry({ queueCap: 0 })).cap, 1));

  for (const [raw, mode] of [
    ['queue', 'steer'],
    ['steer-backlog', 'steer'],
    ['steer+backlog', 'steer'],
    ['collect', 'collect'],
    ['sideways', undefined],
  ] as const)
    it(`read ${raw} as ${mode}`, () => assert.equal(queueMode(raw), mode));
});

describe('overflow', () => {
  it('keeps everything below the cap', () =>
    assert.deepEqual(overflow(['a'], 'b', { cap: 2, drop: 'old' }), { kept: ['a', 'b'], dropped: [] }));
  it('new: refuses the arrival', () =>
    assert.deepEqual(overflow(['a', 'b'], 'c', { cap: 2, drop: 'new' }), { kept: ['a', 'b'], dropped: ['c'] }));
  for (const drop of ['old', 'summarize'] as const)
    it(`${drop}: the oldest gives way`, () =>
      assert.deepEqual(overflow(['a', 'b'], 'c', { cap: 2, drop }), { kept: ['b', 'c'], dropped: ['a'] }));
  it('makes room for a cap that became smaller', () =>
    assert.deepEqual(overflow(['a', 'b', 'c'], 'd', { cap: 2, drop: 'old' }), {
      kept: ['c', 'd'],
      dropped: ['a', 'b'],
    }));
});

describe('the text of a turn', () => {
  it('is a single message as it was written', () => assert.equal(collectText(['hi\n there '], []), 'hi\n there '));
  it('numbers several messages', () =>
    assert.equal(
      collectText(['a', 'b'], []),
      '[Queued messages while agent was busy]\n---\nQueued #1\na\n---\nQueued #2\nb',
    ));
  it('says what was dropped', () => {
    assert.equal(collectText(['a'], ['x']), '[Queue overflow] Dropped 1 message(s) due to cap.\n- x\n\na');
    assert.match(
      collectText(['a', 'b'], ['x', 'y']),
      /^\[Queued messages while agent was busy\]\n\[Queue overflow\] Dropped 2 message\(s\) due to cap\.\n- x\n- y\n---\nQueued #1/,
    );
  });
  it('sums a dropped message up in one line of 160 characters', () => {
    assert.equal(summaryLine('  a\n\n b\tc '), 'a b c');
    assert.equal(summaryLine('x'.repeat(160)).length, 160);
    assert.equal(summaryLine('x'.repeat(161)), `${'x'.repeat(159)}…`);
  });
});
