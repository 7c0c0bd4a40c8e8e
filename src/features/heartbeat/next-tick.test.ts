// The grid of looks: neither restarts, nor long looks, nor clocks that are set shift or double it. And what the agent
// reads.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { timeLine } from '../../core/time-line.ts';
import { eventTask, DEFAULT_PROMPT, tickText } from './tick-text.ts';
import { afterTick, plannedTick } from './next-tick.ts';

const MINUTE = 60_000;
const everyMs = 30 * MINUTE;

describe('the next look', () => {
  it('is on the grid of the one before, however late that was', () => {
    for (const [now, next] of [
      [0, 30],
      [1, 30],
      [29, 30],
      [30, 60],
      [31, 60],
      [95, 120],
      [3000, 3030],
    ] as const)
      assert.equal(afterTick(0, { everyMs, now: now * MINUTE }), next * MINUTE, String(now));
    assert.equal(afterTick(40 * MINUTE, { everyMs, now: 0 }), 40 * MINUTE, 'not yet due: it stays');
  });

  it('is a period from now where nothing is planned; what is planned stays, and what was missed is made up for', () => {
    const now = 1000 * MINUTE;
    const planned = (at: number | undefined, opening?: number): number => plannedTick(at, { everyMs, now, opening });
    assert.equal(planned(undefined), now + everyMs);
    assert.equal(planned(now + 5), now + 5);
    assert.equal(planned(now - 500 * MINUTE), now - 500 * MINUTE);
    assert.equal(planned(now + 2 * everyMs), now + everyMs, 'the period was shortened, or the clock set back');
    assert.equal(planned(now + 8 * 60 * MINUTE, now + 8 * 60 * MINUTE), now + 8 * 60 * MINUTE, 'the end of the night');
    assert.equal(planned(now + 9 * 60 * MINUTE, now + 8 * 60 * MINUTE), now + 8 * 60 * MINUTE, 'which came closer');
  });
});

describe('what the agent reads', () => {
  const localTime = { now: Date.UTC(2026, 10, 24, 8), zone: 'Europe/Berlin' };

  it('the task, the file, what happened, and last the time where the person is', () => {
    const said = tickText({ prompt: undefined, file: '- mail', events: true, ...localTime });
    assert.deepEqual(
      said.split('\n\n').map((part) => part.slice(0, 30)),
      [
        DEFAULT_PROMPT.slice(0, 30),
        '<file name="HEARTBEAT.md">\n- m',
        'The system events above came s',
        'Current time: Tuesday, 24 Nove',
      ],
    );
    assert.match(DEFAULT_PROMPT, /HEARTBEAT\.md.*HEARTBEAT_OK/s);
    assert.equal(
      tickText({ prompt: 'Look at the oven.', file: undefined, events: false, ...localTime }),
      'Look at the oven.\n\nCurrent time: Tuesday, 24 November 2026, 09:00 (Europe/Berlin)',
    );
    assert.match(eventTask(localTime), /HEARTBEAT_OK.*\n\nCurrent time: Tuesday/s);
    assert.equal(
      timeLine({ now: Date.UTC(2027, 0, 1), zone: 'UTC' }),
      'Current time: Friday, 1 January 2027, 00:00 (UTC)',
    );
  });
});
