/** Downloads a file of the gateway completely, part by part. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fetchFile } from './fetch-file.ts';

test('parts are asked for one after the other, and told of', async () => {
  const asked: unknown[] = [];
  const shares: number[] = [];
  const parts = [
    { size: 6, content: btoa('abc'), nextOffset: 3 },
    { size: 6, content: btoa('def') },
  ];
  const request = async (method: string, params: unknown): Promise<never> => {
    asked.push([method, params]);
    return parts[asked.length - 1] as never;
  };
  const blob = await fetchFile({ id: 'f.txt', mime: 'text/plain' }, { sessionKey: 's', request }, (share) =>
    shares.push(share),
  );
  assert.deepEqual([await blob.text(), blob.type, shares], ['abcdef', 'text/plain', [0.5]]);
  assert.deepEqual(asked, [
    ['chat.file', { sessionKey: 's', id: 'f.txt', offset: 0 }],
    ['chat.file', { sessionKey: 's', id: 'f.txt', offset: 3 }],
  ]);
});

test('a gateway that says the same place again is not asked for ever', async () => {
  const request = async (): Promise<never> => ({ size: 9, content: btoa('a'), nextOffset: 0 }) as never;
  assert.equal((await fetchFile({ id: 'f', mime: '' }, { sessionKey: 's', request })).size, 1);
});
