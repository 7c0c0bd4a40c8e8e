/** Which tool arguments are accepted from a model, and the error for the others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { parseToolInput } from './parse-tool-input.ts';

const tool = {
  name: 'demo',
  aliases: { file_path: 'path' },
  input: z.object({
    path: z.string(),
    limit: z.number().min(1).optional(),
    deep: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    mode: z.enum(['fast', 'slow']).optional(),
    level: z.union([z.literal(1), z.literal(2)]).optional(),
    who: z.string().nullable().optional(),
    options: z.object({ size: z.number() }).optional(),
    content: z.union([z.string(), z.array(z.string())]).optional(),
  }),
};
const accepted = (raw: unknown) => {
  const parsed = parseToolInput(tool, raw);
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error);
  return parsed.input;
};
const refused = (raw: unknown): string => {
  const parsed = parseToolInput(tool, raw);
  assert.ok(!parsed.ok);
  return parsed.error;
};

describe('the input of a tool', () => {
  it('is mended where the meaning is plain (T221)', () => {
    assert.deepEqual(
      accepted({ path: 5, limit: '5', deep: 'true', tags: 'one', level: '2', options: '{"size":"3"}' }),
      { path: '5', limit: 5, deep: true, tags: ['one'], level: 2, options: { size: 3 } },
    );
    assert.deepEqual(accepted({ path: 'a', tags: '["x",1]', content: ['a'] }), {
      path: 'a',
      tags: ['x', '1'],
      content: ['a'],
    });
  });

  it('may be the text of an object', () => {
    assert.deepEqual(accepted('{"path":"a"}'), { path: 'a' });
  });

  it('drops null where nothing was meant and keeps it where it means something', () => {
    assert.deepEqual(accepted({ path: 'a', limit: null, who: null }), { path: 'a', who: null });
  });

  it('takes other spellings; the right one wins (T219)', () => {
    assert.deepEqual(accepted({ file_path: 'a' }), { path: 'a' });
    assert.deepEqual(accepted({ file_path: 'a', path: 'b' }), { path: 'b' });
  });

  it('is refused with each problem on a line, and what came (T221)', () => {
    assert.equal(
      refused({ limit: 'many', mode: 'medium' }),
      'The input of demo is not valid:\n- path: is required (string)\n- limit: Invalid input: expected ' +
        'number, received string\n' +
        '- mode: Invalid option: expected one of "fast"|"slow"\nReceived: {\n  "limit": "many",\n  "mode": "medium"\n}',
    );
    assert.match(refused('not json'), /- \(input\): must be a JSON object\nReceived: not json/);
    assert.match(refused([1]), /must be a JSON object/);
    assert.match(refused({ path: 'a', limit: '' }), /limit: .*expected number/);
    assert.match(refused({ path: 'a', limit: '0x10' }), /limit/);
  });

  it('is not changed, and cannot touch prototypes', () => {
    const raw = JSON.parse('{"path":"a","__proto__":{"polluted":true},"limit":"5"}') as Record<string, unknown>;
    const copy = structuredClone(raw);
    assert.deepEqual(accepted(raw), { path: 'a', limit: 5 });
    assert.deepEqual(raw, copy);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  it('shows long input shortened', () => {
    assert.ok(refused({ text: 'x'.repeat(10_000) }).length < 2300);
  });
});
