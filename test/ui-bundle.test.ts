/** The bundle of the Control UI: no schema library in it, and its size. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { firstLoad } from '../ui/dev/bundle-size.ts';

const ASSETS = 'dist/ui/assets';
/** Issues of zod carry this code: it is in every bundle that validates a union. */
const MARK = 'invalid_union';

const read = (path: string): string => readFileSync(path, 'utf8');

test('no part of the built Control UI contains zod', () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.length > 10, 'the Control UI is built');
  assert.deepEqual(
    scripts.filter((name) => read(join(ASSETS, name)).includes(MARK)),
    [],
  );
  const core = createRequire(import.meta.url).resolve('zod/v4/core');
  assert.ok(read(join(core, '..', 'schemas.js')).includes(MARK), 'the mark is one of zod');
});

test('what the first page loads is known', (t) => {
  const { bytes, files } = firstLoad();
  t.diagnostic(
    `first load: ${bytes} bytes gzipped in ${files.length} scripts; test/e2e/ui-pages.test.ts has the budget`,
  );
  assert.ok(bytes > 10_000);
});
