/** Pairing on disk: cases of `spec/gateway.md` 3.7 and 8.10. */
import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createPairingStore, PAIRING_TTL_MS, type PairingNews } from './pairing-store.ts';

async function open(random?: (size: number) => Uint8Array) {
  const dir = await tempDir('pairing');
  const clock = createFakeClock();
  const folder = join(dir.path, 'credentials');
  const again = () => createPairingStore({ dir: folder, log: silentLog, now: clock.now, ...present({ random }) });
  return { store: again(), again, clock, folder, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}
const codes = async (store: ReturnType<typeof createPairingStore>) => (await store.pending('pipe')).map(({ id }) => id);

test('a code has eight symbols nobody takes for another; the same sender keeps it', async () => {
  await using place = await open();
  const first = (await place.store.request('pipe', { id: 'u1', name: 'Ann' }))!;
  assert.match(first.code, /^[A-HJ-NP-Z2-9]{8}$/);
  await place.clock.advance(10 * 60_000);
  const second = (await place.store.request('pipe', { id: 'u1', name: 'Ann' }))!;
  assert.deepEqual(
    [second.code, second.lastSeenAt - first.lastSeenAt, second.createdAt],
    [first.code, 10 * 60_000, first.createdAt],
  );
});

test('G206 a taken code is drawn again, a request dies after an hour, three wait at most', async () => {
  const draws = [0, 0, 1, 2, 3, 4];
  await using place = await open((size) => new Uint8Array(size).fill(draws.shift() ?? 9));
  const one = (await place.store.request('pipe', { id: 'a' }))!;
  const two = (await place.store.request('pipe', { id: 'b' }))!;
  assert.notEqual(one.code, two.code);
  await place.clock.advance(61_000);
  await place.store.request('pipe', { id: 'c' });
  await place.store.request('pipe', { id: 'a' }); // seen again: now the second one is the oldest
  await place.store.request('pipe', { id: 'd' });
  assert.deepEqual((await codes(place.store)).sort(), ['a', 'c', 'd']);
  await place.clock.advance(PAIRING_TTL_MS);
  assert.deepEqual(await codes(place.store), []);
  assert.equal(await place.store.approve('pipe', one.code), undefined);
});

test('a crowd of strangers is not answered for ever, and pushes nobody out', async () => {
  await using place = await open();
  const requestMany = async (from: number, many: number) =>
    (
      await Promise.all(Array.from({ length: many }, (_, n) => place.store.request('pipe', { id: `s${from + n}` })))
    ).filter((one) => one !== undefined).length;
  assert.equal(await requestMany(0, 40), 30);
  assert.deepEqual(await codes(place.store), ['s27', 's28', 's29']);
  assert.ok(await place.store.request('pipe', { id: 's29' }), 'who asked already is still known');
  await place.clock.advance(PAIRING_TTL_MS);
  assert.equal(await requestMany(100, 1), 1);
});

test('an approval moves the id to the allow file, in private files, and survives a restart', async () => {
  await using place = await open();
  const news: PairingNews[] = [];
  place.store.subscribe((one) => news.push(one));
  const { code } = (await place.store.request('pipe', { id: 'U1', name: 'Ann' }))!;
  assert.equal(await place.store.approve('pipe', 'WRONGONE'), undefined);
  assert.equal(await place.store.approve('other', code), undefined, 'codes are of one channel');
  assert.equal((await place.store.approve('pipe', ` ${code.toLowerCase()} `))?.id, 'U1');
  assert.deepEqual(JSON.parse(await readFile(join(place.folder, 'pipe-allowFrom.json'), 'utf8')).allowFrom, ['U1']);
  for (const name of await readdir(place.folder))
    assert.equal((await stat(join(place.folder, name))).mode & 0o777, 0o600, name);
  assert.equal((await stat(place.folder)).mode & 0o777, 0o700);
  const later = place.again();
  assert.deepEqual(
    [(await later.allowed('pipe')).map(({ id, name }) => [id, name]), await later.pending()],
    [[['U1', 'Ann']], []],
  );
  assert.deepEqual(
    news.map((one) => ('requested' in one ? 'requested' : one.decision)),
    ['requested', 'approved'],
  );
  assert.deepEqual(
    [await later.revoke('pipe', 'u1'), await later.revoke('pipe', 'u1'), await later.allowed('pipe')],
    [true, false, []],
  );
});

test('a rejected request is gone and let nobody in', async () => {
  await using place = await open();
  const { code } = (await place.store.request('pipe', { id: 'u1' }))!;
  assert.equal((await place.store.reject('pipe', code))?.id, 'u1');
  assert.deepEqual([await place.store.allowed('pipe'), await place.store.approve('pipe', code)], [[], undefined]);
});

test('files of older releases and of people are read; a change on disk counts at once', async () => {
  await using place = await open();
  await place.store.request('pipe', { id: 'x' });
  const at = new Date(place.clock.now()).toISOString();
  await writeFile(
    join(place.folder, 'pipe-pairing.json'),
    JSON.stringify({
      version: 1,
      requests: [
        {
          id: 7,
          code: 'ABCDEFGH',
          createdAt: at,
          lastSeenAt: at,
          meta: { username: 'ann', firstName: 'Ann' },
          more: 1,
        },
      ],
    }),
  );
  await writeFile(
    join(place.folder, 'pipe-allowFrom.json'),
    JSON.stringify({ version: 1, allowFrom: [5, ' 6 ', '*', 5] }),
  );
  assert.deepEqual(
    (await place.store.pending()).map(({ id, name, handle }) => [id, name, handle]),
    [['7', 'Ann', 'ann']],
  );
  assert.deepEqual(
    (await place.store.allowed('pipe')).map(({ id }) => id),
    ['5', '6'],
    '"*" is nobody who was approved',
  );
});

test('a broken file is set aside and its last good copy counts; without one nobody is let in', async () => {
  await using place = await open();
  const { code } = (await place.store.request('pipe', { id: 'u1' }))!;
  await place.store.approve('pipe', code);
  const path = join(place.folder, 'pipe-allowFrom.json');
  const broken = '{"allowFrom": ["u1"';
  const allowed = async () => (await place.again().allowed('pipe')).map(({ id }) => id);
  await writeFile(path, broken);
  assert.deepEqual([await allowed(), await allowed()], [['u1'], ['u1']]);
  const aside = (await readdir(place.folder)).find((name) => name.startsWith('pipe-allowFrom.json.corrupt-'));
  assert.equal(await readFile(join(place.folder, aside!), 'utf8'), broken);
  assert.equal((await stat(`${path}.last-good`)).mode & 0o777, 0o600);
  await rm(`${path}.last-good`);
  await writeFile(path, broken);
  assert.deepEqual(await allowed(), []);
});

test('a copy never lets in who was taken out: by a revocation, by hand, or with the whole file', async () => {
  await using place = await open();
  const path = join(place.folder, 'pipe-allowFrom.json');
  const damaged = async () => {
    await writeFile(path, 'torn');
    return (await place.again().allowed('pipe')).map(({ id }) => id);
  };
  for (const id of ['u1', 'u2', 'u3'])
    await place.store.approve('pipe', (await place.store.request('pipe', { id }))!.code);
  await place.store.revoke('pipe', 'u1');
  assert.deepEqual(await damaged(), ['u2', 'u3']);
  await writeFile(path, JSON.stringify({ version: 1, allowFrom: ['u3'] }));
  assert.deepEqual(
    (await place.store.allowed('pipe')).map(({ id }) => id),
    ['u3'],
  );
  assert.deepEqual(await damaged(), ['u3']);
  await rm(path);
  assert.deepEqual(await place.again().allowed('pipe'), []);
  assert.deepEqual(await damaged(), []);
});

test('asks settle in order, many at once lose nothing, and a channel is no path', async () => {
  await using place = await open();
  const order: string[] = [];
  await Promise.all(['a', 'b', 'a', 'c'].map((id) => place.store.request('pipe', { id }).then(() => order.push(id))));
  assert.deepEqual(
    [order, await codes(place.store)],
    [
      ['a', 'b', 'a', 'c'],
      ['a', 'b', 'c'],
    ],
  );
  await assert.rejects(place.store.allowed('../../etc'), /is not a channel id/);
});
