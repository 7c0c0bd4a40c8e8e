/** Which addresses are counted together, and how many unauthenticated connections each may have. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { createConnectionCaps } from './connection-caps.ts';

class Line extends EventEmitter {
  readonly remoteAddress: string;
  destroyed = false;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

const limits = { perAddress: 2, perProxy: 4, total: 10 };
function gate(proxies: readonly string[] = []) {
  const caps = createConnectionCaps({ limits, proxies });
  return {
    caps,
    open: (...addresses: string[]): Line[] =>
      addresses.map((address) => {
        const line = new Line(address);
        caps.opened(line as unknown as Socket);
        return line;
      }),
  };
}
const gone = (lines: readonly Line[]): readonly number[] =>
  lines.flatMap(({ destroyed }, index) => (destroyed ? [index] : []));

test('every spelling of an address, loopback, trusted proxies and IPv6 networks count as one each', () => {
  assert.deepEqual(gone(gate().open('192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1')), [0]);
  assert.deepEqual(gone(gate().open('127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.9', '127.0.0.1')), [0]);
  assert.deepEqual(
    gone(gate(['192.0.2.1']).open('192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.2', '192.0.2.2')),
    [3],
  );
  assert.deepEqual(gone(gate().open('2001:db8::1', '2001:db8::a:b:c:d', '2001:db8::2', '2001:db8:0:1::1')), [0]);
});

test("all addresses together have a limit, and who is known is in nobody's way", () => {
  const { caps, open } = gate();
  const known = open('198.51.100.1', '198.51.100.1');
  for (const line of known) caps.proved(line as unknown as Socket);
  const many = open(...Array.from({ length: 200 }, (_, index) => `203.0.113.${index}`));
  assert.deepEqual(
    [gone(known), gone(many).length, many.slice(-10).some(({ destroyed }) => destroyed)],
    [[], 190, false],
  );
});
