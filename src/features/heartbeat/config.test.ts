// Heartbeat settings: durations and times as they are written, what an agent inherits, and what is shown where.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { heartbeatVisibility } from './visibility.ts';
import { heartbeatSchema, heartbeatSettings, minuteOfDay, minutesOrSpan } from './config.ts';

describe('heartbeat settings', () => {
  it('durations: a bare number is minutes', () => {
    for (const [written, ms] of [
      ['30m', 1_800_000],
      ['1h', 3_600_000],
      ['1h30m', 5_400_000],
      ['90s', 90_000],
      ['0m', 0],
      ['0', 0],
      [0, 0],
      [15, 900_000],
      ['15', 900_000],
      ['1.5h', 5_400_000],
      ['1d', 86_400_000],
      [' 30M ', 1_800_000],
      ['500ms', 500],
      ['', undefined],
      ['m', undefined],
      ['30 m', undefined],
      ['-5m', undefined],
      ['thirty', undefined],
      ['30mm', undefined],
      ['1e3m', undefined],
      [NaN, undefined],
      [-1, undefined],
      ['9'.repeat(50), undefined],
    ] as const)
      assert.equal(minutesOrSpan(written), ms, JSON.stringify(written));
  });

  it('times of the day', () => {
    for (const [written, minute] of [
      ['08:00', 480],
      ['8:00', 480],
      ['00:00', 0],
      ['23:59', 1439],
      ['24:00', 1440],
      ['24:01', undefined],
      ['25:00', undefined],
      ['12:60', undefined],
      ['8', undefined],
      ['08:00:00', undefined],
      ['', undefined],
    ] as const)
      assert.equal(minuteOfDay(written), minute, written);
  });

  it('a mistake is an error and not a tick at the wrong time', () => {
    for (const wrong of [
      { every: 'often' },
      { every: -5 },
      { activeHours: { start: '8' } },
      { activeHours: { end: '24:30' } },
      { activeHours: { timezone: 'Berlin' } },
      { ackMaxChars: -1 },
      { target: '' },
    ])
      assert.equal(heartbeatSchema.safeParse(wrong).success, false, JSON.stringify(wrong));
    assert.deepEqual(heartbeatSchema.parse({ activeHours: { start: '08:00' } }).activeHours, {
      start: '08:00',
      end: '24:00',
      timezone: 'user',
    });
    assert.equal(
      heartbeatSchema.safeParse({ activeHours: { timezone: 'America/New_York' }, lightContext: true }).success,
      true,
    );
  });

  it("an agent's own keys win over the general ones, those over the built-in ones", () => {
    const { everyMs, target, ackMaxChars, includeReasoning, activeHours } = heartbeatSettings(undefined, undefined);
    assert.deepEqual(
      [everyMs, target, ackMaxChars, includeReasoning, activeHours],
      [1_800_000, 'last', 300, false, undefined],
    );
    const merged = heartbeatSettings(
      { every: '1h', target: 'Telegram', to: '42', ackMaxChars: 5 },
      { every: '10m', to: '43' },
    );
    assert.deepEqual([merged.everyMs, merged.target, merged.to, merged.ackMaxChars], [600_000, 'telegram', '43', 5]);
    assert.deepEqual(
      [
        heartbeatSettings({ every: '0m' }, undefined).everyMs,
        heartbeatSettings({ every: '0m' }, { every: 5 }).everyMs,
        heartbeatSettings({ every: '20ms' }, undefined).everyMs,
      ],
      [null, 300_000, 1000],
    );
  });
});

describe('what is shown of heartbeats', () => {
  const at = { channel: 'telegram', accountId: 'work' };
  const shown = (channels: Record<string, Record<string, unknown>>): readonly boolean[] =>
    Object.values(heartbeatVisibility(channels, at));

  it('key by key the account before the channel before all channels before the built-in', () => {
    for (const [account, channel, all, expected] of [
      [{}, {}, {}, [false, true, true]],
      [{}, {}, { showOk: true }, [true, true, true]],
      [{}, { showOk: false }, { showOk: true }, [false, true, true]],
      [{ showOk: true }, { showOk: false }, { showOk: false }, [true, true, true]],
      [{ showAlerts: false }, { useIndicator: false }, { showOk: true }, [true, false, false]],
      [{ showAlerts: false, useIndicator: false }, {}, {}, [false, false, false]],
      [{ showAlerts: 'no' }, { showAlerts: false }, {}, [false, false, true]],
      [undefined, null, 7, [false, true, true]],
    ] as const)
      assert.deepEqual(
        shown({
          defaults: { heartbeat: all },
          telegram: {
            heartbeat: channel,
            accounts: { Work: { heartbeat: account }, other: { heartbeat: { showOk: true, showAlerts: false } } },
          },
        }),
        expected,
        JSON.stringify([account, channel, all]),
      );
  });

  it('a channel nobody configured, and one without accounts', () => {
    assert.deepEqual(shown({}), [false, true, true]);
    assert.deepEqual(
      shown({ defaults: { heartbeat: { showAlerts: false } }, discord: { heartbeat: { showAlerts: true } } }),
      [false, false, true],
    );
  });
});
