// What a folder adds to the configuration stands where it says, with defaults, checks and descriptions kept.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { extendSchema } from './extend-schema.ts';

const base = z
  .object({
    agents: z
      .object({
        defaults: z.object({ model: z.string().default('m') }).prefault({}),
        list: z.array(z.object({ id: z.string() })).default([]),
      })
      .prefault({})
      .describe('The agents.'),
  })
  .check((context) => {
    if (context.value.agents.list.length > 2)
      context.issues.push({ code: 'custom', message: 'too many', path: ['agents', 'list'], input: undefined });
  });
const every = z.object({ every: z.string().default('30m') });

describe('a schema extended at a path', () => {
  const schema = extendSchema(base, [
    { path: 'cron', schema: z.object({ store: z.string().optional() }).prefault({}) },
    { path: 'agents.defaults.heartbeat', schema: every.optional() },
    { path: 'agents.list[].heartbeat', schema: every.optional() },
  ]);

  it('reads what was added, on every level, with its defaults', () => {
    assert.deepEqual(
      schema.parse({ agents: { defaults: { heartbeat: {} }, list: [{ id: 'a', heartbeat: { every: '1h' } }] } }),
      {
        agents: {
          defaults: { model: 'm', heartbeat: { every: '30m' } },
          list: [{ id: 'a', heartbeat: { every: '1h' } }],
        },
        cron: {},
      },
    );
    assert.deepEqual(schema.parse({}), { agents: { defaults: { model: 'm' }, list: [] }, cron: {} });
  });

  it('names a wrong value by its whole path', () => {
    const read = schema.safeParse({ agents: { list: [{ id: 'a', heartbeat: { every: 5 } }] } });
    assert.deepEqual(read.error?.issues[0]?.path, ['agents', 'list', 0, 'heartbeat', 'every']);
  });

  it('keeps checks and descriptions, and leaves the schema it came from alone', () => {
    assert.equal(schema.safeParse({ agents: { list: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] } }).success, false);
    const { properties } = z.toJSONSchema(schema, { io: 'input' }) as {
      properties: Record<string, { description?: string }>;
    };
    assert.equal(properties['agents']?.description, 'The agents.');
    assert.deepEqual(base.parse({ cron: {} }), { agents: { defaults: { model: 'm' }, list: [] } });
  });

  it('keeps what a section with defaults, a list or an optional one asks of itself', () => {
    const only = (path: string) => (context: z.core.ParsePayload<unknown>) => {
      if (JSON.stringify({ value: context.value }).includes('bad'))
        context.issues.push({ code: 'custom', path: [], input: undefined, message: `${path} is bad` });
    };
    const asking = z.object({
      door: z.object({ bind: z.string().optional() }).prefault({}).check(only('door')),
      rows: z
        .array(z.object({ id: z.string() }))
        .default([])
        .check(only('rows')),
      maybe: z.object({ id: z.string() }).optional().check(only('maybe')),
    });
    const extended = extendSchema(asking, [
      { path: 'door.more', schema: z.string().optional() },
      { path: 'rows[].more', schema: z.string().optional() },
      { path: 'maybe.more', schema: z.string().optional() },
    ]);
    const problem = (value: unknown) => extended.safeParse(value).error?.issues.map(({ message }) => message);
    assert.deepEqual(problem({ door: { bind: 'bad' } }), ['door is bad']);
    assert.deepEqual(problem({ rows: [{ id: 'bad' }] }), ['rows is bad']);
    assert.deepEqual(problem({ maybe: { id: 'bad' } }), ['maybe is bad']);
    assert.equal(problem({ door: { more: 'x' } }), undefined);
  });

  it('refuses a place that is taken or does not exist', () => {
    assert.throws(() => extendSchema(base, [{ path: 'agents', schema: every }]), /"agents" is taken or missing/);
    assert.throws(
      () => extendSchema(base, [{ path: 'nowhere.at.all', schema: every }]),
      /"nowhere" is taken or missing/,
    );
  });
});
