// Truncated lists: the caller learns that there is more, and gets all of it page by page.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestGateway, type RawClient, type TestGateway } from '../../testing/ws-gateway.ts';

const said = (index: number, text = `message ${index}`) => ({
  role: 'user' as const,
  content: [{ type: 'text' as const, text }],
  timestamp: index,
  id: `m${index}`,
});

/** Every page from the newest to the oldest, put together oldest first. */
async function allMessages(client: RawClient, page: Record<string, unknown>): Promise<readonly string[]> {
  const ids: string[][] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const answer: any = await client.call('chat.history', { sessionKey: 'main', ...page, offset });
    assert.equal(answer.hasMore, answer.nextOffset !== undefined);
    ids.unshift(answer.messages.map((message: any) => message.__openclaw.id));
    offset = answer.nextOffset;
  }
  return ids.flat();
}

describe('chat.history', () => {
  const fill = (gateway: TestGateway, messages: readonly any[]): void =>
    void gateway.services.chat.transcripts.set('agent:main:main', [...messages]);

  it('has all of 2 300 messages, page by page', async () => {
    await using gateway = await startTestGateway();
    const messages = Array.from({ length: 2300 }, (_, index) => said(index));
    fill(gateway, messages);
    const client = await gateway.client();
    for (const page of [{}, { limit: 1000 }, { limit: 999 }, { limit: 2300 / 10 }])
      assert.deepEqual(
        await allMessages(client, page),
        messages.map(({ id }) => id),
      );
  });

  it('tells of what it left out because it was too large, silent answers counted', async () => {
    await using gateway = await startTestGateway({ limits: { maxHistoryBytes: 10_000 } });
    const messages = Array.from({ length: 40 }, (_, index) =>
      index % 5 === 3
        ? {
            ...said(index, 'NO_REPLY'),
            role: 'assistant' as const,
            provider: 'p',
            model: 'm',
            usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
            stopReason: 'stop' as const,
          }
        : said(index, 'x'.repeat(1000)),
    );
    fill(gateway, messages);
    const client = await gateway.client();
    assert.deepEqual(
      await allMessages(client, {}),
      messages.filter(({ role }) => role === 'user').map(({ id }) => id),
    );
  });

  it('passes what alone is too large for an answer, cut and said so', async () => {
    await using gateway = await startTestGateway({ limits: { maxHistoryBytes: 10_000 } });
    fill(gateway, [said(0), said(1, 'y'.repeat(30_000)), said(2)]);
    const client = await gateway.client();
    assert.deepEqual(await allMessages(client, {}), ['m0', 'm1', 'm2']);
  });

  it('says nothing of more where there is none', async () => {
    await using gateway = await startTestGateway();
    fill(gateway, [said(0)]);
    const answer = await (await gateway.client()).call('chat.history', { sessionKey: 'main' });
    assert.deepEqual([answer.hasMore, 'nextOffset' in answer], [false, false]);
  });
});

describe('sessions.list', () => {
  it('has all of 450 sessions, page by page, also of those a filter found', async () => {
    await using gateway = await startTestGateway();
    const keys = Array.from(
      { length: 450 },
      (_, index) => `agent:main:web:${index % 2 === 0 ? 'even' : 'odd'}${index}`,
    );
    for (const key of keys) await gateway.services.sessions.patch(key, {});
    const client = await gateway.client();
    for (const [params, count] of [
      [{}, 450],
      [{ search: 'even' }, 225],
      [{ limit: 1000 }, 450],
    ] as const) {
      const found = new Set<string>();
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const answer: any = await client.call('sessions.list', { ...params, offset });
        assert.equal(answer.hasMore, answer.nextOffset !== undefined);
        for (const { key } of answer.sessions) found.add(key);
        offset = answer.nextOffset;
      }
      assert.equal(found.size, count);
    }
  });
});
