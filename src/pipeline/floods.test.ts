/** One word for many messages that gave way, not one for each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InboundRow } from '../journal/rows.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createFloods } from './floods.ts';

const row = (seq: number, chat = 'a'): InboundRow =>
  ({
    seq,
    runId: `r${seq}`,
    route: { sessionKey: 's', replyTo: { channel: 'pipe', accountId: 'default', chat: { kind: 'direct', id: chat } } },
  }) as InboundRow;

test(
  'what comes close together is told once, with a count, each chat by itself; a flood that lasts is told of ' +
    'meanwhile',
  async () => {
    const clock = createFakeClock();
    const reported: string[] = [];
    const floods = createFloods({
      clock,
      notify: (rows, text) =>
        void reported.push(`${rows.map(({ seq }) => seq).join()}: ${/so (.+ not answered) on/.exec(text)![1]}`),
    });
    floods.add([row(1)]);
    await clock.advance(999);
    floods.add([row(2), row(3, 'b')]);
    await clock.advance(999);
    assert.deepEqual(reported, []);
    await clock.advance(1);
    assert.deepEqual(reported.splice(0), ['1,2: 2 messages were not answered', '3: this one was not answered']);
    for (let second = 0; second < 6; second++) {
      floods.add([row(10 + second)]);
      await clock.advance(900);
    }
    assert.deepEqual(reported, ['10,11,12,13,14,15: 6 messages were not answered']);
  },
);
