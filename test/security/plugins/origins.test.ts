// Allowed locations and names of plugins: code that others could change or plant is not run.
import assert from 'node:assert/strict';
import { chmod, chown, mkdir, rm, symlink } from 'node:fs/promises';
import { it, type TestContext } from 'node:test';
import { tool, ran, plugin, evaluated, fixture } from './plugin-fixture.ts';
import { TRAPS } from './traps.ts';

const provider = (id: string): string => `{ id: '${id}', label: '${id}', apis: [], chat() {} }`;

const channel = (id: string): string =>
  `{ id: '${id}', label: 'of ${id}', config: { safeParse() {} }, connect() {}, capabilities: { chats: ['direct'], threads: false, edit: false, react: false, typing: false, media: false, voice: false, markdown: 'none', maxTextLength: 100, idempotentSend: false, deliverable: true } }`;

it('code that others could change, or that lies where it should not, is not evaluated', async (t) => {
  evaluated();
  for (const [what, trap, reported] of TRAPS) {
    await using place = await fixture();
    const { problems, ran: names } = await place.load([await trap(place)]);
    assert.deepEqual([names, problems.length], [[], 1], `${what}: ${problems.join(' ')}`);
    assert.match(problems[0]!, reported, what);
  }
  t.diagnostic(`plugins, origins: ${TRAPS.length}/${TRAPS.length} refused`);
});

it('code of another user is not evaluated', {
  skip: process.getuid?.() === 0 ? false : 'only root can give a file away',
}, async () => {
  for (const path of ['p/evil/index.mjs', 'p/evil/lib/a.mjs', 'p/evil', 'p']) {
    await using place = await fixture();
    await place.lay('p/evil/index.mjs', plugin('evil'));
    await place.lay('p/evil/lib/a.mjs', '');
    await chown(place.at(path), 4711, 4711);
    const { problems, ran: names } = await place.load([place.at('p/evil')]);
    assert.deepEqual([names, problems.length], [[], 1], path);
    assert.match(problems[0]!, /another user \(4711\)/);
  }
});

it('what is denied, or switched off, is not evaluated, however it is written', async (t) => {
  const cases: readonly (readonly [path: string, settings: object])[] = [
    ['p/evil/index.mjs', { deny: ['evil'] }],
    ['p/Evil.mjs', { deny: ['Evil'] }],
    ['p/evil.mjs', { deny: ['EVIL'] }],
    ['p/evil/index.mjs', { deny: ['p/evil/index.mjs'] }],
    ['p/evil/../evil/index.mjs', { deny: ['evil'] }],
    ['p/evil/.', { deny: ['evil'] }],
    ['p/evil//', { deny: ['evil'] }],
    ['alias', { deny: ['evil'] }],
    ['p/evil', { allow: ['alias'] }],
    ['p/Evil.mjs', { entries: { Evil: { enabled: false } } }],
    ['p/evil', { entries: { EVIL: { enabled: false } } }],
    ['p/evil/index.mjs', { entries: { evil: { enabled: false } } }],
    ['p/evil', { enabled: false }],
    ['p/evil', { allow: [] }],
    ['p/evil/index.mjs', { allow: ['index'] }],
  ];
  for (const [path, settings] of cases) {
    await using place = await fixture();
    await place.lay('p/evil/index.mjs', plugin('evil'));
    await place.lay('p/Evil.mjs', plugin('evil'));
    await place.lay('p/evil.mjs', plugin('evil'));
    await symlink(place.at('p/evil'), place.at('alias'));
    const absolute = JSON.parse(
      JSON.stringify(settings).replace('p/evil/index.mjs', place.at('p/evil/index.mjs')),
    ) as object;
    assert.deepEqual(
      (await place.load([`${place.at()}/${path}`], absolute)).ran,
      [],
      `${path} ${JSON.stringify(settings)}`,
    );
  }
  await using place = await fixture();
  await place.lay('state/node_modules/@who/evil/index.js', ran('evil'));
  for (const deny of ['evil', '@who/evil', '@WHO/Evil'])
    assert.deepEqual((await place.load(['@who/evil'], { deny: [deny] })).ran, [], deny);
  t.diagnostic(`plugins, denied: ${cases.length + 3}/${cases.length + 3} not evaluated`);
});

it("a name is one plugin's alone, and the product's own come first", async (t) => {
  const taken = [
    'read',
    'Read',
    'BASH',
    'exec',
    'Apply-Patch',
    'apply_patch',
    'constructor',
    '__proto__',
    'toString',
    'view_image',
  ];
  for (const name of taken) {
    await using place = await fixture();
    const { tools, problems } = await place.load([
      await place.lay('p/one.mjs', plugin('one', tool(name), tool('of_one'))),
    ]);
    assert.deepEqual(
      [tools.filter((each) => each === name).length, tools.includes('of_one'), problems.length],
      [name === 'read' || name === 'apply_patch' ? 1 : 0, true, 1],
      `${name} ${problems.join(' ')}`,
    );
  }
  await using place = await fixture();
  const [one, two] = [
    await place.lay('p/one.mjs', plugin('one', tool('mine'))),
    await place.lay('p/two.mjs', plugin('two', tool('mine'), tool('MINE'), tool('other'))),
  ];
  const both = await place.load([one, two]);
  assert.deepEqual(
    [both.tools.filter((name) => /mine|other/i.test(name)), both.origins.get('mine'), both.problems.length],
    [['mine', 'other'], 'one', 2],
  );
  const again = await place.load([one, await place.lay('q/one.mjs', plugin('second', tool('late')))]);
  assert.deepEqual(
    [again.tools.includes('late'), again.ran.includes('second'), again.problems.length],
    [false, false, 1],
  );
  const named = await place.load([
    await place.lay(
      'p/named.mjs',
      plugin(
        'named',
        provider('openai'),
        provider('constructor'),
        channel('telegram'),
        channel('constructor'),
        channel('defaults'),
        channel('fine'),
      ),
    ),
  ]);
  assert.match(named.problems.join('\n'), /openai/);
  assert.deepEqual(
    [
      named.channels.filter((each) => /of /.test(each)),
      (await named.loader.loadProvider('openai'))?.label === 'openai',
      await named.loader.loadProvider('constructor'),
    ],
    [['fine of fine'], false, undefined],
  );
  t.diagnostic(`plugins, names: ${taken.length + 8}/${taken.length + 8} kept by their owners`);
});

it('one that never comes to an end, throws what it likes or is no plugin costs itself alone', async (t: TestContext) => {
  const broken = [
    'await new Promise(() => {});',
    'throw null;',
    'throw new Error("x");',
    'export default { get kind() { throw new Error("x"); }, get connect() { throw 1; } };',
    'export default new Proxy({}, { get() { throw new Error("x"); } });',
    'const a = []; a.push(a); export default a;',
    'export default null;',
    'export default 7;',
    'export {};',
    'syntax error',
    'import "./nowhere.mjs";',
  ];
  for (const text of broken) {
    await using place = await fixture();
    const { tools, problems } = await place.load([
      await place.lay('p/odd.mjs', text),
      await place.lay('p/fine.mjs', plugin('fine')),
    ]);
    assert.deepEqual([tools.includes('of_fine'), problems.length], [true, 1], text);
  }
  t.diagnostic(`plugins, broken: ${broken.length}/${broken.length} left out`);
});

it("what is written by the owner, in the owner's folders, is loaded as before", async () => {
  await using place = await fixture();
  await place.lay('p/folder/index.mjs', `import './lib/a.mjs'; import 'dep'; ${plugin('folder')}`);
  await place.lay('p/folder/lib/a.mjs', '');
  await place.lay('p/folder/node_modules/dep/index.js', '');
  await mkdir(place.at('p/folder/node_modules/.bin'));
  await symlink('../dep/index.js', place.at('p/folder/node_modules/.bin/dep'));
  await symlink('nowhere', place.at('p/folder/gone'));
  await place.lay('p/single.mjs', `import './folder/lib/a.mjs'; ${plugin('single')}`);
  await place.lay('p/group/index.mjs', plugin('group'));
  await chmod(place.at('p/group'), 0o775);
  await place.lay('state/node_modules/packaged/package.json', '{"main":"lib/main.mjs"}');
  await place.lay('state/node_modules/packaged/lib/main.mjs', plugin('packaged'));
  await place.lay('state/node_modules/@who/scoped/index.mjs', plugin('scoped'));
  await place.lay('state/node_modules/@who/scoped/package.json', '{"exports":"./index.mjs"}');
  await symlink(place.at('p/folder'), place.at('short'));
  const { tools, problems } = await place.load(
    [place.at('short'), place.at('p/single.mjs'), place.at('p/group'), 'packaged', '@who/scoped'],
    { allow: ['short', 'folder', 'single', 'group', 'packaged', '@who/scoped'] },
  );
  assert.deepEqual(problems, []);
  for (const name of ['folder', 'single', 'group', 'packaged', 'scoped']) assert.ok(tools.includes(`of_${name}`), name);
  await rm(place.at('p'), { recursive: true });
});
