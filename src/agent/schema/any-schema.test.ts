/** Arbitrary schemas and arguments: nothing throws, and no invalid argument is accepted. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { schemaProblems } from '../../testing/vendor-schemas.ts';
import type { JsonSchema } from './json-schema.ts';
import { parseToolInput } from './parse-tool-input.ts';
import { schemaFor } from './schema-for.ts';

const type = fc.oneof(
  fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null'),
  fc.array(fc.constantFrom('string', 'null', 'integer'), { maxLength: 3 }),
);
const literal = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.constant(null));
const words = {
  type,
  required: fc.array(fc.constantFrom('a', 'format', 'ghost'), { maxLength: 2 }),
  enum: fc.array(literal, { maxLength: 3 }),
  const: literal,
  nullable: fc.boolean(),
  $ref: fc.constantFrom('#', '#/properties/a', '#/nowhere', 'https://example.com/'),
  pattern: fc.string({ maxLength: 2 }),
  minimum: fc.integer(),
};

/** Two levels deep at most; references make it deeper. */
function schemas(depth: number): fc.Arbitrary<JsonSchema> {
  if (depth === 0) return fc.record(words, { requiredKeys: [] });
  const inner = schemas(depth - 1);
  const some = fc.array(inner, { maxLength: 2 });
  return fc.record(
    {
      ...words,
      properties: fc.dictionary(fc.constantFrom('a', 'format', '$ref', '__proto__', 'items'), inner, { maxKeys: 3 }),
      items: fc.oneof(inner, some),
      prefixItems: some,
      anyOf: some,
      oneOf: some,
      allOf: some,
      additionalProperties: fc.oneof(fc.boolean(), inner),
    },
    { requiredKeys: [] },
  );
}

it('any schema becomes one that every vendor takes, with an object at the root (T217, T218)', () => {
  fc.assert(
    fc.property(schemas(2), (parameters) => {
      assert.deepEqual(schemaProblems('google-generative-ai', schemaFor('google-generative-ai', { parameters })), []);
      for (const api of ['openai-completions', 'openai-responses', 'anthropic-messages'] as const)
        assert.deepEqual(schemaProblems(api, schemaFor(api, { parameters })), []);
    }),
    { numRuns: 300 },
  );
});

/** What authors of tools write. */
function inputs(depth: number): fc.Arbitrary<z.ZodType> {
  const plain = fc.constantFrom<z.ZodType>(
    z.string(),
    z.string().min(1).max(9).regex(/a/),
    z.email(),
    z.url(),
    z.number(),
    z.int(),
    z.int().min(1).max(5),
    z.boolean(),
    z.null(),
    z.unknown(),
    z.any(),
    z.date(),
    z.literal('a'),
    z.literal([1, 2]),
    z.enum(['x', 'y']),
    z.string().transform(Number),
    z.preprocess(Number, z.number()),
    z.record(z.string(), z.string()),
    z.record(z.enum(['k']), z.number()),
    z.tuple([z.string(), z.number()]),
    z.object({}),
    z.looseObject({}),
    z.array(z.unknown()),
    recursive,
  );
  if (depth === 0) return plain;
  const inner = inputs(depth - 1);
  return fc.oneof(
    plain,
    inner.map((one) => z.array(one)),
    inner.map((one) => one.optional()),
    inner.map((one) => one.nullable()),
    inner.map((one) => z.record(z.string(), one)),
    inner.map((one) => one.describe('What it is')),
    fc.tuple(inner, inner).map(([a, b]) => z.union([a, b])),
    fc.tuple(inner, inner).map(([a, b]) => z.object({ a, format: b.optional() })),
  );
}

const recursive: z.ZodType = z.object({
  name: z.string(),
  get children() {
    return z.array(recursive).optional();
  },
});

it('whatever an author writes in zod, every vendor takes it (T217)', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('path', 'type', 'enum', 'format', 'items', 'properties', 'required', 'nullable'),
        inputs(2),
        { maxKeys: 5 },
      ),
      (shape) => {
        const tool = { input: z.object(shape) };
        for (const api of [
          'google-generative-ai',
          'openai-completions',
          'openai-responses',
          'anthropic-messages',
        ] as const) {
          const schema = schemaFor(api, tool);
          assert.deepEqual(schemaProblems(api, schema), [], JSON.stringify(schema));
          assert.deepEqual(
            Object.keys(schema['properties'] as object).sort(),
            Object.keys(shape).sort(),
            'no parameter gets lost',
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('an object of unknown properties is a text to Gemini, and is read back out of it', () => {
  const tool = {
    name: 'demo',
    input: z.object({
      env: z.record(z.string(), z.string()).describe('Variables'),
      list: z.array(z.record(z.string(), z.number())).optional(),
    }),
  };
  assert.deepEqual(schemaFor('google-generative-ai', tool), {
    type: 'object',
    required: ['env'],
    properties: {
      env: { type: 'string', description: 'Variables (a JSON object)' },
      list: { type: 'array', items: { type: 'string', description: 'A JSON object' } },
    },
  });
  assert.deepEqual(parseToolInput(tool, { env: '{"CI":"1"}', list: ['{"a":1}', { b: 2 }] }), {
    ok: true,
    input: { env: { CI: '1' }, list: [{ a: 1 }, { b: 2 }] },
  });
});

it('any arguments are accepted or refused in words, and come out as the schema says', () => {
  const tool = {
    name: 'demo',
    aliases: { p: 'path' },
    input: z.object({
      path: z.string(),
      count: z.number().optional(),
      list: z.array(z.number()).optional(),
      mode: z.enum(['a', '1']).optional(),
    }),
  };
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.dictionary(
          fc.constantFrom('path', 'p', 'count', 'list', 'mode'),
          fc.oneof(fc.jsonValue(), fc.constant({ toString: 1 })),
        ),
      ),
      (raw) => {
        const parsed = parseToolInput(tool, raw);
        if (parsed.ok) assert.equal(typeof parsed.input.path, 'string');
        else assert.match(parsed.error, /^The input of demo is not valid:\n- /);
      },
    ),
    { numRuns: 300 },
  );
});
