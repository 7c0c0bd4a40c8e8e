/** What browsers fetch of the Control UI: no library of schemas in it, and a first load that stays small. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';

const UI = 'dist/ui';
const ASSETS = join(UI, 'assets');
/** Issues of zod carry this code: it is in every bundle that validates a union. */
const MARK = 'invalid_union';
/** Bytes. On a slow mobile line (400 kbit/s) this much takes a second and a half; it was 68 700 when this was written. */
const MAX_FIRST_LOAD = 75_000;

const read = (path: string): string => readFileSync(path, 'utf8');
const gzipped = (path: string): number => gzipSync(readFileSync(path)).byteLength;

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

test('the first load of the Control UI stays small', (t) => {
  const named = [...read(join(UI, 'index.html')).matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)];
  const entry = named.map(([, path]) => join(UI, path!));
  const imported = entry
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => [...read(path).matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)])
    .map(([, name]) => join(ASSETS, name!));
  const files = [...new Set([...entry, ...imported])];
  assert.ok(files.length >= 2, `found ${files.join(', ')}`);
  const bytes = files.reduce((sum, path) => sum + gzipped(path), 0);
  t.diagnostic(`first load: ${bytes} bytes gzipped in ${files.length} files`);
  assert.ok(bytes <= MAX_FIRST_LOAD, `${bytes} bytes: ${files.map((path) => `${path} ${gzipped(path)}`).join(', ')}`);
});
