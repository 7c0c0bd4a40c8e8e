/** Ids that sort by their creation time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortedUuid } from './ids.ts';

test('sorted ids are RFC 9562 version 7, carry their time, and are never twice the same', () => {
  const before = Date.now();
  const ids = Array.from({ length: 1000 }, sortedUuid);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
  const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  assert.ok(timeOf(ids[0]!) >= before && timeOf(ids.at(-1)!) <= Date.now());
});
