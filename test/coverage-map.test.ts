/** The map from specification to tests names files that exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const placeOf = (named: string): string =>
  /^(?:e2e|security)\//.test(named) ? `test/${named}` : /^(test|ui)\//.test(named) ? named : `src/${named}`;

test('every file the coverage map names is there', () => {
  const text = readFileSync(join(ROOT, 'docs/design/coverage.md'), 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\.ts)`/g)].map((match) => match[1]!);
  assert.ok(named.length > 100, 'the map is read');
  assert.deepEqual(
    [...new Set(named)].filter((file) => !existsSync(join(ROOT, placeOf(file)))),
    [],
  );
});
