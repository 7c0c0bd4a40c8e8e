/** Programs that ask where the cursor is: answered, and never seen in what is kept. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createQueryFilter } from './cursor-queries.ts';

it('T69 questions about the cursor are counted and taken out, wherever they are cut', () => {
  const whole = createQueryFilter();
  assert.deepEqual(whole.take('a\x1b[6nb\x1b[?6nc\x1b[31m'), { text: 'abc\x1b[31m', queries: 2 });
  for (let cut = 0; cut <= 8; cut++) {
    const filter = createQueryFilter();
    const all = 'a\x1b[?6nbc';
    const first = filter.take(all.slice(0, cut));
    const second = filter.take(all.slice(cut));
    assert.deepEqual([first.text + second.text, first.queries + second.queries, filter.rest()], ['abc', 1, '']);
  }
  const lone = createQueryFilter();
  assert.deepEqual([lone.take('x\x1b[').text, lone.rest(), lone.rest()], ['x', '\x1b[', '']);
});
