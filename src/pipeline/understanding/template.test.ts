import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillTemplate } from './template.ts';

test('T49 values by their kind', () => {
  const context = {
    Text: 'x',
    Number: 1.5,
    Yes: true,
    Big: 10n,
    List: ['a', 1, false, { b: 1 }, null, undefined],
    Object: { a: 1 },
    Null: null,
    Empty: '',
  };
  const filled = (name: string) => fillTemplate(`<{{${name}}}>`, context);
  assert.deepEqual(Object.keys(context).map(filled), [
    '<x>',
    '<1.5>',
    '<true>',
    '<10>',
    '<a,1,false>',
    '<>',
    '<>',
    '<>',
  ]);
  assert.equal(filled('Missing'), '<>');
  assert.equal(filled('text'), '<>', 'names are case-sensitive');
});

test('T49 placeholders have double braces and may hold spaces; nothing else is one', () => {
  assert.equal(fillTemplate('{{ Url }}{{\tUrl}}{Url}{{Url-x}}{{}}{{{Url}}}', { Url: 'u' }), 'uu{Url}{{Url-x}}{{}}{u}');
});

test('T37 text put in is not looked at again, nor is it special to the replacement', () => {
  assert.equal(fillTemplate('{{A}}', { A: '{{B}} $& $1', B: 'no' }), '{{B}} $& $1');
});

test('only the context itself is read, not what it inherits', () => {
  assert.equal(fillTemplate('{{toString}}{{constructor}}{{__proto__}}', {}), '');
});
