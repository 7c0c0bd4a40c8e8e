// D-Bus: values as bytes, hostile bytes, and a real bus with services of others.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { hasDbus, startBus } from '../../testing/fake-bus.ts';
import { findProgram } from '../exec.ts';
import { openBus } from './bus.ts';
import { bytesOf, readMessage } from './messages.ts';
import { typesOf } from './values.ts';

const SKIP = hasDbus ? false : 'dbus-daemon is not installed';
const hasBusctl = (await findProgram('busctl', process.env['PATH'])) !== undefined;

describe('messages', () => {
  it('are the same after bytes and back, whatever their values', () => {
    const signature = 'ybnqiuxtdsoga{sv}a(is)aav(yd)';
    const numbers = [7, true, -3, 65_535, -1, 4_000_000_000, -5, 2 ** 40, 1.5];
    const body = [
      ...numbers,
      'é',
      '/a/b',
      'a{sv}',
      { a: ['s', 'x'], b: ['ai', [1, 2]], c: ['(bv)', [false, ['u', 3]]] },
      [[1, 'x']],
      [[['s', 'deep']], []],
      [1, 2.5],
    ];
    const bytes = bytesOf({ kind: 'signal', serial: 9, path: '/x', interface: 'a.b', member: 'C', signature, body });
    const { message, length } = readMessage(bytes)!;
    assert.equal(length, bytes.length);
    assert.deepEqual(message.body, [
      ...body.slice(0, 12),
      { a: 'x', b: [1, 2], c: [false, 3] },
      [[1, 'x']],
      [['deep'], []],
      [1, 2.5],
    ]);
    for (let cut = 0; cut < bytes.length; cut += 1) assert.equal(readMessage(bytes.subarray(0, cut)), undefined);
  });

  it('that are hostile end in an error, never in a loop', () => {
    for (const bad of ['(', 'a', '()', 'a()', '{', 'z', `${'a'.repeat(100)}y`, '('.repeat(60)])
      assert.throws(() => typesOf(bad), { code: 'bad_response' }, bad);
    const good = bytesOf({ kind: 'return', serial: 1, replySerial: 2, signature: 'a{sv}', body: [{ a: ['s', 'x'] }] });
    const huge = Buffer.from(good);
    huge.writeUInt32LE(2 ** 31, 4);
    assert.throws(() => readMessage(huge), /more than 1 MiB/);
    for (let at = 0; at < good.length; at += 1)
      for (const value of [0, 1, 0x28, 0x61, 0x76, 0x7f, 0xff]) {
        const bytes = Buffer.from(good);
        bytes[at] = value;
        try {
          readMessage(bytes);
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'bad_response', `${at}: ${value}`);
        }
      }
  });
});

describe('a real bus', { skip: SKIP }, () => {
  it('carries calls, errors and signals between connections', async () => {
    await using bus = await startBus();
    const service = await bus.serve('org.test', ({ member, body }) =>
      member === 'Twice' ? ['s', [`${String(body[0])}${String(body[0])}`]] : { error: 'org.test.No' },
    );
    const stop = new AbortController();
    await using own = await openBus(bus.address, stop.signal);
    const at = { destination: 'org.test', path: '/x', interface: 'org.test' };
    assert.deepEqual(await own.call({ ...at, member: 'Twice', signature: 's', body: ['ab'] }), ['abab']);
    await assert.rejects(own.call({ ...at, member: 'Other' }), { details: { error: 'org.test.No' } });
    await assert.rejects(own.call({ ...at, destination: 'org.nobody', member: 'X' }), /ServiceUnknown/);
    const heard = Promise.withResolvers<readonly unknown[]>();
    await own.listen(
      ({ kind, body }) => kind === 'signal' && heard.resolve(body),
      "type='signal',interface='org.test'",
    );
    service.bus.send({ kind: 'signal', path: '/x', interface: 'org.test', member: 'News', signature: 'i', body: [5] });
    assert.deepEqual(await heard.promise, [5]);
    if (hasBusctl) {
      const words = [`--address=${bus.address}`, 'call', 'org.test', '/x', 'org.test', 'Twice', 's', 'é'];
      assert.match((await promisify(execFile)('busctl', words)).stdout, /^s "(?:éé|\\303\\251\\303\\251)"/);
    }
    const late = own.call({ ...at, destination: 'org.freedesktop.DBus', member: 'Nothing' });
    stop.abort();
    await assert.rejects(late, { code: 'aborted' });
  });

  it('that is not there, or an address that is none, is an error', async () => {
    for (const address of ['unix:path=/nonexistent/bus', 'tcp:host=1.2.3.4', '', 'unix:path=%zz'])
      await assert.rejects(openBus(address, new AbortController().signal), { code: 'unavailable' }, address);
  });
});
