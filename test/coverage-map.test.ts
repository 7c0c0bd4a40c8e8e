/** The map from specification to tests and the design pages name only files that exist. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

test('every code file that a page on the design names is there', () => {
  const found = globSync(['{src,test,scripts,bench,ui,bin}/**/*.{ts,mjs}'], {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  });
  const there = new Set(found.map((path) => basename(path)));
  const missing = globSync('docs/design/*.md', { cwd: ROOT }).flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)]
      .filter(([, file]) => !there.has(basename(file!)))
      .map(([, file]) => `${page}: ${file}`),
  );
  assert.ok(there.size > 1000, 'the tree is read');
  assert.deepEqual(missing, []);
});

test('every path in the architecture table on where to find things is there', () => {
  const page = readFileSync(join(ROOT, 'docs/design/architecture.md'), 'utf8');
  const table = /\n\| to find \| see \|\n(?:\|.*\n)+/.exec(page)?.[0] ?? '';
  const paths = [...table.matchAll(/`((?:src|ui|test|bench|scripts)\/[^`]*)`/g)].map(([, path]) => path!);
  assert.ok(paths.length > 70, 'the table is read');
  assert.deepEqual(
    paths.filter((path) => globSync(path.replaceAll(/<[^>]*>/g, '*'), { cwd: ROOT }).length === 0),
    [],
  );
});

test('every folder of the sources is on the architecture page', () => {
  const page = readFileSync(join(ROOT, 'docs/design/architecture.md'), 'utf8');
  const folders = /```\n(src\/[\s\S]*?)```/.exec(page)?.[1] ?? '';
  const names = globSync('src/*/', { cwd: ROOT }).map((path) => basename(path));
  assert.ok(names.length > 15, 'the folders are read');
  assert.deepEqual(
    names.filter((name) => !folders.includes(` ${name}/`)),
    [],
  );
});
