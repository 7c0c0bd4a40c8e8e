/** Memory of a busy time is returned when idle; nothing is collected while there is work or nothing to gain. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** In a process of its own: its memory is nobody else's. */
const run = async (body: string): Promise<Record<string, number>> =>
  JSON.parse(
    (
      await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--disable-warning=ExperimentalWarning',
        '-e',
        `
  import { releaseMemory } from ${JSON.stringify(new URL('release-memory.ts', import.meta.url).href)};
  import { createFakeClock } from ${JSON.stringify(new URL('../testing/fake-clock.ts', import.meta.url).href)};
  import { getHeapStatistics } from 'node:v8';
  const held = () => getHeapStatistics().total_physical_size / 2 ** 20;
  const clock = createFakeClock();
  using returning = releaseMemory(clock);
  ${body}
`,
      ])
    ).stdout,
  ) as Record<string, number>;

const FILL =
  'let kept = Array.from({ length: 400_000 }, (_, n) => ({ n, text: "a text " + n })); kept = undefined; ' +
  'const full = held();';

test('at rest', async () => {
  const { full, left } = await run(
    `${FILL} await clock.advance(15_000); await clock.advance(15_000); console.log(JSON.stringify({ full, ` +
      'left: held() }));',
  );
  assert.ok(full! > 40 && left! < full! / 2, `${full} MiB, then ${left}`);
});

test('little, when the rest is long', async () => {
  const { once, little, soon, later } = await run(
    'await clock.advance(15_000); const once = held();' +
      'let kept = Array.from({ length: 150_000 }, (_, n) => ({ n, text: "a text " + n })); kept = undefined;' +
      'const usage = process.cpuUsage; process.cpuUsage = (since) => since ? { user: 1e6, system: 0 } : usage();' +
      'await clock.advance(15_000); process.cpuUsage = () => ({ user: 0, system: 0 }); const little = held();' +
      'await clock.advance(15_000); const soon = held(); await clock.advance(15_000);' +
      'console.log(JSON.stringify({ once, little, soon, later: held() }));',
  );
  assert.ok(little! > once! + 12 && little! < once! + 48, `${once} MiB, then ${little}`);
  assert.ok(soon! > little! * 0.9 && later! < once! + 8, `${little} MiB, then ${soon}, then ${later}`);
});

test('not while there is work', async () => {
  const { full, left } = await run(
    `${FILL} const busy = process.cpuUsage(); process.cpuUsage = (since) => since ? { user: 1e6, system: 0 } ` +
      ': busy; await clock.advance(45_000); console.log(JSON.stringify({ full, left: held() }));',
  );
  assert.ok(left! >= full! * 0.9, `${full} MiB, then ${left}`);
});
