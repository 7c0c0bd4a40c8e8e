/** Keys as tmux names them, bytes as xterm sends them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeKeys } from './key-tokens.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', '\r'],
  ['Return', '\r'],
  ['Tab', '\t'],
  ['BTab', '\x1b[Z'],
  ['Escape', '\x1b'],
  ['Esc', '\x1b'],
  ['Space', ' '],
  ['BSpace', '\x7f'],
  ['Backspace', '\x7f'],
  ['Up', '\x1b[A'],
  ['Down', '\x1b[B'],
  ['Right', '\x1b[C'],
  ['Left', '\x1b[D'],
  ['Home', '\x1b[1~'],
  ['End', '\x1b[4~'],
  ['PageUp', '\x1b[5~'],
  ['PgUp', '\x1b[5~'],
  ['PPage', '\x1b[5~'],
  ['PageDown', '\x1b[6~'],
  ['PgDn', '\x1b[6~'],
  ['NPage', '\x1b[6~'],
  ['Insert', '\x1b[2~'],
  ['IC', '\x1b[2~'],
  ['Delete', '\x1b[3~'],
  ['Del', '\x1b[3~'],
  ['DC', '\x1b[3~'],
  ['F1', '\x1bOP'],
  ['F4', '\x1bOS'],
  ['F5', '\x1b[15~'],
  ['F10', '\x1b[21~'],
  ['F12', '\x1b[24~'],
  ['KPEnter', '\r'],
  ['KP7', '7'],
  ['KP*', '*'],
  ['C-a', '\x01'],
  ['C-c', '\x03'],
  ['^C', '\x03'],
  ['^[', '\x1b'],
  ['^?', '\x7f'],
  ['C-?', '\x7f'],
  ['C-Space', '\0'],
  ['C-@', '\0'],
  ['C-\\', '\x1c'],
  ['c-z', '\x1a'],
  ['M-x', '\x1bx'],
  ['M-Enter', '\x1b\r'],
  ['M-C-a', '\x1b\x01'],
  ['S-a', 'A'],
  ['M-S-a', '\x1bA'],
  ['S-Tab', '\x1b[Z'],
  ['S-Enter', '\r'],
  ['C-Up', '\x1b[1;5A'],
  ['S-Delete', '\x1b[3;2~'],
  ['M-Left', '\x1b[1;3D'],
  ['C-S-Right', '\x1b[1;6C'],
  ['C-M-S-F5', '\x1b[15;8~'],
  ['S-F1', '\x1b[1;2P'],
  ['C-Home', '\x1b[1;5~'],
  ['a', 'a'],
  ['é', 'é'],
  ['👍', '👍'],
  ['-', '-'],
  ['^', '^'],
  ['C-', 'C-'],
  ['hello world', 'hello world'],
  ['__proto__', '__proto__'],
  ['constructor', 'constructor'],
];

describe('T67 keys', () => {
  for (const [token, bytes] of KEYS)
    it(`${token} is ${JSON.stringify(bytes)}`, () =>
      assert.deepEqual(encodeKeys([token]), { data: bytes, warnings: [] }));

  it('are sent one after the other, whatever their case', () =>
    assert.equal(encodeKeys(['ENTER', 'up', 'x']).data, '\r\x1b[Ax'));

  it('a word with a modifier that is no key is typed, and reported', () => {
    for (const token of ['C-Nope', 'M-hello', 'C-é', '^é', 'C--']) {
      const { data, warnings } = encodeKeys([token]);
      assert.equal(data, token);
      assert.match(warnings.join(), /is not a key/);
    }
  });

  it('any text is encoded somehow', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 8 })), (tokens) =>
        assert.equal(typeof encodeKeys(tokens).data, 'string'),
      ),
    );
  });
});
