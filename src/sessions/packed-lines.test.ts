// Packed entries are what a map of them would be, also while somebody walks them.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createPackedLines } from './packed-lines.ts';

const COUNT = 300;
const entry = (index: number): string =>
  JSON.stringify({ sessionId: `s${index}`, updatedAt: 1_795_847_000_000 + index, title: `Größe ${index} 𝔘 \\ "` });
const key = (index: number): string => `agent:main:${index}`;

function filled() {
  const lines = createPackedLines();
  const model = new Map<string, string>();
  for (let index = 0; index < COUNT; index++) {
    lines.pack(key(index), entry(index));
    model.set(key(index), entry(index));
  }
  return { lines, model };
}

it('is what a map is, whatever changes', () => {
  const { lines, model } = filled();
  for (const [index, change] of [
    [0, 'set'],
    [63, 'delete'],
    [64, 'set'],
    [COUNT - 1, 'delete'],
    [COUNT, 'set'],
    [COUNT + 1, 'pack'],
    [70, 'pack'],
  ] as const) {
    const json = `{"sessionId":"new ${index}"}`;
    if (change === 'delete') lines.delete(key(index));
    else lines[change](key(index), json);
    if (change === 'delete') model.delete(key(index));
    else model.set(key(index), json);
  }
  assert.deepEqual([...lines], [...model]);
  assert.equal(lines.size, model.size);
  for (let index = COUNT + 2; index >= 0; index -= 7) assert.equal(lines.get(key(index)), model.get(key(index)));
});

it('stays as it was at the call for whoever walks it frozen', () => {
  const { lines, model } = filled();
  const seen: (readonly [string, string])[] = [];
  for (const one of lines.frozen()) {
    if (seen.length === 10) {
      lines.set(key(200), '{}');
      lines.delete(key(201));
      for (let more = 0; more < 100; more++) lines.pack(`more ${more}`, '{}');
    }
    seen.push([one.key, one.json()]);
    assert.equal(one.updatedAt, Number(one.json().match(/"updatedAt":(\d+)/)?.[1] ?? 0));
  }
  assert.deepEqual(seen, [...model]);
});
