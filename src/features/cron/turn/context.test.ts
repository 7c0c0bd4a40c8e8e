/** The last words of a conversation behind a reminder: how many, how long, and when none. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cronHarness, HOURLY, turnJob, WEB, type Who } from './harness.ts';
import type { ContextLine } from './context.ts';

describe('recent context', () => {
  const lines: readonly ContextLine[] = Array.from({ length: 12 }, (_, n) => ({
    role: n % 2 ? ('assistant' as const) : ('user' as const),
    text: `line ${n}\nmore`,
  }));
  const main: Who = { key: 'agent:main:main', here: WEB, configure: true, lines };
  const remind = { ...HOURLY, payload: { kind: 'systemEvent', text: 'Reminder' } };

  it('(T166) is ten messages at most, none by default, and replaces what was there', async () => {
    const many = cronHarness(main);
    await many.add(remind, { contextMessages: 20 });
    assert.deepEqual(many.asked, [10]);
    const none = cronHarness(main);
    await none.add(remind, { contextMessages: 0 });
    await none.add(remind);
    await none.add(remind, { contextMessages: -3 });
    assert.deepEqual([none.asked, (none.only().payload as any).text], [[], 'Reminder']);
    const again = cronHarness(main);
    await again.add(
      { ...HOURLY, payload: { kind: 'systemEvent', text: 'Reminder\n\nRecent context:\n- User: old' } },
      { contextMessages: 2 },
    );
    assert.equal(
      (again.only().payload as any).text,
      'Reminder\n\nRecent context:\n- User: line 10 more\n- Assistant: line 11 more',
    );
  });

  it('is short: 220 characters a line, 700 in all, the newest', async () => {
    const one = cronHarness({
      ...main,
      lines: Array.from({ length: 5 }, (_, n) => ({ role: 'user' as const, text: `${n}${'😀'.repeat(300)}` })),
    });
    await one.add(remind, { contextMessages: 5 });
    const block = (one.only().payload as any).text.split('Recent context:\n')[1] as string;
    assert.ok(block.length <= 700 && block.isWellFormed());
    assert.deepEqual(
      block.split('\n').map((line) => line.slice(0, 9)),
      ['- User: 2', '- User: 3', '- User: 4'],
    );
    assert.ok(block.split('\n').every((line) => line.length <= 220 + '- User: '.length && line.endsWith('…')));
  });

  it('is for reminders, not for work that begins with a clean slate', async () => {
    const one = cronHarness(main);
    await one.add(turnJob, { contextMessages: 5 });
    assert.deepEqual([one.asked, (one.only().payload as any).message], [[], 'look']);
  });
});
