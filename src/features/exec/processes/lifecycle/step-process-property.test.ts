/**
 * The lifecycle of a held process under random events, its effects carried out in any order that the driver may: one
 * end, after the last output, and nothing that is asked to end goes on unnoticed.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { createProcessHarness, type ProcessCommand } from '../../../../testing/process-harness.ts';

const at = fc.nat({ max: 3 });
const simple = <Do extends ProcessCommand['do']>(what: Do) => fc.constant({ do: what } as ProcessCommand);
const command: fc.Arbitrary<ProcessCommand> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('step' as const), thread: at }) },
  { weight: 3, arbitrary: simple('write') },
  { weight: 3, arbitrary: simple('poll') },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('exit' as const), code: fc.constantFrom(0, 3, 137), leaves: fc.boolean() }),
  },
  { weight: 1, arbitrary: simple('group ends') },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      why: fc.constantFrom('killed' as const, 'aborted' as const, 'timeout' as const),
    }),
  },
  { weight: 2, arbitrary: simple('background') },
  { weight: 1, arbitrary: simple('tell') },
);
const setting = fc.record({
  ours: fc.boolean(),
  /** When it is killed, nobody reports its end. */
  unreported: fc.boolean(),
  /** How often ending its tree cannot even be tried. */
  endFails: fc.constantFrom(0, 0, 0, 1),
  guard: fc.constantFrom(false, false, true),
  leavesDaemons: fc.boolean(),
});
const commands = fc.array(command, { maxLength: 60 });

it('ends once, after its last output, and everything about it is let go', () => {
  fc.assert(
    fc.property(setting, commands, (how, history) => {
      const harness = createProcessHarness(how);
      for (const one of history) harness.play(one);
      harness.settle();
      for (let tries = 0; tries <= how.endFails; tries++) {
        harness.play({ do: 'end', why: 'killed' });
        harness.settle();
      }
      assert.equal(harness.state.phase, 'over');
      harness.assertOver();
    }),
    { numRuns: 1500 },
  );
});

it('is over, or still runs, whenever nothing is left to do', () => {
  fc.assert(
    fc.property(setting, commands, (how, history) => {
      const harness = createProcessHarness(how);
      for (const one of history) harness.play(one);
      harness.settle();
      const { phase, ending } = harness.state;
      if (phase === 'over') return harness.assertOver();
      assert.notEqual(ending, 'asked', 'asked to end, and nobody ends it');
      assert.equal(phase, harness.alive() ? 'running' : 'outlived');
      assert.ok(harness.alive() || harness.groupAlive(), 'nothing of it runs any more');
    }),
    { numRuns: 1500 },
  );
});

it('released, it stays as it is, and nothing is written any more', () => {
  fc.assert(
    fc.property(setting, commands, commands, (how, before, after) => {
      const harness = createProcessHarness(how);
      for (const one of before) harness.play(one);
      harness.settle();
      const { record } = harness.state;
      harness.play({ do: 'release' });
      harness.settle();
      const written = harness.written();
      for (const one of after.filter((each) => ['step', 'write', 'exit', 'group ends'].includes(each.do)))
        harness.play(one);
      harness.settle();
      assert.deepEqual([harness.state.record, harness.written()], [record, written]);
    }),
    { numRuns: 500 },
  );
});
