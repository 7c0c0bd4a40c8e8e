/** Plugins whose code must not be loaded: where each is placed, and what the log says. */
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { fixture } from './plugin-fixture.ts';
import { ran, plugin } from './plugin-fixture.ts';

type Fixture = Awaited<ReturnType<typeof fixture>>;

/** Lays the trap; answers what `plugins.load.paths` names. */
type Trap = readonly [what: string, lay: (fixture: Fixture) => Promise<string>, complaint: RegExp];

export const TRAPS: readonly Trap[] = [
  ['a file in a workspace', ({ lay }) => lay('work/evil/index.mjs', plugin('evil')), /agent/],
  ['a folder in a workspace', async ({ lay }) => dirname(await lay('work/evil/index.mjs', plugin('evil'))), /agent/],
  [
    'a link into a workspace',
    async ({ at, lay }) => {
      await lay('work/evil/index.mjs', plugin('evil'));
      await symlink(at('work/evil'), at('good'));
      return at('good');
    },
    /agent/,
  ],
  [
    'a workspace by a name of dots',
    async ({ at, lay }) => {
      await lay('work/evil/index.mjs', plugin('evil'));
      return `${at('home')}/../work/evil`;
    },
    /agent/,
  ],
  ['a received file', ({ lay }) => lay('state/media/inbound/of-1/abc.mjs', plugin('evil')), /agent|others/],
  [
    'a package that is a link into a workspace',
    async ({ at, lay }) => {
      await lay('work/evil/index.js', `${ran('evil')}`);
      await mkdir(at('state/node_modules'), { recursive: true });
      await symlink(at('work/evil'), at('state/node_modules/evil'));
      return 'evil';
    },
    /agent|outside/,
  ],
  [
    'main that climbs out',
    async ({ at, lay }) => {
      await lay('p/lib.mjs', plugin('evil'));
      await lay('p/evil/package.json', '{"main":"../lib.mjs"}');
      return at('p/evil');
    },
    /outside/,
  ],
  [
    'main that is absolute',
    async ({ at, lay }) => {
      const lib = await lay('q/lib.mjs', plugin('evil'));
      await lay('p/evil/package.json', JSON.stringify({ main: lib }));
      return at('p/evil');
    },
    /outside|none of/,
  ],
  [
    'an entry that is a link out of the folder',
    async ({ at, lay }) => {
      await lay('q/lib.mjs', plugin('evil'));
      await mkdir(at('p/evil'), { recursive: true });
      await symlink(at('q/lib.mjs'), at('p/evil/index.mjs'));
      return at('p/evil');
    },
    /outside/,
  ],
  [
    'a dependency that is a link into a workspace',
    async ({ at, lay }) => {
      await lay('work/dep/index.js', ran('evil'));
      await lay('p/evil/index.mjs', `import 'dep'; ${plugin('evil')}`);
      await mkdir(at('p/evil/node_modules'));
      await symlink(at('work/dep'), at('p/evil/node_modules/dep'));
      return at('p/evil');
    },
    /outside/,
  ],
  [
    'a folder writable by everybody',
    async ({ at, lay }) => {
      await lay('p/evil/index.mjs', plugin('evil'));
      await chmod(at('p/evil'), 0o777);
      return at('p/evil');
    },
    /writable by everybody/,
  ],
  [
    'a file writable by everybody',
    async ({ lay }) => {
      const path = await lay('p/evil.mjs', plugin('evil'));
      await chmod(path, 0o666);
      return path;
    },
    /writable by everybody/,
  ],
  [
    'a parent writable by everybody',
    async ({ at, lay }) => {
      await lay('p/q/evil/index.mjs', plugin('evil'));
      await chmod(at('p'), 0o777);
      return at('p/q/evil');
    },
    /writable by everybody/,
  ],
  [
    'a deep file writable by everybody',
    async ({ at, lay }) => {
      await lay('p/evil/index.mjs', `import './a/b/c.mjs'; ${plugin('evil')}`);
      await chmod(await lay('p/evil/a/b/c.mjs', ran('evil')), 0o666);
      return at('p/evil');
    },
    /writable by everybody/,
  ],
  [
    'a dependency writable by everybody',
    async ({ at, lay }) => {
      await lay('p/evil/index.mjs', `import 'dep'; ${plugin('evil')}`);
      await chmod(await lay('p/evil/node_modules/dep/index.js', ran('evil')), 0o666);
      return at('p/evil');
    },
    /writable by everybody/,
  ],
  ['a device for a file', async () => '/dev/null', /neither|everybody|plain/],
  ['a part of Node', async () => 'fs', /npm package|no usable name/],
  ['the same, spelt out', async () => 'node:child_process', /npm package|no usable name/],
  ['an address', async () => 'data:text/javascript,globalThis.ranPlugins.push("evil")', /npm package|no usable name/],
  [
    'a file address',
    async ({ lay }) => `file://${await lay('p/evil.mjs', plugin('evil'))}`,
    /npm package|no usable name/,
  ],
  [
    'a package name that climbs',
    async ({ lay }) => {
      await lay('state/node_modules/good/package.json', '{"name":"good"}');
      await lay('state/evil.js', ran('evil'));
      return 'good/../../evil.js';
    },
    /npm package|no usable name/,
  ],
  [
    'a package of a folder above',
    async ({ lay }) => {
      await lay('node_modules/evil/index.js', ran('evil'));
      return 'evil';
    },
    /not installed/,
  ],
  [
    'a manifest of nonsense',
    async ({ at, lay }) => {
      await lay('p/evil/package.json', '\xff{');
      await lay('p/evil/index.mjs', plugin('evil'));
      return at('p/evil');
    },
    /not JSON/,
  ],
  [
    'a deep manifest',
    async ({ at, lay }) => {
      await lay('p/evil/package.json', `{"main":${'['.repeat(200_000)}`);
      await lay('p/evil/index.mjs', plugin('evil'));
      return at('p/evil');
    },
    /not JSON|too (?:big|large)/,
  ],
  [
    'a manifest of many megabytes',
    async ({ at, lay }) => {
      await lay('p/evil/package.json', `{"x":"${'a'.repeat(2_000_000)}"}`);
      await lay('p/evil/index.mjs', plugin('evil'));
      return at('p/evil');
    },
    /too (?:big|large)/,
  ],
  ['a name of another kind', ({ lay }) => lay('p/e*il.mjs', plugin('evil')), /name/],
  ['the name every object has', ({ lay }) => lay('p/__proto__.mjs', plugin('evil')), /name/],
  ['another such name', ({ lay }) => lay('p/constructor/index.mjs', plugin('evil')), /name/],
];
