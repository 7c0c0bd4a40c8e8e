// Many power cuts in a long run, for each of the four file system models. Part of `npm run test:full`; set POWER_CUTS
// and POWER_SEED for others.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findProgram } from '../../src/platform/find-program.ts';
import { recordRun } from '../power-loss/record.ts';
import { isWhole, tableOf, tally } from '../power-loss/tally.ts';
import { whyNotTraced } from '../security/commands/tracer.ts';

const CUTS = Number(process.env['POWER_CUTS'] ?? 200);
const SEED = Number(process.env['POWER_SEED'] ?? Date.now() % 1e9);
const strace = await findProgram('strace', process.env['PATH']);

it(`${CUTS} cuts in four models`, { skip: await whyNotTraced(strace), timeout: 3_600_000 }, async (t) => {
  const recording = await recordRun(strace!, { chats: 6, each: 10 });
  const rows = await tally(recording, {
    cuts: CUTS,
    seed: SEED,
    progress: (states) => {
      if (states % 80 === 0) console.log(`${states} of ${CUTS * 4} states`);
    },
  });
  for (const line of [
    `seed ${SEED}, ${recording.operations.length} operations, ${recording.messages.length} messages`,
    ...tableOf(rows).split('\n'),
  ])
    t.diagnostic(line);
  assert.deepEqual(rows.flatMap(({ notes }) => notes).slice(0, 40), []);
  assert.ok(rows.every(isWhole));
});
