import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveIncludes } from './include.ts';
import { plainValue } from './sourced.ts';

async function resolve(files: Record<string, string>): Promise<{ value: unknown; problems: string[]; read: string[] }> {
  const {
    root,
    issues,
    files: included,
  } = await resolveIncludes('/c/main.json', { read: async (path) => files[path], home: '/home' });
  return {
    value: plainValue(root),
    problems: issues.map((issue) => `${issue.path}: ${issue.problem}`),
    read: [...included.keys()],
  };
}

test('objects merge, lists join, the keys beside an include win', async () => {
  const { value, problems } = await resolve({
    '/c/main.json': `{ $include: ['./a.json5', 'sub/b.json5'], list: [3], o: { x: 'main' } }`,
    '/c/a.json5': `{ list: [1], o: { x: 'a', y: 'a' }, only: 'a' } // comment`,
    '/c/sub/b.json5': `{ list: [2], o: { y: 'b' } }`,
  });
  assert.deepEqual(value, { list: [1, 2, 3], o: { x: 'main', y: 'b' }, only: 'a' });
  assert.deepEqual(problems, []);
});

test('paths are relative to the including file, absolute, or from home; any value may be included', async () => {
  const { value, read } = await resolve({
    '/c/main.json':
      `{ a: { $include: './deep/a.json' }, b: { $include: '/abs/b.json' }, list: { $include: '~/list.json' }, ` +
      `each: [{ $include: './deep/leaf.json' }] }`,
    '/c/deep/a.json': `{ $include: './leaf.json' }`,
    '/c/deep/leaf.json': `{ leaf: true }`,
    '/abs/b.json': `{ b: 1 }`,
    '/home/list.json': `[1, 2]`,
  });
  assert.deepEqual(value, { a: { leaf: true }, b: { b: 1 }, list: [1, 2], each: [{ leaf: true }] });
  assert.deepEqual(read, ['/c/main.json', '/c/deep/a.json', '/c/deep/leaf.json', '/abs/b.json', '/home/list.json']);
});

test('ten levels are fine, the eleventh is an error', async () => {
  const chain = (levels: number): Record<string, string> => ({
    '/c/main.json': `{ $include: './1.json' }`,
    ...Object.fromEntries(
      Array.from({ length: levels }, (_, i) => [
        `/c/${i + 1}.json`,
        i + 1 === levels ? '{ end: true }' : `{ $include: './${i + 2}.json' }`,
      ]),
    ),
  });
  const ten = await resolve(chain(10));
  assert.deepEqual([ten.value, ten.problems], [{ end: true }, []]);
  assert.match((await resolve(chain(11))).problems.join(), /more than 10 levels/);
});

test('a cycle is an error that shows the way round', async () => {
  const { problems } = await resolve({
    '/c/main.json': `{ a: { $include: './b.json' } }`,
    '/c/b.json': `{ $include: './main.json' }`,
  });
  assert.match(problems.join(), /^a: .*main\.json → .*b\.json → .*main\.json/);
});

test('the same file twice is no cycle', async () => {
  const { value, problems } = await resolve({
    '/c/main.json': `{ a: { $include: './x.json' }, b: { $include: './x.json' } }`,
    '/c/x.json': '{ x: 1 }',
  });
  assert.deepEqual([value, problems], [{ a: { x: 1 }, b: { x: 1 } }, []]);
});

test('a failed include is reported with its position', async () => {
  const cases: [string, RegExp][] = [
    [`{ a: { $include: './none.json' } }`, /^a: .*none\.json does not exist/],
    [`{ a: { $include: 7 } }`, /^a\.\$include: .*file name/],
    [`{ a: { $include: './bad.json' } }`, /^a: .*bad\.json is not valid JSON5 at line 2/],
    [`{ a: { $include: './list.json', b: 1 } }`, /^a\.\$include: .*holds no object/],
    [`[1]`, /^: .*holds no object/],
    [`{ "__proto__": { x: 1 } }`, /__proto__/],
  ];
  for (const [main, expected] of cases) {
    const { problems } = await resolve({ '/c/main.json': main, '/c/bad.json': '{\n a: }', '/c/list.json': '[1]' });
    assert.match(problems.join('\n'), expected, main);
  }
});

test('a missing first file is an empty configuration, an empty one is an error', async () => {
  assert.deepEqual(await resolve({}), { value: {}, problems: [], read: ['/c/main.json'] });
  assert.match((await resolve({ '/c/main.json': ' \n' })).problems.join(), /main\.json is empty/);
});
