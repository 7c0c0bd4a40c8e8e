// Really tried, in a real box: every row of src/testing/sandbox-escapes.ts, as root where we are, and as an ordinary
// user.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { present } from '../../../core/present.ts';
import { findBubblewrap } from '../platform/bubblewrap.ts';
import { readEnv } from '../../../platform/env.ts';
import { exec, findProgram } from '../../../platform/exec.ts';
import { ownUser } from '../../../platform/own-user.ts';
import { until } from '../../../testing/until.ts';
import { sandboxFixture } from '../../../testing/sandbox-fixture.ts';
import { ESCAPES, type Escape } from '../../../testing/sandbox-escapes.ts';

const env = readEnv();
const bubblewrap = await findBubblewrap({ path: env.get('PATH') });
const skip = 'problem' in bubblewrap ? bubblewrap.problem : false;

describe('ways out of the sandbox', { skip }, () => {
  for (const escape of ESCAPES) it(escape.name, () => attempt(escape));

  it('all of them again as an ordinary user', {
    skip: ownUser()?.uid === 0 ? false : 'this is one already',
  }, async (t) => {
    const setpriv = await findProgram('setpriv', env.get('PATH'));
    if (!setpriv) return t.skip('setpriv is not installed');
    const args = [
      '--reuid',
      '65534',
      '--regid',
      '65534',
      '--clear-groups',
      process.execPath,
      '--test',
      '--test-isolation=none',
      fileURLToPath(import.meta.url),
    ];
    const { NODE_TEST_CONTEXT: _context, ...vars } = env.vars;
    const result = await exec({
      command: setpriv,
      args,
      env: { PATH: vars['PATH'] ?? '', HOME: '/nonexistent' },
      timeoutMs: 600_000,
      maxOutputBytes: 4_000_000,
      signal: t.signal,
    });
    if (result.kind === 'exited' && /ℹ pass 0/.test(result.stdout.toString()))
      return t.skip(`that user cannot run it: ${result.stderr}`);
    assert.deepEqual(
      [result.kind, result.kind === 'exited' && result.code],
      ['exited', 0],
      result.stdout.toString().slice(-6000) + result.stderr,
    );
  });
});

async function attempt({ tries, works, sandbox, around = [], limit, orFails = false }: Escape): Promise<void> {
  await using fixture = await sandboxFixture();
  const options = {
    around: around.map((word) => word.replace('{home}', fixture.home)),
    ...present({ sandbox }),
    env: { SSH_AUTH_SOCK: '/tmp/ssh-agent' },
  };
  const fine = `{ ${works}; } && echo STILL-FINE`;
  const run = await fixture.run(limit ? tries : `${tries}\n${fine}`, options);
  assert.doesNotMatch(run.output, /ESCAPED|PRIVATE/);
  if (limit && !(orFails && run.limit === undefined && run.code !== 0))
    assert.match(run.limit ?? `no limit; code ${run.code}: ${run.output}`, limit);
  const after = limit ? await fixture.run(fine, options) : run;
  assert.match(after.output, /STILL-FINE/, `code ${after.code}, ${after.limit}: ${after.output}`);
  if (!limit) assert.equal(run.limit, undefined);
  assert.deepEqual(fixture.heard, []);
  // the kernel takes a moment to bury them
  await until(async () => (await fixture.alive()).length === 0, 'the end of all it started');
  for (const folder of [fixture.home, fixture.stateDir, fixture.workspace])
    await assert.rejects(access(join(folder, 'escaped')), folder);
}
