/** Loading plugins by folder and by path, and the errors for broken ones. */
import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { silentLog, type Log } from '../core/log.ts';
import { pluginsConfigSchema } from './config.ts';
import { createPluginLoader } from './load.ts';

const PROVIDER = (id: string) =>
  `export default { id: '${id}', label: '${id}', apis: ['openai-completions'], chat() {} };`;
const TOOL = (name: string) =>
  `export default { name: '${name}', summary: 's', description: 'd', input: { safeParse() {} }, async run() {} };`;
const CHANNEL = (id: string, order: number) =>
  `export default { id: '${id}', label: '${id}', order: ${order}, config: { safeParse() {} }, connect() {}, ` +
  `capabilities: { chats: ['direct'], threads: false, edit: false, react: false, typing: false, media: ` +
  `false, voice: false, markdown: 'none', maxTextLength: 100, idempotentSend: false, deliverable: true } };`;
const MINE = `globalThis; ${PROVIDER('mine')}`;

const root = join(tmpdir(), `plugins-${process.pid}-${Date.now().toString(36)}`);
before(async () => {
  const files: Record<string, string> = {
    'channels/beta/index.ts': CHANNEL('beta', 1),
    'channels/alpha/index.ts': CHANNEL('alpha', 2),
    'channels/never/index.ts': 'throw new Error("imported although nobody asked");',
    'channels/notes.txt': 'not a channel',
    'channels/empty/readme.md': '',
    'providers/acme/index.ts': PROVIDER('acme'),
    'providers/broken/index.ts': 'export default { id: "broken", label: "", apis: [], chat() {} };',
    'tools/session_status/index.ts': TOOL('session_status'),
    'tools/read/index.ts': TOOL('read'),
    'extra/mine/index.mjs': MINE,
    'extra/both.mjs':
      `import tool from './tool.mjs'; import provider from './mine/index.mjs'; export default [tool, { ` +
      `...provider, id: 'second' }];`,
    'extra/tool.mjs': TOOL('extra_tool'),
    'extra/belled.mjs': `${CHANNEL('belled', 9).replace('export default {', `const bell = {\n  name: 'bell', summary: 's', description: 'd', input: { safeParse() {} }, async run() {}, available: ({ model }) => model === 'm' };\nexport default { tools: [bell, { ...bell, name: 'read' }],`)}`,
    'extra/unbelled.mjs': CHANNEL('unbelled', 9).replace(
      'export default {',
      "export default { tools: [{ name: 'no tool' }],",
    ),
    'extra/crash.mjs': 'throw new Error("boom");',
    'extra/odd.mjs': 'export default { id: "odd" };',
    'extra/main/package.json': '{"main":"lib.mjs"}',
    'extra/main/lib.mjs': PROVIDER('mained'),
    'home/node_modules/some-plugin/package.json': '{"name":"some-plugin","main":"m.mjs"}',
    'home/node_modules/some-plugin/m.mjs': PROVIDER('packaged'),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
});
after(() => rm(root, { recursive: true, force: true }));

function loader(plugins: unknown = {}) {
  const errors: unknown[] = [];
  const log: Log = { ...silentLog, error: (_event, fields) => void errors.push(fields?.['problem']) };
  const loading = createPluginLoader({
    config: pluginsConfigSchema.parse(plugins),
    log,
    home: join(root, 'home'),
    packagesFrom: join(root, 'home'),
    closed: [],
    root,
  });
  return {
    errors,
    describeChannels: () => loading.describeChannels(),
    loadChannels: (enabled: (id: string) => boolean) => loading.loadChannels(enabled),
    loadProvider: (id: string) => loading.loadProvider(id),
    loadTools: (names?: readonly string[]) => loading.loadTools(names),
    loadFeatures: () => loading.loadFeatures(),
    toolOrigins: () => loading.toolOrigins(),
    ids: (kind: Parameters<typeof loading.ids>[0]) => loading.ids(kind),
  };
}
const extra = (...names: string[]) => ({ load: { paths: names.map((name) => join(root, 'extra', name)) } });

describe('what the product brings along', () => {
  it('is found by its folder, imported only when enabled, listed in order', async () => {
    assert.deepEqual(
      (await loader().loadChannels((id) => id !== 'never')).map(({ id }) => id),
      ['beta', 'alpha'],
    );
  });

  it('is loaded by name; a name nobody has is undefined, also one that climbs', async () => {
    assert.equal((await loader().loadProvider('acme'))?.id, 'acme');
    for (const id of ['nope', '../tools/read', '', '.']) assert.equal(await loader().loadProvider(id), undefined);
  });

  it('loads only the tools that are named', async () => {
    assert.deepEqual(
      (await loader().loadTools(['session_status', 'ghost'])).map(({ name }) => name),
      ['session_status'],
    );
    assert.deepEqual(
      (await loader().loadTools()).map(({ name }) => name),
      ['read', 'session_status'],
    );
  });

  it('names what is wrong with a folder', async () => {
    await assert.rejects(loader().loadProvider('broken'), {
      code: 'invalid',
      message: /^providers\/broken is not a valid provider: label: /,
    });
  });

  it('is listed without being imported', async () => {
    assert.deepEqual(await loader().ids('channel'), ['alpha', 'beta', 'never']);
  });
});

describe('what others write', () => {
  it('goes through the same checks: a folder, a file, a list, a package', async () => {
    const { loadProvider, loadTools, toolOrigins, ids, errors } = loader({
      load: { paths: [...extra('mine', 'both.mjs', 'main/').load.paths, 'some-plugin'] },
    });
    for (const id of ['mine', 'second', 'mained', 'packaged']) assert.equal((await loadProvider(id))?.id, id);
    assert.deepEqual(
      (await loadTools(['extra_tool'])).map(({ name }) => name),
      ['extra_tool'],
    );
    assert.deepEqual([...(await toolOrigins())], [['extra_tool', 'both']]);
    assert.deepEqual(await ids('provider'), ['acme', 'broken', 'mained', 'mine', 'packaged', 'second']);
    assert.deepEqual(errors, []);
  });

  it('takes the tools of a channel along, for where that channel is in use; one whose name is taken is left out', async () => {
    const { loadTools, toolOrigins, describeChannels, errors } = loader(extra('belled.mjs', 'unbelled.mjs'));
    const [bell] = (await loadTools()).filter(({ name }) => name === 'bell');
    const where = (channels: readonly string[], model = 'm') =>
      bell!.available!({ channels: channels.map((id) => ({ id, label: id, actions: [] })), model } as never);
    assert.deepEqual(
      [where(['belled']), where(['alpha']), where([]), where(['belled'], 'x')],
      [true, false, false, false],
    );
    assert.deepEqual([...(await toolOrigins())], [['bell', 'belled']]);
    assert.equal((await loadTools()).filter(({ name }) => name === 'read').length, 1);
    assert.deepEqual(
      (await describeChannels()).map(({ id }) => id).filter((id) => id.endsWith('belled')),
      ['belled'],
    );
    assert.ok(
      errors.some((error) => /"read" of the plugin belled is ignored/.test(String(error))) &&
        errors.some((error) => /channel unbelled, tool no tool is not a valid tool/.test(String(error))),
      String(errors),
    );
  });

  it('is logged and left out when broken, and the rest works', async () => {
    const { loadProvider, errors } = loader({
      load: { paths: [...extra('crash.mjs', 'odd.mjs', 'ghost', 'mine').load.paths, './here', 'no-such-package'] },
    });
    assert.equal((await loadProvider('mine'))?.id, 'mine');
    const text = errors.join('\n');
    for (const part of [
      /crash\.mjs.*boom/,
      /odd\.mjs exports none of: a channel/,
      /ghost" does not exist/,
      /"\.\/here" is relative/,
      /package "no-such-package" is not installed/,
    ])
      assert.match(text, part);
    assert.equal(errors.length, 5);
  });

  it('is not imported when denied, not allowed, or switched off', async () => {
    const { load } = extra('crash.mjs');
    for (const config of [
      { deny: ['crash'] },
      { allow: ['mine'] },
      { enabled: false },
      { entries: { crash: { enabled: false } } },
    ]) {
      const { ids, errors } = loader({ ...config, load });
      await ids('tool');
      assert.deepEqual(errors, [], JSON.stringify(config));
    }
  });
});
