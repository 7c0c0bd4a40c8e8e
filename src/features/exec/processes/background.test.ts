/** Processes in the background as the tools use them: real ones, listed, polled, written to, ended and forgotten. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../../testing/fake-clock.ts';
import { pollUntil, processHarness } from '../../../testing/processes-harness.ts';
import { until } from '../../../testing/until.ts';

const now = { waitMs: 0, signal: new AbortController().signal };
const soon = { waitMs: 10_000, signal: new AbortController().signal };
const folders = async (dir: string): Promise<readonly string[]> =>
  (await readdir(dir)).filter((name) => !name.startsWith('.'));

describe('a command in the background', () => {
  it('T1 T2 T3 T70 T71 is listed by name; polls bring what is new, then how it ended', async () => {
    await using harness = await processHarness();
    const started = await harness.background('echo hello; read line; echo got $line');
    const mine = harness.registry.of('main');
    assert.deepEqual(
      (await mine.list()).map(({ sessionId, name, status }) => [sessionId, name, status]),
      [[started.id, 'echo hello;', 'running']],
    );
    assert.equal(await pollUntil(harness.registry, started.id, (output) => output.includes('hello')), 'hello\n');
    const quiet = await mine.poll(started.id, now);
    assert.deepEqual(typeof quiet === 'object' && [quiet.output, quiet.view.status], ['', 'running']);
    assert.equal(await mine.write(started.id, 'you\n'), 4);
    const ended = await until(async () => {
      const polled = await mine.poll(started.id, soon);
      return typeof polled === 'object' && (polled.view.status !== 'running' || polled.output) ? polled : undefined;
    });
    assert.equal(ended.output, 'got you\n');
    await until(async () => (await mine.list())[0]?.status === 'completed');
    const again = await mine.poll(started.id, now);
    assert.deepEqual(typeof again === 'object' && [again.output, again.view.exitCode], ['', 0]);
    assert.equal(await mine.clear(started.id), 'cleared');
    assert.deepEqual([await mine.poll(started.id, now), await folders(harness.dir)], ['unknown', []]);
  });

  it('T30 a poll never tears a character, a sequence or a line end', async () => {
    await using harness = await processHarness();
    const started = await harness.background(
      String.raw`printf 'a\303'; read x; printf '\251\033[3'; read x; printf '1mb\r'; read x; printf '\nc'`,
    );
    const mine = harness.registry.of('main');
    const outputs: string[] = [];
    for (const size of [2, 6, 9]) {
      await until(async () => (await mine.list())[0]!.outputBytes >= size);
      const polled = await mine.poll(started.id, now);
      outputs.push(typeof polled === 'object' ? polled.output : polled);
      await mine.write(started.id, '\n');
    }
    outputs.push(await pollUntil(harness.registry, started.id, (_, status) => status !== 'running'));
    assert.deepEqual(outputs, ['a', 'é', 'b', '\nc']);
  });

  it('two polls at the same time share the output, neither repeats it', async () => {
    await using harness = await processHarness();
    const started = await harness.background('seq 1 1000');
    await started.ended;
    const polls = await Promise.all([1, 2, 3].map(() => harness.registry.of('main').poll(started.id, now)));
    assert.deepEqual(
      polls.map((polled) => (typeof polled === 'object' ? polled.output.length : polled)).sort(),
      [0, 0, 3893],
    );
  });

  it('T7 T9 an abort leaves it alone; T8 T10 the timeout does not', async () => {
    await using harness = await processHarness();
    const started = await harness.background('sleep 300', { timeoutMs: 400 });
    await started.abort();
    assert.equal(started.view().status, 'running');
    const view = await started.ended;
    assert.deepEqual([view.status, view.endReason, view.timeoutSeconds], ['failed', 'timeout', 0.4]);
    await until(() => harness.exits.length === 1);
  });

  it('T27 the timeout also ends what ignores being asked', async () => {
    await using harness = await processHarness();
    const view = await (await harness.start(`trap '' TERM; sleep 300`, { timeoutMs: 1500 })).ended;
    assert.deepEqual([view.endReason, view.exitSignal], ['timeout', 'SIGKILL']);
    assert.deepEqual(await harness.alive(), []);
  });

  it('T36 no timeout, no timer', async () => {
    await using harness = await processHarness();
    const started = await harness.background('sleep 300', { timeoutMs: 0 });
    assert.equal(started.view().timeoutSeconds, undefined);
  });

  it('T63 belongs to its agent', async () => {
    await using harness = await processHarness();
    const started = await harness.background('sleep 300');
    const others = harness.registry.of('beta');
    assert.deepEqual(await others.list(), []);
    for (const refused of [
      others.poll(started.id, now),
      others.log(started.id, {}),
      others.write(started.id, 'x'),
      others.kill(started.id),
      others.remove(started.id),
      others.clear(started.id),
    ])
      assert.equal(await refused, 'unknown');
    assert.equal((await harness.registry.list()).length, 1);
  });

  it('T65 one in the foreground is neither listed nor touched', async () => {
    await using harness = await processHarness();
    const started = await harness.start('sleep 300');
    assert.deepEqual(await harness.registry.of('main').list(), []);
    assert.equal(await harness.registry.of('main').kill(started.id), 'foreground');
    await started.abort();
  });

  it('T72 T73 input: end of file is seen, and nothing can be written after it', async () => {
    await using harness = await processHarness();
    const mine = harness.registry.of('main');
    const started = await harness.background('cat; echo end; sleep 300');
    assert.equal(await mine.write(started.id, 'last', { eof: true }), 4);
    assert.equal(await pollUntil(harness.registry, started.id, (output) => output.includes('end')), 'lastend\n');
    assert.equal(await mine.write(started.id, 'more'), 'closed');
    assert.equal((await mine.list())[0]?.stdinWritable, false);
    await mine.kill(started.id);
    assert.equal(await mine.write(started.id, 'more'), 'ended');
  });

  it('a command that does not read is no reason to wait, and one that closed its input says so', async () => {
    await using harness = await processHarness();
    const mine = harness.registry.of('main');
    const deaf = await harness.background('sleep 300');
    assert.equal(await mine.write(deaf.id, 'x'.repeat(5_000_000)), 5_000_000);
    assert.equal(await mine.write(deaf.id, 'more', { eof: true }), 0);
    assert.equal((await mine.list())[0]!.stdinWritable, true);
    const closed = await harness.background('exec <&-; echo closed; sleep 300');
    await pollUntil(harness.registry, closed.id, (output) => output.includes('closed'));
    await until(async () => (await mine.write(closed.id, 'x')) === 'closed');
  });

  it('T37 T74 killed by a person: failed by SIGKILL, without a notice', async () => {
    await using harness = await processHarness();
    const mine = harness.registry.of('main');
    const started = await harness.background('echo x; sleep 300 & sleep 301');
    const view = await mine.kill(started.id);
    assert.ok(typeof view === 'object');
    assert.deepEqual([view.status, view.endReason, view.exitSignal], ['failed', 'killed', 'SIGKILL']);
    const polled = await mine.poll(started.id, now);
    assert.ok(typeof polled === 'object' && polled.view.status === 'failed');
    assert.equal(await mine.kill(started.id), 'ended');
    assert.deepEqual(
      [harness.exits, await harness.alive(), await harness.registry.wasNotified(started.id)],
      [[], [], true],
    );
  });

  it('T75 T76 remove ends a running one and forgets it; clear only forgets', async () => {
    await using harness = await processHarness();
    const mine = harness.registry.of('main');
    const started = await harness.background('sleep 300');
    assert.equal(await mine.clear(started.id), 'running');
    assert.equal(await mine.remove(started.id), 'removed');
    assert.deepEqual([await mine.list(), await harness.alive(), harness.exits], [[], [], []]);
    assert.equal(await mine.remove(started.id), 'unknown');
  });

  it('T21 its end is reported once, unless a poll reported it first', async () => {
    await using harness = await processHarness();
    const heard = await harness.background('echo heard');
    await until(() => harness.exits.length === 1);
    assert.deepEqual(
      [harness.exits[0]?.view.sessionId, harness.exits[0]?.view.status, harness.exits[0]?.view.tail],
      [heard.id, 'completed', 'heard\n'],
    );
    const waited = await harness.background('read line');
    const poll = pollUntil(harness.registry, waited.id, (_, status) => status !== 'running');
    await harness.registry.of('main').write(waited.id, '\n');
    await poll;
    assert.equal(await harness.registry.wasNotified(waited.id), true);
    assert.equal(harness.exits.length, 1);
  });

  it('a command that ended before it went to the background is reported too', async () => {
    await using harness = await processHarness();
    const started = await harness.start('echo quick');
    await started.ended;
    await started.toBackground();
    assert.equal(started.view().status, 'completed');
    await until(() => harness.exits.length === 1);
  });

  it('observers are notified when it goes to the background and when it ends', async () => {
    await using harness = await processHarness();
    const seen: string[] = [];
    harness.registry.subscribe(({ status }) => seen.push(status));
    const started = await harness.background('read line');
    await harness.registry.of('main').write(started.id, '\n');
    await until(() => seen.at(-1) === 'completed');
    assert.deepEqual(seen, ['running', 'completed']);
  });

  it('T78 is forgotten when its time is over', async () => {
    const clock = createFakeClock();
    await using harness = await processHarness({ clock, cleanupMs: () => 600_000 });
    const started = await harness.start('true');
    await started.ended;
    await started.toBackground();
    const ended = clock.now();
    await until(async () => {
      await clock.advance(1000);
      return harness.exits.length > 0 && harness.registry.wasNotified(started.id);
    });
    await until(async () => {
      await clock.advance(20_000);
      return (await folders(harness.dir)).length === 0;
    });
    assert.ok(clock.now() - ended > 600_000);
    assert.deepEqual(await harness.registry.list(), []);
  });

  it('an objection of its guard ends it, is in its output, and its end is reported', async () => {
    await using harness = await processHarness();
    let ended = 0;
    const started = await harness.background('echo working; sleep 300', {
      guard: async () => 'It used too much memory.',
      onEnd: async () => void ended++,
    });
    const view = await started.ended;
    assert.deepEqual(
      [view.status, view.endReason, view.tail],
      ['failed', 'killed', 'working\n\nIt used too much memory.\n'],
    );
    await until(() => harness.exits.length === 1 && ended === 1);
  });
});
