/** The corpus of answers: each gives the expected result, whole and split at every position. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CORPUS, type Meaning } from './corpus.ts';
import { readDirectives } from './read-directives.ts';
import { visiblePrefix } from './visible-prefix.ts';

const meant = (meaning: Meaning) => ({ text: '', media: [], embeds: [], silent: false, ...meaning });

for (const [subject, rows] of Object.entries(CORPUS)) {
  it(`${subject}: ${rows.length} answers mean what they should`, () => {
    for (const [written, meaning] of rows)
      assert.deepEqual(readDirectives(written), meant(meaning), JSON.stringify(written.slice(0, 200)));
  });

  it(`${subject}: while they are written nothing is shown that the whole does not say`, () => {
    for (const [written, { silent }] of rows) {
      if (silent || written.length > 1000) continue;
      let before = '';
      for (let at = 1; at <= written.length; at++) {
        const now = visiblePrefix(written.slice(0, at));
        assert.ok(now.startsWith(before.trimEnd()), JSON.stringify([written.slice(0, at), before, now]));
        before = now;
      }
      const { text } = readDirectives(written);
      assert.ok(text.startsWith(before), JSON.stringify([written, before, text]));
    }
  });
}

it('the corpus has at least 200 answers', (t) => {
  const count = Object.values(CORPUS).reduce((sum, rows) => sum + rows.length, 0);
  t.diagnostic(`directives: ${count} answers`);
  assert.ok(count >= 200, String(count));
});
