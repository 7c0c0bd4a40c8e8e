/** Whatever a caller's schema and a model's arguments look like, nothing throws and nothing forbidden gets through. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { isSchema, type JsonSchema } from './json-schema.ts';
import { parseToolInput } from './parse-tool-input.ts';
import { schemaFor } from './schema-for.ts';

const type = fc.oneof(fc.constantFrom('string', 'integer', 'number', 'boolean', 'array', 'object', 'null'), fc.array(fc.constantFrom('string', 'null', 'integer'), { maxLength: 3 }));
const literal = fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.constant(null));
const words = {
  type, required: fc.array(fc.constantFrom('a', 'format', 'ghost'), { maxLength: 2 }), enum: fc.array(literal, { maxLength: 3 }), const: literal, nullable: fc.boolean(),
  $ref: fc.constantFrom('#', '#/properties/a', '#/nowhere', 'https://example.com/'), pattern: fc.string({ maxLength: 2 }), minimum: fc.integer(),
};

/** Two levels deep at most; references make it deeper. */
function schemas(depth: number): fc.Arbitrary<JsonSchema> {
  if (depth === 0) return fc.record(words, { requiredKeys: [] });
  const inner = schemas(depth - 1);
  const some = fc.array(inner, { maxLength: 2 });
  return fc.record({
    ...words, properties: fc.dictionary(fc.constantFrom('a', 'format', '$ref', '__proto__', 'items'), inner, { maxKeys: 3 }),
    items: fc.oneof(inner, some), prefixItems: some, anyOf: some, oneOf: some, allOf: some, additionalProperties: fc.oneof(fc.boolean(), inner),
  }, { requiredKeys: [] });
}

const TAKES = ['type', 'description', 'enum', 'properties', 'required', 'items', 'nullable'];

function checkForGemini(node: JsonSchema): void {
  assert.deepEqual(Object.keys(node).filter((keyword) => !TAKES.includes(keyword)), []);
  assert.ok(typeof node['type'] === 'string' && node['type'] !== 'integer' && node['type'] !== 'null');
  if (Array.isArray(node['enum'])) assert.ok(node['enum'].every((value) => typeof value === 'string') && node['type'] === 'string');
  if (node['type'] === 'array') assert.ok(isSchema(node['items']));
  if (isSchema(node['items'])) checkForGemini(node['items']);
  if (isSchema(node['properties'])) Object.values(node['properties']).filter(isSchema).forEach(checkForGemini);
}

it('any schema becomes one that Gemini takes, with an object at the root', () => {
  fc.assert(fc.property(schemas(2), (parameters) => {
    const shown = schemaFor('google-generative-ai', { parameters });
    assert.equal(shown['type'], 'object');
    checkForGemini(shown);
    assert.equal(schemaFor('openai-completions', { parameters })['type'], 'object');
  }), { numRuns: 200 });
});

it('any arguments are accepted or refused in words, and come out as the schema says', () => {
  const tool = { name: 'demo', aliases: { p: 'path' }, input: z.object({ path: z.string(), count: z.number().optional(), list: z.array(z.number()).optional(), mode: z.enum(['a', '1']).optional() }) };
  fc.assert(fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.constantFrom('path', 'p', 'count', 'list', 'mode'), fc.oneof(fc.jsonValue(), fc.constant({ toString: 1 })))), (raw) => {
    const parsed = parseToolInput(tool, raw);
    if (parsed.ok) assert.equal(typeof parsed.input.path, 'string');
    else assert.match(parsed.error, /^The input of demo is not valid:\n- /);
  }), { numRuns: 300 });
});
