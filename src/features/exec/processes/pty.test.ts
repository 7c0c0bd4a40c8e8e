/** Commands on a terminal. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { processHarness, pollUntil, specOf, type ProcessHarness } from '../../../testing/processes-harness.ts';
import { until } from '../../../testing/until.ts';

const SHOWN = { headChars: 8_000, tailChars: 22_000 };

describe('a command on a terminal', () => {
  let harness: ProcessHarness;
  before(async () => {
    harness = await processHarness();
  });
  after(() => harness[Symbol.asyncDispose]());

  const run = async (
    command: string,
  ): Promise<{ output: string; code: number | undefined; signal: string | undefined }> => {
    const started = await harness.start(command, { pty: true });
    const view = await started.ended;
    const { output } = await started.read(SHOWN);
    await started.discard();
    return { output, code: view.exitCode, signal: view.exitSignal };
  };

  it('T18 sees a terminal of 120 by 30 and gives its code', async () => {
    assert.deepEqual(await run('test -t 0 && test -t 1 && test -t 2 && stty size; echo $TERM; exit 4'), {
      output: '30 120\nxterm-256color\n',
      code: 4,
      signal: undefined,
    });
  });

  it('T26 tells of the signal that ended it', async () => {
    assert.deepEqual(await run('kill -9 $$'), { output: '', code: 137, signal: 'SIGKILL' });
  });

  it('T69 asks where the cursor is and is answered; nothing of it is shown', async () => {
    assert.equal(
      (await run(String.raw`stty -echo; printf 'a\033[6nb'; IFS= read -rs -d R x; printf %q "$x"`)).output,
      String.raw`ab$'\E[1;1'`,
    );
  });

  it('has its own environment, not that of its holder', async () => {
    const started = await harness.registry.start(
      specOf('', { argv: ['/usr/bin/env'], env: { ONLY: 'this', NODE_OPTIONS: '--nonsense' }, pty: true }),
    );
    assert.ok(!('problem' in started));
    await started.ended;
    const { output } = await started.read(SHOWN);
    await started.discard();
    assert.deepEqual(
      output
        .trim()
        .split('\n')
        .map((line) => line.split('=')[0])
        .sort(),
      ['CLAWDBOT_PROCESS', 'NODE_OPTIONS', 'ONLY', 'PWD', 'TERM'],
    );
  });

  it('T66 T73 is typed into; the key for the end of input ends it', async () => {
    const started = await harness.background('cat; echo bye', { pty: true });
    const mine = harness.registry.of('main');
    await mine.write(started.id, 'hello\r');
    await pollUntil(harness.registry, started.id, (output) => output.split('hello\n').length === 3);
    await mine.write(started.id, '', { eof: true });
    assert.match(await pollUntil(harness.registry, started.id, (_, status) => status !== 'running'), /bye\n$/);
    assert.equal(await mine.clear(started.id), 'cleared');
  });

  it('ends with everything it started', async () => {
    const started = await harness.background(
      `trap '' HUP TERM; sleep 300 & (setsid sleep 301 &); echo ready; sleep 302`,
      { pty: true },
    );
    await pollUntil(harness.registry, started.id, (output) => output.includes('ready'));
    await until(async () => (await harness.alive()).filter((each) => each.endsWith(' sleep')).length === 3);
    assert.equal(await harness.registry.of('main').remove(started.id), 'removed');
    await until(async () => (await harness.alive()).length === 0);
  });
});
