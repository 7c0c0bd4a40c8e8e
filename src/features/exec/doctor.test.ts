/** The doctor's word on sandboxes, on a machine that has the programs and on one that has none. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEnv } from '../../platform/env.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import type { Patient } from '../../cli/doctor/check.ts';
import { checks } from './doctor.ts';

const check = (path: string, mode: string) =>
  checks[0]!.run({
    env: readEnv({ PATH: path, HOME: '/nonexistent' }),
    repair: false,
    gateway: { problem: '' },
    config: {
      config: { agents: { defaults: { sandbox: { mode: 'off' } }, list: [{ sandbox: { mode } }] } },
    } as unknown as Patient['config'],
  });

test('doctor says whether a sandbox can be made, and fails only where one is wanted', async () => {
  await using dir = await tempDir('doctor');
  const wanted = await check(dir.path, 'all');
  assert.deepEqual([wanted.level, (await check(dir.path, 'off')).level], ['fail', 'ok']);
  assert.match(wanted.detail, /apt install bubblewrap/);
  await writeFile(join(dir.path, 'docker'), '#!/bin/sh\n', { mode: 0o755 });
  assert.equal((await check(dir.path, 'all')).level, 'warn');
  await writeFile(join(dir.path, 'bwrap'), '#!/bin/sh\necho "bubblewrap 9.9"\n', { mode: 0o755 });
  assert.deepEqual(await check(dir.path, 'all'), { level: 'ok', detail: 'bubblewrap 9.9 works' });
});
