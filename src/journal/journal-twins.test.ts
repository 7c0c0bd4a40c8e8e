/** Any sequence of calls leaves the same readable state in SQLite and in memory, restarts included. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { done, reply } from '../testing/journal-rows.ts';
import { memoryFixture, sqliteFixture, type JournalFixture } from '../testing/journal-harness.ts';
import { accepted } from '../testing/sample-inbound.ts';

/** A small seeded generator, so that a failure can be reproduced. */
function dice(seed: number): (sides: number) => number {
  const state = { value: seed };
  return (sides) => {
    state.value = (Math.imul(state.value, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state.value / 2 ** 32) * sides);
  };
}

/** A turn has the id of its first message; another message may join it. */
async function beginOwn({ journal }: JournalFixture, run: string, other: number): Promise<unknown> {
  const first = await journal.inbound.find(run);
  if (!first) return undefined;
  const seqs = [...new Set([first.seq, other])];
  return journal.turns.begin({ id: run, sessionKey: 'k', agentId: 'main', sessionId: 's', seqs });
}

/** One step with ids from a small range, so that steps refer to the same rows. */
function step(roll: (sides: number) => number): (s: JournalFixture) => Promise<unknown> {
  const [what, id, seq] = [roll(12), roll(4), roll(6) + 1];
  const [run, turnId] = [`r${id}`, `r${roll(4)}`];
  const said = { ...reply(`${run}:${roll(2)}`), runId: run };
  switch (what) {
    case 0:
    case 1:
      return ({ journal }) => journal.inbound.accept(accepted({ id: run, text: `${seq}` }), run);
    case 2:
      return (s) => beginOwn(s, run, seq);
    case 3:
      return ({ journal }) => journal.turns.steered(turnId, id, [], [seq]);
    case 4:
      return ({ journal }) =>
        journal.turns.end({ turnId, outcome: done, inbound: { state: 'answered' }, replies: [said] });
    case 5:
      return ({ journal }) => journal.turns.stop([seq], { reason: 'stopped', outcome: done });
    case 6:
      return ({ journal }) => journal.outbox.post([said], [{ seq, state: 'declined', reason: 'no' }]);
    case 7:
      return ({ journal }) => journal.outbox.sending(seq);
    case 8:
      return ({ journal }) => journal.outbox.sent(seq, [`p${seq}`]);
    case 9:
      return ({ journal }) => journal.outbox.retryAt(seq, 'uncertain', 5000, 'no answer');
    case 10:
      return ({ journal }) => journal.tries.begin(turnId, { resumed: id > 1, marks: id === 1 });
    default:
      return (s) => s.reopen();
  }
}

const left = async ({ journal }: JournalFixture): Promise<unknown> => ({
  open: await journal.inbound.open(),
  unsettled: await journal.turns.unsettled(),
  outbox: await journal.outbox.open(),
  timelines: await Promise.all(['r0', 'r1', 'r2', 'r3'].map((run) => journal.timeline(run))),
});

it('two hundred calls at a time, by ten seeds', async () => {
  for (let seed = 1; seed <= 10; seed++) {
    await using file = await sqliteFixture()();
    await using memory = await memoryFixture()();
    const roll = dice(seed);
    for (let nth = 0; nth < 200; nth++) {
      const call = step(roll);
      file.time.now += 1;
      memory.time.now += 1;
      assert.deepEqual(await call(memory), await call(file), `answer ${nth} of seed ${seed}`);
    }
    assert.deepEqual(await left(memory), await left(file), `what is left of seed ${seed}`);
  }
});
