/** JSON as bullets. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonToBullets } from './json-to-bullets.ts';

const bullets = (value: unknown): string | undefined =>
  jsonToBullets(JSON.stringify(value), { maxChars: 5000 })?.markdown;

test('objects, lists and values become nested bullets', () => {
  assert.equal(
    bullets({
      id: 7,
      title: 'Pump\nleaks',
      open: true,
      owner: { name: 'Ana', mail: null },
      tags: ['a', 'b'],
      steps: [{ n: 1 }, { n: 2, of: [] }],
      note: '',
    }),
    [
      '- id: 7',
      '- title: Pump leaks',
      '- open: true',
      '- owner:',
      '  - name: Ana',
      '  - mail: none',
      '- tags: a, b',
      '- steps:',
      '  - 1:',
      '    - n: 1',
      '  - 2:',
      '    - n: 2',
      '    - of: (empty)',
      '- note: (empty)',
    ].join('\n'),
  );
});

test('a list at the top, a bare value, nothing', () => {
  assert.equal(bullets(['a', 2]), '- a\n- 2');
  assert.equal(bullets('word'), 'word');
  assert.equal(bullets({}), '(empty)');
  assert.equal(jsonToBullets('{"a":', { maxChars: 10 }), undefined);
  assert.equal(jsonToBullets('\uFEFF{"a":1}', { maxChars: 10 })?.markdown, '- a: 1');
});

test('long, wide and deep JSON stays bounded', () => {
  assert.ok((bullets(Array.from({ length: 100_000 }, (_, index) => ({ index })))?.length ?? 0) < 6500);
  assert.ok((bullets({ a: 'x'.repeat(100_000) })?.length ?? 0) < 1100);
  const deep = jsonToBullets(`${'[['.repeat(2000)}1${']]'.repeat(2000)}`, { maxChars: 5000 })?.markdown;
  assert.ok(deep !== undefined && deep.length < 2000, deep?.slice(0, 100));
});
