/** Counts violations of code form: undocumented public exports, long lines. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { channelsNamed } from './channels-named.ts';
import { longLines } from './long-lines.ts';
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

/** Lines with a regular expression, a test's title or another literal that nobody broke yet. It only goes down. */
const MAX_LONG_LITERALS = 320;

test('lines end at column 120, but for a few with one long literal', () => {
  const files = globSync(['src/**/*.ts', 'ui/src/**/*.ts', 'scripts/**/*.mjs']).map((path) =>
    longLines(path.replaceAll('\\', '/'), readFileSync(path, 'utf8')),
  );
  assert.deepEqual(
    files.flatMap(({ others }) => others),
    [],
  );
  const literals = files.flatMap((found) => found.literals);
  assert.ok(literals.length <= MAX_LONG_LITERALS, `${literals.length} lines:\n${literals.join('\n')}`);
});

test('a long line is an exception only where a literal makes it long', () => {
  const word = 'x'.repeat(120);
  assert.deepEqual(longLines('a.ts', `a();\nb('${word}');`), { literals: ['a.ts:2'], others: [] });
  assert.deepEqual(longLines('a.ts', `a(/${word}/);\n// ${word}\n`), { literals: ['a.ts:1'], others: ['a.ts:2'] });
  assert.deepEqual(longLines('a.ts', `${word}('a');`), { literals: [], others: ['a.ts:1'] });
});

/** Channels whose id is also an everyday word of code (`signal` of a process, `email` of git). */
const ORDINARY = new Set(['signal', 'email']);
/** Where a channel may be named, and why. */
const NAMED_WITH_REASON = new Map([
  ['src/core/product.ts', 'the one place that names the own chat'],
  ['src/protocol/client-info.ts', 'ids and modes of clients, as the protocol publishes them'],
  ['src/core/tool-groups.ts', 'tools that carry the name of their platform'],
  ['src/config/migrate.ts', 'sections of older configurations'],
  ['src/features/cron/page/form-choices.ts', 'the page loads no code of core'],
  ['ui/src/channels/channels-page.ts', 'the label of the own chat, which has no account'],
  ['ui/src/gateway/sessions.ts', 'short names in the list of sessions, before the channels are known'],
]);

test('shared code names no channel', () => {
  const ids = globSync('src/channels/*/').map((path) => basename(path));
  assert.ok(ids.length > 3);
  const rare = ids.filter((id) => !ORDINARY.has(id));
  const found = find('src/**/*.ts', 'ui/src/**/*.ts')
    .filter(({ path }) => !/^src\/(channels|testing)\//.test(path))
    .flatMap(({ path, text }) => channelsNamed(path, text, rare));
  assert.deepEqual(
    found.filter((place) => !NAMED_WITH_REASON.has(place.split(':')[0]!)),
    [],
  );
  const unused = [...NAMED_WITH_REASON.keys()].filter((path) => !found.some((place) => place.startsWith(`${path}:`)));
  assert.deepEqual(
    unused.filter((path) => existsSync(path)),
    [],
  );
});

test('a channel is named by a literal or a key, not by a type or a comment', () => {
  const named = (text: string) => channelsNamed('a.ts', text, ['pipe']);
  assert.deepEqual(named("if (a === 'pipe') b({ pipe: 1 });"), ["a.ts:1 'pipe'", 'a.ts:1 pipe:']);
  assert.deepEqual(named("/** `'pipe'` */\nlet a: 'pipe' | 'b';\nb.pipe(c, 'pipes');"), []);
});

test('a catch clause looks at what it caught', () => {
  const blind = /\bcatch\s*\{/;
  assert.ok(blind.test('} catch {') && !blind.test('} catch (error) {'));
  const files = find('src/**/*.ts', 'ui/src/**/*.ts').filter(({ path }) => !path.startsWith('src/testing/'));
  assert.deepEqual(
    files.filter(({ text }) => blind.test(text.replaceAll(/'[^'\n]*'|`[^`]*`/g, ''))).map(({ path }) => path),
    [],
  );
});
