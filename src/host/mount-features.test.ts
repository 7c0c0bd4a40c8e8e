// Mounted features: joined parts, and failures that affect only the failing feature.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '../core/log.ts';
import type { Tool } from '../core/tool.ts';
import type { DeviceRegistry } from './devices.ts';
import type { Feature, FeatureParts } from './feature.ts';
import type { Host } from './host.ts';
import type { ToolEnvironment, Workplace } from './tool-environment.ts';
import { createFeatures, type Features } from './mount-features.ts';

const host = { machine: { log: silentLog } } as unknown as Host;

const feature = (id: string, parts: FeatureParts, more: Partial<Feature> = {}): Feature => ({
  id,
  summary: `${id}.`,
  ...more,
  create: () => parts,
});

async function mount(...found: readonly Feature[]): Promise<Features> {
  const features = createFeatures({ log: silentLog, subscribe: () => () => undefined });
  await features.mount(found, host, {} as never);
  return features;
}

it('lists the children of a session from all features, and stops all or the named ones', async () => {
  const stopped: unknown[] = [];
  const keeper = (id: string): FeatureParts => ({
    children: {
      of: async (key) => [{ id: `${id}:${key}`, label: id, agentId: 'main' }],
      stop: async (key, ids) => stopped.push([id, key, ids]),
    },
  });
  const { children } = await mount(feature('a', keeper('a')), feature('b', keeper('b')), feature('c', {}));
  assert.deepEqual(
    (await children.of('k')).map(({ id }) => id),
    ['a:k', 'b:k'],
  );
  assert.equal(await children.stop('k', ['a:k']), 3);
  assert.deepEqual(stopped, [
    ['a', 'k', ['a:k']],
    ['b', 'k', ['a:k']],
  ]);
  assert.equal(await (await mount()).children.stop('k'), 0);
});

it('asks another gateway for what a feature names and for nothing else', async () => {
  const mounted = await mount(feature('a', {}, { toolMethodsElsewhere: ['toy.look'] }), feature('b', {}));
  assert.deepEqual(['toy.look', 'toy.change', 'constructor'].map(mounted.goesElsewhere), [true, false, false]);
});

it('one that fails to end costs the others nothing', async () => {
  const ended: string[] = [];
  const mounted = await mount(
    feature('a', { close: () => Promise.reject(new Error('stuck')), finish: () => Promise.reject(new Error('stuck')) }),
    feature('b', { close: async () => void ended.push('close'), finish: async () => void ended.push('finish') }),
  );
  await mounted.close();
  await mounted.finish();
  assert.deepEqual(ended, ['close', 'finish']);
});

it('one that takes long begins after the start of all, holds nobody up, and is waited for at the end', async () => {
  const seen: string[] = [];
  const reading = Promise.withResolvers<void>();
  const features = await mount(
    feature('slow', {
      async afterStart() {
        seen.push('reads');
        await reading.promise;
        seen.push('has read');
      },
      close: async () => void seen.push('closes'),
    }),
    feature('quick', { start: async () => void seen.push('starts') }),
  );
  await features.start();
  features.afterStart();
  const closed = features.close().then(() => seen.push('closed'));
  await turn();
  assert.deepEqual(seen, ['starts', 'reads', 'closes']);
  reading.resolve();
  await closed;
  assert.deepEqual(seen, ['starts', 'reads', 'closes', 'has read', 'closed']);
});

it('a feature that fails to start is reported by name, and does not affect the others', async () => {
  const broken = () => Promise.reject(new Error('the disk is full'));
  const [begun, errors]: [string[], string[]] = [[], []];
  const log = { ...silentLog, error: (event: string) => void errors.push(event) };
  const features = createFeatures({ log, subscribe: () => () => undefined });
  await features.mount(
    [
      feature('one', { start: broken, afterStart: broken }),
      feature('two', { afterStart: async () => void begun.push('two') }),
      { ...feature('three', {}), create: broken },
    ],
    { machine: { log } } as unknown as Host,
    {} as never,
  );
  await features.start();
  features.afterStart();
  await features.close();
  assert.deepEqual([errors, begun], [['feature.broken', 'one.start', 'one.start'], ['two']]);
});

it('one that cannot be created leaves none of its tools behind, and takes no other of the same name along', async () => {
  const tool = (name: string) => ({ name }) as unknown as Tool;
  const [own, broken, others] = [tool('wind'), tool('unwind'), tool('unwind')];
  const features = await mount(feature('works', {}, { tools: [own] }), {
    ...feature('fails', {}, { tools: [broken] }),
    create: () => Promise.reject(new Error('the disk is full')),
  });
  assert.deepEqual(features.usable([own, broken, others]), [own, others]);
});

it('gives tools the environment of the one feature that has one, else the bare folder of the agent and no shell', async () => {
  const there = {} as Workplace;
  const environment = { place: () => there } as unknown as ToolEnvironment;
  const at = { agentId: 'main', sessionKey: 'k' };
  assert.equal((await mount(feature('a', { environment }))).environment.place(at), there);
  const bare = (mode: 'off' | 'all') => ({
    machine: { log: silentLog, env: { home: '/home/ann' } },
    agents: { entry: () => undefined, resolve: () => ({ workspace: '~/clawd' }) },
    config: { current: () => ({ agents: { defaults: { sandbox: { mode } } } }) },
  });
  const placeWith = async (mode: 'off' | 'all') => {
    const features = createFeatures({ log: silentLog, subscribe: () => () => undefined });
    await features.mount([], bare(mode) as unknown as Host, {} as never);
    return features.environment.place(at);
  };
  const workspace = '/home/ann/clawd';
  assert.deepEqual(await placeWith('off'), {
    agentWorkspace: workspace,
    workspace,
    shownAs: workspace,
    sandbox: undefined,
  });
  await assert.rejects(placeWith('all'), { code: 'unsupported' }, 'a box that is asked for is never left out silently');
});

it('finds resources by their kind in all features', async () => {
  const job = async (id: string) => ({ words: `the job ${id}` });
  assert.deepEqual((await mount(feature('jobs', { things: { job } }), feature('none', {}))).things, { job });
});

it('remembers devices where one feature does, lets none in where none does, and takes no two', async () => {
  const { devices } = await mount();
  assert.deepEqual([devices.find('d'), devices.principalOf('t')], [undefined, undefined]);
  const request = { deviceId: 'd', publicKey: 'k', role: 'operator', scopes: [] };
  for (const ask of [devices.admit(request), devices.request(request), devices.issueToken('d', 'operator')])
    await assert.rejects(ask, { code: 'unsupported' });
  const own: DeviceRegistry = { ...devices };
  assert.equal((await mount(feature('a', { devices: own }))).devices, own);
  await assert.rejects(mount(feature('a', { devices: own }), feature('b', { devices: own })), {
    code: 'conflict',
    message: 'Only one feature remembers devices; a and b do.',
  });
});

it('seals the folders of every feature that was found, also of one that could not be created', async () => {
  const machine = { log: silentLog, env: { stateDir: '/state' } };
  const features = createFeatures({ log: silentLog, subscribe: () => () => undefined });
  await features.mount(
    [
      { ...feature('one', { secretPaths: () => ['/elsewhere/jobs.json'] }), folders: ['one'] },
      { ...feature('two', {}), folders: ['two'], create: () => Promise.reject(new Error('the disk is full')) },
    ],
    { machine } as unknown as Host,
    {} as never,
  );
  assert.deepEqual(features.secretPaths(), ['/state/one', '/state/two', '/elsewhere/jobs.json']);
});
