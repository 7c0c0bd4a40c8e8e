/**
 * Minutes of turns in many conversations, with pauses: detects growth of memory, files, descriptors, timers or turn
 * time. Five minutes by default, `--minutes 60` for an hour; only measured if named.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askProbe, withProbe } from '../loop-probe-client.mjs';
import { rssMiB } from '../machine.mjs';
import { httpTurn } from '../http-calls.mjs';
import { startGateway } from '../processes.mjs';
import { configure } from '../state-directories.mjs';
import { quantile } from '../statistics.mjs';

const PARTS = 4;
const CONVERSATIONS = 100;
const AT_ONCE = 8;
const MINUTE_MS = 60_000;
/** Long enough for the garbage of the turns to be collected and given back. */
const REST_MS = 45_000;

export async function soak({ plan, report, space, mock, repeat, watch }) {
  const dir = configure(space.make('soak'), mock.port);
  const probe = withProbe(dir);
  await using gateway = await startGateway(dir, probe.flags, probe.env);
  watch(gateway);
  await part(gateway, plan.warmUp);
  const partMs = (plan.minutes * MINUTE_MS) / PARTS;
  const before = await atRest(gateway, probe);
  const files = filesOf(dir);
  const parts = await repeat(`parts of ${Math.round(partMs / 1000)} s`, PARTS, async () => ({
    ...(await part(gateway, Infinity, partMs)),
    ...(await atRest(gateway, probe)),
  }));
  const turns = parts.reduce((sum, one) => sum + one.turns, 0);
  const grown = filesOf(dir);
  const last = parts.at(-1);
  report.add('turns', '', [turns]);
  report.add(
    'memory (RSS) at rest, after each part',
    'MiB',
    parts.map(({ rss }) => rss),
  );
  report.add(
    '  growth between the first part and the last, per 10 000 turns',
    'MiB',
    [((last.rss - parts[0].rss) / (turns - parts[0].turns)) * 10_000],
    { atMost: 5 },
  );
  report.add('time of a turn, p50: the last part ÷ the first', '×', [last.p50 / parts[0].p50], { atMost: 1.2 });
  report.add('  p99: the last part ÷ the first', '×', [last.p99 / parts[0].p99]);
  report.add('files of the journal, per turn', 'KiB', [(grown.journal - files.journal) / turns / 1024]);
  report.add('transcripts, per turn', 'KiB', [(grown.transcripts - files.transcripts) / turns / 1024]);
  report.add('descriptors at rest, more than before', '', [last.descriptors - before.descriptors], { atMost: 2 });
  report.add('timers at rest, more than before', '', [last.timers - before.timers], { atMost: 2 });
}

/** Turns for `ms`, or `count` of them: `{ turns, p50, p99 }`. */
async function part(gateway, count, ms = Infinity) {
  const times = [];
  const end = performance.now() + ms;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, worker) => {
      for (let turn = worker; times.length < count && performance.now() < end; turn += AT_ONCE) {
        const begin = performance.now();
        await httpTurn(gateway.port, `soak-${turn % CONVERSATIONS}`);
        times.push(performance.now() - begin);
      }
    }),
  );
  return { turns: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

async function atRest(gateway, probe) {
  await sleep(REST_MS);
  return {
    rss: rssMiB(gateway.pid),
    timers: (await askProbe(gateway, probe)).timers,
    descriptors: readdirSync(`/proc/${gateway.pid}/fd`).length,
  };
}

/** Bytes of the journal and of all transcripts. */
function filesOf(dir) {
  const sizes = { journal: 0, transcripts: 0 };
  for (const name of readdirSync(dir, { recursive: true })) {
    if (name.includes('.sqlite')) sizes.journal += statSync(join(dir, name)).size;
    if (name.endsWith('.jsonl') && name.includes('sessions')) sizes.transcripts += statSync(join(dir, name)).size;
  }
  return sizes;
}
