/** The form of the code, counted line by line: docstrings of public exports. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { exportCount, undocumentedExports } from './undocumented-exports.ts';

const isOfTests = (path: string) => /\.test\.ts$|\/fake[^/]*\.ts$|\/harness\.ts$/.test(path);
const find = (...patterns: string[]) =>
  globSync(patterns)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !isOfTests(path))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

test('every public export says what it is', (t) => {
  const files = find('src/{core,sdk,protocol,platform,host}/**/*.ts', 'src/features/*/index.ts');
  const count = files.reduce((sum, { path, text }) => sum + exportCount(path, text), 0);
  assert.ok(count > 500, `only ${count} exports were found`);
  t.diagnostic(`${count} exports`);
  assert.deepEqual(
    files.flatMap(({ path, text }) => undocumentedExports(path, text)),
    [],
  );
});

test('an export without a docstring is found, whatever stands above it', () => {
  const found = (text: string) => undocumentedExports('a.ts', text);
  const opening = '/** What the file is for. */\n';
  assert.deepEqual(found(`${opening}export const a = 1;`), ['a.ts:2 a']);
  assert.deepEqual(found(`${opening}\n/** A. */\nexport const a = 1;`), []);
  assert.deepEqual(found(`${opening}import 'b';\n\n/** A. */\nexport type A = 1;\nexport class B {}`), ['a.ts:6 B']);
  assert.deepEqual(found(`${opening}import 'b';\n// Why.\nexport function f() {}`), ['a.ts:4 f']);
  assert.deepEqual(found(`${opening}import 'b';\ninterface A {}\nconst { b } = c;\nexport { type A, b };`), [
    'a.ts:3 A',
    'a.ts:4 b',
  ]);
  assert.deepEqual(found(`${opening}export default 1;\nexport { c } from './c.ts';`), []);
});
