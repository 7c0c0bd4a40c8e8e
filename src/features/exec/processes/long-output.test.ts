/** Much output: cut in the middle, paged by line, kept within bounds on disk, never in the way of the event loop. */
import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { pollUntil, processHarness } from '../../../testing/processes-harness.ts';
import { until } from '../../../testing/until.ts';

const SHOWN = { headChars: 100, tailChars: 200 };
const MB = 1024 * 1024;
const now = { waitMs: 0, signal: new AbortController().signal };

describe('much output', () => {
  it('T29 head and tail are shown, the rest is counted exactly up to a megabyte', async () => {
    await using harness = await processHarness();
    const started = await harness.start('seq 1 20000');
    await started.ended;
    const { output, cut } = await started.read(SHOWN);
    const [head = '', tail = ''] = output.split(/\[… \d+ characters left out …\]\n/);
    assert.ok(head.startsWith('1\n2\n3\n') && tail.endsWith('\n19999\n20000\n'));
    assert.equal(head.trimEnd().length + 1 + cut + tail.length, 108_894);
    assert.equal(started.view().tail.length, 2000);
    await started.discard();
  });

  it('ten megabytes: both ends, and what lies between counted', async () => {
    await using harness = await processHarness();
    const started = await harness.start('seq 1000000 2400000');
    await started.ended;
    const { output, cut } = await started.read(SHOWN);
    assert.ok(output.startsWith('1000000\n1000001\n') && output.endsWith('2399999\n2400000\n'));
    assert.ok(Math.abs(cut + SHOWN.headChars + SHOWN.tailChars - 11_200_008) < 10, `${cut}`);
    await started.discard();
  });

  it('a poll that comes late shows both ends of what is new, and the next one nothing of it again', async () => {
    await using harness = await processHarness();
    const started = await harness.background('seq 1 100000; read line; echo last');
    const mine = harness.registry.of('main');
    await until(async () => (await mine.list())[0]?.outputBytes === 588_895);
    const first = await mine.poll(started.id, now);
    assert.ok(
      typeof first === 'object' &&
        first.output.startsWith('1\n2\n') &&
        first.output.endsWith('\n100000\n') &&
        first.cut > 500_000,
    );
    await mine.write(started.id, '\n');
    assert.equal(await pollUntil(harness.registry, started.id, (_, status) => status !== 'running'), 'last\n');
  });

  for (const [lines, how] of [
    [10_000, 'as it is shown'],
    [400_000, 'by line feeds'],
  ] as const)
    it(`T61 T62 T79 the log of ${lines} lines is paged, ${how}`, async () => {
      await using harness = await processHarness();
      const started = await harness.background(`seq 1 ${lines}`);
      await until(() => harness.exits.length === 1);
      const log = async (window: { offset?: number; limit?: number }) => {
        const found = await harness.registry.of('main').log(started.id, window);
        assert.ok(typeof found === 'object');
        return found;
      };
      const plain = await log({});
      assert.deepEqual(
        [plain.firstLine, plain.lines, plain.totalLines, plain.droppedBytes],
        [lines - 200, 200, lines, 0],
      );
      assert.ok(plain.output.startsWith(`${lines - 199}\n`) && plain.output.endsWith(`\n${lines}`));
      assert.equal((await log({ limit: 2 })).output, `${lines - 1}\n${lines}`);
      assert.equal((await log({ offset: 6543, limit: 3 })).output, '6544\n6545\n6546');
      assert.equal((await log({ offset: lines - 1 })).output, `${lines}`);
      assert.deepEqual(
        [
          (await log({ offset: -5, limit: 1 })).output,
          (await log({ limit: 0 })).output,
          (await log({ offset: lines + 5 })).lines,
        ],
        ['1', '', 0],
      );
      assert.equal(plain.totalChars, Array.from({ length: lines }, (_, index) => `${index + 1}\n`).join('').length);
      assert.ok((await log({ offset: 0 })).output.startsWith('1\n2\n'));
    });

  it('a log goes on counting where it stopped while the command writes', async () => {
    await using harness = await processHarness();
    const started = await harness.background('seq 1 200000; read line; seq 200001 200010; read line');
    const mine = harness.registry.of('main');
    await until(async () => (await mine.list())[0]!.outputBytes > 1_288_000);
    assert.ok(typeof (await mine.log(started.id, {})) === 'object');
    await mine.write(started.id, '\n');
    await until(async () => {
      const log = await mine.log(started.id, { limit: 1 });
      return typeof log === 'object' && log.output === '200010' && log.totalLines === 200_010;
    });
  });

  it('one that never stops writing keeps its first part and its newest, and its place on disk', async () => {
    await using harness = await processHarness();
    const limit = 2 * MB;
    const started = await harness.background('echo begin; yes "the same line again"', { spoolMaxBytes: limit });
    const mine = harness.registry.of('main');
    const view = await until(async () =>
      (await mine.list()).find(({ truncated, outputBytes }) => truncated && outputBytes > 8 * limit),
    );
    assert.equal(view.tail.length, 2000);
    await mine.kill(started.id);
    const log = await mine.log(started.id, { limit: 3 });
    const polled = await mine.poll(started.id, now);
    assert.ok(typeof log === 'object' && typeof polled === 'object');
    assert.match(log.output, /^the same line again\nthe same line again\nthe[a-z ]*$/);
    assert.ok(
      log.droppedBytes > limit &&
        polled.output.startsWith('begin\n') &&
        /the same line again\n[a-z ]*$/.test(polled.output),
    );
    const folder = `${harness.dir}/${started.id}`;
    const sizes = await Promise.all(
      (await readdir(folder)).map(async (name) => [name, (await stat(`${folder}/${name}`)).size] as const),
    );
    assert.ok(sizes.reduce((sum, [, size]) => sum + size, 0) < log.view.outputBytes / 2, JSON.stringify(sizes));
    assert.equal(
      log.droppedBytes +
        sizes.filter(([name]) => ['head', 'recent', 'out'].includes(name)).reduce((sum, [, size]) => sum + size, 0),
      log.view.outputBytes,
    );
  });
});
