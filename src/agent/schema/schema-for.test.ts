/** The tool schema that each vendor receives. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { schemaFor } from './schema-for.ts';
import type { JsonSchema } from './json-schema.ts';

const google = (parameters: JsonSchema) => schemaFor('google-generative-ai', { parameters });
const openai = (parameters: JsonSchema) => schemaFor('openai-responses', { parameters });
const property = (schema: JsonSchema, name: string) => (schema['properties'] as Record<string, JsonSchema>)[name];

describe('the schema of a tool', () => {
  it('comes from its zod input, with numbers for integers and enums for literals', () => {
    const input = z.object({
      mode: z.union([z.literal('a'), z.literal('b')]),
      count: z.int().min(1).optional().describe('How many.'),
      note: z.string().nullable(),
    });
    assert.deepEqual(schemaFor('anthropic-messages', { input }), {
      type: 'object',
      properties: {
        mode: { type: 'string', enum: ['a', 'b'] },
        count: { type: 'number', minimum: 1, description: 'How many.' },
        note: { type: 'string' },
      },
      required: ['mode', 'note'],
    });
  });

  it('has an object at the root even when it is empty', () => {
    assert.deepEqual(openai({}), { type: 'object', properties: {} });
  });

  it('unites the variants of a root union', () => {
    const input = z.discriminatedUnion('action', [
      z.object({ action: z.literal('add'), text: z.string() }),
      z.object({ action: z.literal('remove'), id: z.string(), text: z.string().optional() }),
    ]);
    const schema = schemaFor('openai-completions', { input });
    assert.deepEqual(property(schema, 'action'), { type: 'string', enum: ['add', 'remove'] });
    assert.deepEqual(Object.keys(schema['properties'] as object), ['action', 'text', 'id']);
    assert.deepEqual(schema['required'], ['action']);
    assert.equal('anyOf' in schema, false);
  });

  it('inlines local references and cuts circles (T218)', () => {
    const schema = openai({
      type: 'object',
      $defs: {
        name: { type: 'string' },
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' }, name: { $ref: '#/$defs/name' } } },
      },
      properties: { tree: { $ref: '#/$defs/node' }, far: { $ref: 'https://example.com/x' } },
    });
    assert.deepEqual(schema, {
      type: 'object',
      properties: { tree: { type: 'object', properties: { next: {}, name: { type: 'string' } } }, far: {} },
    });
  });

  it('does not grow without end on a schema that doubles at each level', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        `d${i}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/d${i + 1}` }, b: { $ref: `#/$defs/d${i + 1}` } } },
      ]),
    );
    const size = JSON.stringify(
      openai({ type: 'object', $defs: defs, properties: { x: { $ref: '#/$defs/d0' } } }),
    ).length;
    assert.ok(size < 2_000_000, String(size));
  });
});

describe('the schema for Gemini', () => {
  it('holds only what Gemini accepts, wherever it stands (T217, T218, T229)', () => {
    const schema = google({
      $schema: 'x',
      type: 'object',
      additionalProperties: false,
      patternProperties: { '^x': {} },
      if: {},
      then: {},
      not: {},
      propertyNames: {},
      properties: {
        size: { type: 'integer', minimum: 1, maximum: 5, multipleOf: 1, default: 2, examples: [1] },
        text: { type: ['string', 'number', 'null'], minLength: 1, pattern: 'a', format: 'uri', title: 'T' },
        list: { type: 'array', minItems: 1, uniqueItems: true },
        pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }] },
        level: { enum: [1, 2, null] },
        either: {
          anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
          description: 'One or many.',
        },
        anything: {},
        inner: {
          type: 'object',
          properties: { a: { const: 'x' } },
          required: ['a', 'ghost'],
          additionalProperties: { type: 'string' },
        },
      },
      required: ['size'],
    });
    assert.deepEqual(schema, {
      type: 'object',
      properties: {
        size: { type: 'number' },
        text: { type: 'string', nullable: true },
        list: { type: 'array', items: { type: 'string' } },
        pair: { type: 'array', items: { type: 'number' } },
        level: { type: 'string', enum: ['1', '2'] },
        either: { type: 'string', description: 'One or many.' },
        anything: { type: 'string' },
        inner: { type: 'object', properties: { a: { type: 'string', enum: ['x'] } }, required: ['a'] },
      },
      required: ['size'],
    });
  });

  it('keeps parameters that are called like keywords (T217)', () => {
    const names = [
      'format',
      'pattern',
      'type',
      'enum',
      'const',
      '$ref',
      'properties',
      'required',
      'anyOf',
      'items',
      'nullable',
      'default',
    ];
    const schema = google({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    });
    assert.deepEqual(schema, {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      required: names,
    });
  });
});
