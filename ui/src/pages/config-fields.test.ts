/** The settings a form offers, and the changes it sends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, findFields, patchOf, readTyped, valueAt, type Change } from './config-fields.ts';

const schema = {
  properties: {
    gateway: {
      properties: {
        port: { type: 'integer', default: 18_789 },
        auth: { properties: { token: { type: 'string' } } },
        mode: { type: 'string', enum: ['local', 'remote'] },
        list: { type: 'array' },
      },
    },
  },
};
const hints = {
  gateway: { label: 'Gateway' },
  'gateway.port': { label: 'Port', help: 'Of HTTP and WebSocket.', group: 'gateway' },
  'gateway.auth.token': { label: 'Token', sensitive: true },
  'gateway.mode': { label: 'Mode' },
  'gateway.list': { label: 'List' },
  'gateway.*.x': {},
};

test('plain settings are offered, secrets and lists are not', () => {
  const fields = fieldsOf(schema, hints);
  assert.deepEqual(
    fields.map(({ path, type, choices, default: given }) => [path, type, choices, given]),
    [
      ['gateway.port', 'integer', [], 18_789],
      ['gateway.mode', 'choice', ['local', 'remote'], undefined],
    ],
  );
  assert.deepEqual(
    findFields(fields, 'PORT websocket').map(({ path }) => path),
    ['gateway.port'],
  );
});

test('changes become a merge patch; what is typed is read as the setting takes it', () => {
  assert.deepEqual(
    patchOf(
      new Map<string, Change>([
        ['a.b', 1],
        ['a.c', null],
        ['d', 'x'],
      ]),
    ),
    { a: { b: 1, c: null }, d: 'x' },
  );
  assert.equal(valueAt({ a: { b: false } }, 'a.b'), false);
  assert.equal(valueAt({ a: 1 }, 'a.b.c'), undefined);
  assert.equal(readTyped({ type: 'integer' }, '1.5'), undefined);
  assert.equal(readTyped({ type: 'integer' }, ' 15 '), 15);
  assert.equal(readTyped({ type: 'number' }, 'many'), undefined);
  assert.equal(readTyped({ type: 'boolean' }, 'true'), true);
  assert.equal(readTyped({ type: 'text' }, ''), null);
});
