/** Plugin features: timeouts and forbidden names affect only the plugin. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog, type Log } from '../core/log.ts';
import { adoptPlugin } from './adopt-plugin.ts';
import type { Host } from './host.ts';
import type { HttpSurface } from './http/surface.ts';
import type { PluginFeature, PluginHost, PluginParts } from './plugin-feature.ts';

function adopted(parts: PluginParts | Promise<PluginParts>, over: Partial<PluginFeature> = {}) {
  const problems: unknown[] = [];
  const published: unknown[] = [];
  const given: { host?: PluginHost } = {};
  const log: Log = {
    ...silentLog,
    child: () => log,
    error: (_event, fields) => void problems.push(fields?.['problem']),
  };
  const host = {
    machine: { log, zone: () => 'UTC' },
    agents: {},
    sessions: {},
    gateway: { publish: (event: string) => void published.push(event) },
  } as unknown as Host;
  const value: PluginFeature = {
    id: 'toy',
    summary: 's',
    ...over,
    create: (own) => {
      given.host = own;
      return parts;
    },
  };
  const feature = adoptPlugin({ value, path: '/p/toy', settings: undefined }, 20);
  return { problems, published, given, created: async () => feature.create(host) };
}
const never = new Promise<never>(() => undefined);

describe('a feature of a plugin', () => {
  it('that is never created does not hold the gateway up', () =>
    assert.rejects(adopted(never).created(), /"create" did not finish within 0\.02 s/));

  it('is not waited for at start and end for ever', async () => {
    const toy = adopted({ start: () => never, close: () => Promise.reject(new Error('stuck')) });
    const parts = await toy.created();
    await parts.start!();
    await parts.close!();
    assert.deepEqual(toy.problems, ['Its "start" did not finish within 0.02 s.', 'stuck']);
  });

  it('publishes its own events only', async () => {
    const toy = adopted({}, { events: { 'toy.wound': 'any' } });
    await toy.created();
    toy.given.host!.gateway.publish('toy.wound', {});
    assert.throws(() => toy.given.host!.gateway.publish('chat' as string, {}), /has no event "chat"/);
    assert.deepEqual(toy.published, ['toy.wound']);
  });

  it('has its callers proved before its handlers are asked, unless it does that itself', async () => {
    for (const [needs, expected] of [
      ['operator.admin', ['operator.admin', 'answered']],
      ['own', ['answered']],
    ] as const) {
      const seen: string[] = [];
      const surface = {
        access: { authorize: (_request: unknown, what: string) => void seen.push(what) },
      } as unknown as HttpSurface;
      const toy = adopted({
        http: () => ({ needs, under: { '/plugins/toy': { GET: () => void seen.push('answered') } } }),
      });
      const routes = (await toy.created()).http!(surface);
      await routes.under!['/plugins/toy']!['GET']!({} as never);
      assert.deepEqual(seen, expected);
    }
  });
});
