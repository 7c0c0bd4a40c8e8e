/** Validation stays readable and quick, whatever is written into the file. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { parseJson5 } from './json5.ts';
import { jsonSchema } from './schema-hints.ts';
import { validate } from './validate.ts';

test('names the first unknown settings and counts the rest', () => {
  const value = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`nobody${index}`, index]));
  const result = validate(value, {
    schema: z.object({ port: z.number().optional() }),
    describe: () => jsonSchema(z.object({ port: z.number().optional() })),
  });
  assert.ok(result.ok);
  assert.equal(result.warnings.length, 51);
  assert.match(result.warnings.at(-1)!.problem, /19950 more/);
});

test('text nested beyond reason is a problem of the text, not of ours', () => {
  const parsed = parseJson5('['.repeat(200_000));
  assert.ok(!parsed.ok);
  assert.match(parsed.problem, /nested too deeply|too early/);
});
