/**
 * Retry limits: a message that always fails does not block its chat, and a message that only has to wait is not lost.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog, type Log } from '../../core/log.ts';
import type { InboundMessage } from '../../core/message.ts';
import { createRetryLimit } from './retry-limit.ts';
import { typed } from '../../core/saying.ts';

const message = (id: string): InboundMessage => ({
  id,
  text: 't',
  said: typed('t'),
  attachments: [],
  addressesBot: true,
  receivedAt: 0,
  sender: { id: 'u' },
  address: { channel: 'desk', accountId: 'default', chat: { kind: 'direct', id: 'u' } },
});
const taken = { status: 'accepted', seq: 7 } as const;
const fails = (error: unknown) => async (): Promise<never> => {
  throw error;
};

test('a message that fails for a reason of its own is offered a few times, then given up and named in the log', async () => {
  const said: unknown[] = [];
  const log: Log = { ...silentLog, error: (event, facts) => void said.push([event, facts?.['messageId']]) };
  const retryLimit = createRetryLimit(log);
  for (let tries = 1; tries < 5; tries++)
    await assert.rejects(retryLimit(message('1'), fails(new Error('a fault of ours'))));
  assert.deepEqual(await retryLimit(message('2'), async () => taken), taken, 'others are not concerned');
  assert.deepEqual(
    [(await retryLimit(message('1'), fails(new TypeError('again')))).status, said],
    ['duplicate', [['message.given-up', '1']]],
  );
});

test('what passes is never held against it', async () => {
  const retryLimit = createRetryLimit(silentLog);
  for (const code of ['storage', 'unavailable', 'aborted', 'overloaded'] as const)
    for (let tries = 0; tries < 10; tries++)
      await assert.rejects(retryLimit(message('1'), fails(new AppError(code, 'later'))), { code });
  for (let tries = 1; tries < 5; tries++) await assert.rejects(retryLimit(message('1'), fails(new Error('once'))));
  assert.deepEqual(await retryLimit(message('1'), async () => taken), taken);
  for (let tries = 1; tries < 5; tries++)
    await assert.rejects(retryLimit(message('1'), fails(new Error('counted anew'))));
});
