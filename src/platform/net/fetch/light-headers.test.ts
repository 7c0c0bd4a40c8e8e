// What is kept of header fields is what `Headers` would keep, and what it refuses is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LightHeaders } from './light-headers.ts';

type Made = Headers | LightHeaders;
type Given = ConstructorParameters<typeof LightHeaders>[0];

/** All that can be asked, or that it was refused. */
function seen(make: (fields: Given) => Made, fields: Given, act: (made: Made) => void = () => undefined): unknown {
  try {
    const made = make(fields);
    act(made);
    const each: string[] = [];
    made.forEach((value, name) => each.push(`${name}=${value}`));
    return [[...made], [...made.entries()], [...made.keys()], [...made.values()], each, made.get('B'), made.has('a')];
  } catch (error) {
    return (error as Error).name;
  }
}

const light = (fields: Given): Made => new LightHeaders(fields);
const real = (fields: Given): Made => new Headers(fields as [string, string][]);

const GIVEN: readonly [string, Given][] = [
  ['nothing', undefined],
  ['a record', { B: 'two', a: ' one\t', 'x-empty': '' }],
  [
    'pairs, a name twice',
    [
      ['b', '1'],
      ['A', 'x'],
      ['B', '2'],
    ],
  ],
  ['other fields', new LightHeaders({ 'X-One': 'a,b' })],
  ['fields of Node', new Headers({ 'X-One': 'a,b', b: 'c' })],
  ['a name with a space', { 'a b': '1' }],
  ['no name', { '': '1' }],
  ['a line feed in a value', { a: 'one\r\nHost: elsewhere' }],
  ['a zero in a value', { a: 'one\0' }],
  ['line feeds around a value', { a: '\r\n one \n' }],
  ['a value beyond bytes', { a: 'snow ☃' }],
  ['a value of a byte', { a: 'grüße' }],
  ['half a pair', [['a']]],
  ['__proto__', [['__proto__', '1']]],
];

describe('header fields', () => {
  for (const [name, fields] of GIVEN) it(`of ${name}`, () => assert.deepEqual(seen(light, fields), seen(real, fields)));

  for (const [name, act] of Object.entries<(made: Made) => void>({
    'set over, in other letters': (made) => made.set('B', 'new'),
    appended: (made) => made.append('b', ' more '),
    deleted: (made) => made.delete('A'),
    'set badly': (made) => made.set('b', '1\n2'),
    'asked by no name': (made) => void made.get('not a name'),
  }))
    it(`that are ${name}`, () =>
      assert.deepEqual(seen(light, { a: '1', b: '2' }, act), seen(real, { a: '1', b: '2' }, act)));

  it('are taken by `fetch`', () => {
    const request = new Request('http://127.0.0.1/', {
      headers: new LightHeaders({ 'x-a': '1' }) as unknown as Headers,
    });
    assert.equal(request.headers.get('x-a'), '1');
  });
});
