/** When a session resets automatically (`spec/gateway.md` 2.6, cases 67-73). Times are local, as in the setting. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionConfigSchema } from './config.ts';
import { isStale, resetPolicy } from './freshness.ts';

const at = (hour: number, minute = 0, day = 15): Date => new Date(2026, 0, day, hour, minute);
const config = (over: object = {}) => sessionConfigSchema.parse(over);
const policy = (reset: object) => config({ reset }).reset;
const stale = (reset: object, lastSeen: Date, now: Date): boolean =>
  isStale(policy(reset), { updatedAt: lastSeen.getTime() }, now);

describe('a session', () => {
  it('stays for ever by default', () => assert.equal(stale({}, at(1, 0, 1), at(12, 0, 30)), false));

  it('daily: is stale once the hour was passed', () => {
    assert.equal(stale({ mode: 'daily' }, at(3), at(5)), true);
    assert.equal(stale({ mode: 'daily' }, at(4, 30), at(5)), false);
    assert.equal(stale({ mode: 'daily' }, at(3, 0, 14), at(3)), true, "before yesterday's boundary");
    assert.equal(
      stale({ mode: 'daily' }, at(5, 0, 14), at(3)),
      false,
      "after yesterday's boundary, today's is still to come",
    );
    assert.equal(stale({ mode: 'daily', atHour: 0 }, at(23, 59, 14), at(0)), true);
  });

  it('idle: is stale after the pause, an hour when nothing is said', () => {
    assert.equal(stale({ mode: 'idle', idleMinutes: 30 }, at(1), at(1, 30)), false);
    assert.equal(stale({ mode: 'idle', idleMinutes: 30 }, at(1), at(1, 31)), true);
    assert.equal(stale({ mode: 'idle' }, at(1), at(2, 1)), true);
    assert.equal(stale({ mode: 'idle' }, at(1), at(2)), false);
  });

  it('daily with a pause: whichever comes first', () =>
    assert.equal(stale({ mode: 'daily', idleMinutes: 30 }, at(5), at(5, 31)), true));

  it('means by an hour or a pause what it says, without a mode', () => {
    assert.equal(stale({ atHour: 4 }, at(3), at(5)), true);
    assert.equal(stale({ idleMinutes: 30 }, at(1), at(1, 31)), true);
    assert.equal(stale({ idleMinutes: 30 }, at(5, 0, 14), at(5, 10, 14)), false);
    assert.equal(stale({ atHour: 4, idleMinutes: 30 }, at(5), at(5, 31)), true);
    assert.equal(
      stale({ mode: 'none', atHour: 4, idleMinutes: 30 }, at(3), at(5)),
      false,
      'a mode that is written wins',
    );
  });

  it('is kept alive by people alone', () => {
    const entry = { updatedAt: at(3).getTime(), lastUserActivityAt: at(1).getTime() };
    assert.equal(isStale(policy({ mode: 'idle' }), entry, at(3)), true);
  });
});

describe('the reset policy', () => {
  const { atHour } = config({ reset: { atHour: 99.5 } }).reset;
  it('has an hour between 0 and 23', () => assert.equal(atHour, 23));

  const all = config({
    reset: { mode: 'daily' },
    resetByType: { dm: { mode: 'idle' }, group: { mode: 'idle', idleMinutes: 5 }, thread: { mode: 'none' } },
    resetByChannel: { discord: { mode: 'idle', idleMinutes: 7 } },
  });
  for (const [key, channel, expected] of [
    ['agent:main:main', 'telegram', all.resetByType.dm],
    ['agent:main:telegram:group:-1', 'telegram', all.resetByType.group],
    ['agent:main:slack:channel:c1', 'slack', all.resetByType.group],
    ['agent:main:slack:channel:c1:thread:1.2', 'slack', all.resetByType.thread],
    ['agent:main:telegram:group:-1:topic:4', 'telegram', all.resetByType.thread],
    ['agent:main:discord:channel:c1:thread:2', 'discord', all.resetByChannel['discord']],
  ] as const)
    it(`of ${key} on ${channel}`, () => assert.equal(resetPolicy(all, key, channel), expected));

  it('falls back to the general one', () => {
    const some = config({ reset: { mode: 'daily' }, resetByType: { dm: { mode: 'idle' } } });
    assert.equal(resetPolicy(some, 'agent:main:telegram:group:-1', 'telegram').mode, 'daily');
  });
});
