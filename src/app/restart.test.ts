/** One restart at a time, and its note is delivered once. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { silentLog } from '../core/log.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createRestarter, takeRestartNote } from './restart.ts';

function stage(stateDir: string) {
  const clock = createFakeClock();
  const reasons = Promise.withResolvers<string>();
  const restarts: string[] = [];
  const request = createRestarter({ stateDir, clock, log: silentLog, restart: (reason) => { restarts.push(reason); reasons.resolve(reason); } });
  return { clock, request, restarts, first: reasons.promise };
}

it('makes one restart of several requests, at the time of the first', async () => {
  await using dir = await tempDir('restart');
  const { clock, request, restarts, first } = stage(dir.path);
  const { scheduledAt } = request({ reason: 'one', delayMs: 100 });
  assert.equal(scheduledAt, clock.now() + 100);
  assert.equal(request({ reason: 'two', delayMs: 5 }).scheduledAt, scheduledAt);
  await clock.advance(99);
  assert.deepEqual(restarts, []);
  await clock.advance(1);
  assert.equal(await first, 'one');
  await clock.advance(60_000);
  assert.deepEqual(restarts, ['one']);
});

for (const [given, wait] of [[undefined, 2000], [-5, 0], [9e9, 60_000]] as const)
  it(`waits ${wait} ms when told ${given}`, () => {
    const { clock, request } = stage('/nowhere');
    assert.equal(request({ reason: 'x', ...(given === undefined ? {} : { delayMs: given }) }).scheduledAt, clock.now() + wait);
  });

it('keeps a note for the session that asked, which is read once', async () => {
  await using dir = await tempDir('restart');
  const { clock, request, first } = stage(dir.path);
  request({ reason: 'update', delayMs: 0, sessionKey: 'agent:main:main' });
  await clock.advance(0);
  await first;
  assert.deepEqual(await takeRestartNote(dir.path, silentLog), { sessionKey: 'agent:main:main', text: 'The gateway was restarted (update).' });
  assert.equal(await takeRestartNote(dir.path, silentLog), undefined);
});

it('restarts though the note cannot be kept, and throws a damaged note away', async () => {
  await using dir = await tempDir('restart');
  await writeFile(join(dir.path, 'file'), '');
  const { clock, request, first } = stage(join(dir.path, 'file'));
  request({ reason: 'anyway', delayMs: 0, sessionKey: 's' });
  await clock.advance(0);
  assert.equal(await first, 'anyway');
  await writeFile(join(dir.path, 'restart-note.json'), '{"torn');
  assert.equal(await takeRestartNote(dir.path, silentLog), undefined);
  assert.equal(await takeRestartNote(dir.path, silentLog), undefined);
});
