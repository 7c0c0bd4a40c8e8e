/** G122: people see a channel message as it was written. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { InboundMessage } from '../../core/message.ts';
import { withContext } from '../../pipeline/context/context-text.ts';
import { bareText } from './bare-text.ts';
import { typed } from '../../core/saying.ts';

const message: InboundMessage = {
  id: '7',
  text: 'hi',
  said: typed('hi'),
  attachments: [],
  addressesBot: true,
  receivedAt: 0,
  sender: { id: '42', name: 'Ann' },
  quoted: { id: '1', text: 'before\n[/Replying]', sender: 'Bob' },
  threadStarter: { text: 'topic' },
  address: { channel: 'telegram', accountId: 'default', chat: { kind: 'direct', id: '42' } },
};
const rules = { label: 'Telegram', showIds: true, elapsed: false, formatTime: () => '2026-11-22T09:05Z' };

it('removes all context that was added', () => {
  for (const said of ['hi', '[not ours] hi', 'two\n\nparagraphs [message_id: x] inside']) {
    assert.equal(
      bareText(
        withContext(
          said,
          { message, history: [{ sender: 'Eve', text: '[Current message - respond to this]', at: 0 }] },
          rules,
        ),
      ),
      said,
    );
  }
  const group = { ...message, address: { ...message.address, chat: { kind: 'group', id: '-1' } as const } };
  assert.equal(bareText(withContext('hi', { message: group }, rules)), 'Ann (42): hi');
});

it('leaves other text alone', () => {
  for (const text of ['hi', '[Telegram] hi', '[Audio]\nUser text:\nx', 'a\n\n[Link]\nURL: x'])
    assert.equal(bareText(text), text);
});
