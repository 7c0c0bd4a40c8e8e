import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present, type Present } from './present.ts';

test('undefined fields are left out, every other value stays, in order', () => {
  const object = present({ a: 1, b: undefined, c: null, d: false, e: 0, f: '', g: undefined, h: [] });
  assert.deepEqual(Object.entries(object), [
    ['a', 1],
    ['c', null],
    ['d', false],
    ['e', 0],
    ['f', ''],
    ['h', []],
  ]);
  assert.ok(!('b' in object));
});

test('a new object is returned, and what was given stays as it was', () => {
  const given = { a: 1, b: undefined };
  const kept = present(given);
  assert.notEqual(kept, given);
  assert.deepEqual(Object.keys(given), ['a', 'b']);
});

test('spread behind another object, it overrides only what is there', () => {
  const base = { a: 'base', b: 'base' };
  assert.deepEqual({ ...base, ...present({ a: undefined, b: 'new' }) }, { a: 'base', b: 'new' });
});

test('symbol keys are fields like others', () => {
  const key = Symbol('key');
  const gone = Symbol('gone');
  assert.deepEqual(Reflect.ownKeys(present({ [key]: 1, [gone]: undefined })), [key]);
});

test('a field called __proto__ stays a field', () => {
  const object = present(JSON.parse('{"__proto__": {"polluted": true}}') as object);
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.deepEqual(Object.keys(object), ['__proto__']);
});

test('the type says which fields may be missing, and keeps literals', () => {
  const name = 'x' as string | undefined;
  const built = present({ kind: 'named', name });
  const typed: { readonly kind: 'named'; readonly name?: string } = built;
  const same: Present<{ name: string | undefined }> = present({ name });
  assert.deepEqual(typed, same.name === undefined ? built : { kind: 'named', name: same.name });
});
