// What the device files keep: rights, tokens, requests that expire, and damage that is not overwritten.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { listDir, readTextIfExists, statIfExists, writeFileAtomic } from '../../platform/files.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import type { PairingAttempt } from '../../host/devices.ts';
import { openDeviceStore } from './store.ts';

const attempt = (patch: Partial<PairingAttempt> = {}): PairingAttempt => ({
  deviceId: 'd1',
  publicKey: 'k1',
  role: 'operator',
  scopes: ['operator.read'],
  ...patch,
});

async function openTemp() {
  const dir = await tempDir('devices');
  const clock = createFakeClock();
  const open = () => openDeviceStore({ dir: dir.path, clock, log: silentLog });
  return { dir, clock, open, store: await open(), [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe('device store', () => {
  it('keeps approvals and tokens privately, across a restart', async () => {
    await using temp = await openTemp();
    await temp.store.admit(attempt());
    const { token, scopes } = await temp.store.issueToken('d1', 'operator');
    assert.deepEqual(scopes, ['operator.read']);
    assert.equal((await temp.store.issueToken('d1', 'operator')).token, token, 'one token per role');
    assert.equal((await statIfExists(join(temp.dir.path, 'paired.json')))?.mode, 0o600);
    const reopened = await temp.open();
    assert.ok(reopened.checkToken({ deviceId: 'd1', role: 'operator', token }));
    assert.equal(reopened.checkToken({ deviceId: 'd1', role: 'node', token }), undefined);
    assert.equal(reopened.checkToken({ deviceId: 'd2', role: 'operator', token }), undefined);
    assert.deepEqual(reopened.principalOf(token), { kind: 'operator', id: 'd1', scopes: ['operator.read'] });
    assert.equal(reopened.principalOf(`${token}x`), undefined);
  });

  it('a rotated token stays as narrow as it was made', async () => {
    await using temp = await openTemp();
    await temp.store.admit(attempt({ scopes: ['operator.admin'] }));
    const narrow = await temp.store.rotateToken({ deviceId: 'd1', role: 'operator', scopes: ['operator.read'] });
    assert.deepEqual((await temp.store.issueToken('d1', 'operator')).scopes, ['operator.read']);
    assert.ok(narrow && temp.store.checkToken({ deviceId: 'd1', role: 'operator', token: narrow.token }));
    assert.equal(await temp.store.rotateToken({ deviceId: 'd1', role: 'node' }), undefined);
    await temp.store.admit(attempt({ deviceId: 'd2', publicKey: 'k2' }));
    assert.equal(
      await temp.store.rotateToken({ deviceId: 'd2', role: 'operator', scopes: ['operator.admin'] }),
      undefined,
    );
    assert.equal(
      await temp.store.rotateToken({ deviceId: 'd2', role: 'operator', scopes: ['operator.unknown'] }),
      undefined,
    );
  });

  it('a revoked role has to be approved again', async () => {
    await using temp = await openTemp();
    await temp.store.admit(attempt());
    await temp.store.issueToken('d1', 'operator');
    assert.equal(await temp.store.revokeToken({ deviceId: 'd1', role: 'operator' }), true);
    assert.deepEqual([temp.store.find('d1')?.roles, temp.store.find('d1')?.scopes], [[], []]);
    await assert.rejects(temp.store.issueToken('d1', 'operator'), /never approved/);
  });

  it('requests expire, survive a restart, and do not pile up', async () => {
    await using temp = await openTemp();
    const first = await temp.store.request(attempt());
    const again = await temp.store.request(attempt());
    assert.deepEqual([first.fresh, again.fresh, again.request.requestId], [true, false, first.request.requestId]);
    assert.equal((await temp.open()).pending().length, 1);
    for (let i = 0; i < 60; i += 1) await temp.store.request(attempt({ deviceId: `x${i}`, publicKey: 'k' }));
    assert.equal(temp.store.pending().length, 50);
    await temp.clock.advance(5 * 60_000);
    assert.equal(temp.store.pending().length, 0);
    assert.equal(await temp.store.approve(first.request.requestId), undefined);
  });

  it('asking for something else replaces the open request: what is approved is what was asked last', async () => {
    await using temp = await openTemp();
    const small = await temp.store.request(attempt());
    const large = await temp.store.request(attempt({ scopes: ['operator.admin'] }));
    assert.notEqual(large.request.requestId, small.request.requestId);
    assert.equal(await temp.store.approve(small.request.requestId), undefined);
    const less = await temp.store.request(attempt());
    assert.deepEqual((await temp.store.approve(less.request.requestId))?.device.scopes, ['operator.read']);
  });

  it('changes made at once do not lose each other', async () => {
    await using temp = await openTemp();
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => temp.store.admit(attempt({ deviceId: `p${i}`, publicKey: 'k' }))),
    );
    assert.equal((await temp.open()).paired().length, 20);
  });

  it('sets a damaged file aside', async () => {
    for (const damage of ['{"d1":', '{"d1":{"deviceId":7}}', '[]']) {
      await using temp = await openTemp();
      await writeFileAtomic(join(temp.dir.path, 'paired.json'), damage);
      const store = await temp.open();
      assert.deepEqual(store.paired(), []);
      const aside = (await listDir(temp.dir.path)).find((entry) => entry.name.startsWith('paired.json.corrupt-'));
      assert.equal(await readTextIfExists(join(temp.dir.path, aside!.name)), damage);
    }
  });

  it('forgets no device for a damage, and brings none back that was removed', async () => {
    await using temp = await openTemp();
    for (const deviceId of ['kept', 'gone']) await temp.store.admit(attempt({ deviceId, publicKey: 'k' }));
    const { token } = await temp.store.issueToken('kept', 'operator');
    await temp.store.remove('gone');
    for (const damage of ['{"kept":', '', '[]']) {
      await writeFileAtomic(join(temp.dir.path, 'paired.json'), damage);
      const store = await temp.open();
      assert.deepEqual(
        store.paired().map(({ deviceId }) => deviceId),
        ['kept'],
      );
      assert.ok(store.principalOf(token), 'its token is good still');
    }
  });

  it('names out of a prototype are not devices', async () => {
    await using temp = await openTemp();
    for (const name of ['__proto__', 'constructor', 'toString']) assert.equal(temp.store.find(name), undefined);
  });
});
