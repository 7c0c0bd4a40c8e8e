/**
 * The benchmarks of the product as built: medians with minimum and maximum, beside the targets.
 *   npm run bench                            everything, ten minutes or more
 *   npm run bench -- turns cli               sections: startup, cli, turns, sessions, understanding, channels, chat,
 *                                            install, and by its name each feature that has a `bench.mjs`
 *   npm run bench -- soak --minutes 60       turns for an hour (five minutes by default); only if named
 *   npm run bench -- --quick                 fewer repetitions
 *   npm run bench -- --json                  the same as JSON on stdout; progress stays on stderr
 */
import { existsSync, readdirSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { parseArgs } from 'node:util';
import { quiet, watchNoise } from './machine.mjs';
import { ROOT, startMock } from './processes.mjs';
import { createReport, printTable } from './report.mjs';
import { channels } from './sections/channels.mjs';
import { chat } from './sections/chat.mjs';
import { cli } from './sections/cli.mjs';
import { install } from './sections/install.mjs';
import { sessions } from './sections/sessions.mjs';
import { soak } from './sections/soak.mjs';
import { startup } from './sections/startup.mjs';
import { turns } from './sections/turns.mjs';
import { understanding } from './sections/understanding.mjs';
import { scratch } from './state-directories.mjs';
import { show } from './statistics.mjs';

const SECTIONS = {
  startup,
  cli,
  turns,
  sessions,
  understanding,
  channels,
  chat,
  install,
  ...(await featureSections()),
};
/** Too long for a run of everything. */
const ONLY_IF_NAMED = { soak };
/** Repetitions, turns of one repetition, and how long to wait for a quiet machine before a section. */
const FULL = {
  links: 20,
  starts: 7,
  rests: 3,
  commands: 11,
  rounds: 7,
  turns: 80,
  perWorker: 20,
  warmUp: 400,
  idleMs: 3000,
  quietMs: 10_000,
  busySeconds: 15,
  restMs: 12_000,
};
const QUICK = {
  links: 8,
  starts: 3,
  rests: 1,
  commands: 5,
  rounds: 3,
  turns: 40,
  perWorker: 10,
  warmUp: 160,
  idleMs: 2000,
  quietMs: 1500,
  busySeconds: 4,
  restMs: 8000,
};

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, minutes: { type: 'string', default: '5' } },
});
const say = (text) => process.stderr.write(text);

await main();

/** `src/features/<id>/bench.mjs` exports `measure`, which is handed what the sections here are. */
async function featureSections() {
  const features = new URL('../src/features/', import.meta.url);
  const files = readdirSync(features).map((id) => [id, new URL(`${id}/bench.mjs`, features)]);
  const found = files.filter(([, file]) => existsSync(file));
  return Object.fromEntries(
    await Promise.all(found.map(async ([id, file]) => [id, (await import(file.href)).measure])),
  );
}

async function main() {
  const chosen = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
  const all = { ...SECTIONS, ...ONLY_IF_NAMED };
  const unknown = chosen.find((name) => !(name in all));
  if (unknown) fail(`There is no section "${unknown}"; there are ${Object.keys(all).join(', ')}.`);
  const minutes = Number(flags.minutes);
  if (!(minutes > 0)) fail(`--minutes needs a number above 0, not "${flags.minutes}".`);
  if (Number(process.versions.node.split('.')[0]) < 24)
    fail(`The product runs on Node 24, this is ${process.version}; \`npm run bench\` uses the right one.`);
  if (!existsSync(`${ROOT}dist/main.js`)) fail('There is no dist/; run `npm run build` first.');

  const began = performance.now();
  const results = [];
  for (const name of chosen) results.push(await measure(name, all[name], { ...(flags.quick ? QUICK : FULL), minutes }));
  const machine = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${process.platform} ${release()}`;
  if (flags.json)
    console.log(
      JSON.stringify(
        { at: new Date().toISOString(), machine, quick: flags.quick ?? false, sections: results },
        null,
        2,
      ),
    );
  else print(results, `${machine}; ${Math.round((performance.now() - began) / 1000)} s in all`);
}

/** One section: waits for quiet, measures, and notes which share of the machine other programs took meanwhile. */
async function measure(name, section, plan) {
  say(`▸ ${name}: waiting for a quiet machine, at most ${plan.quietMs / 1000} s\n`);
  const busyBefore = await quiet(plan.quietMs);
  const report = createReport();
  const watched = [];
  using space = scratch();
  await using mock = await startMock();
  const noise = watchNoise(() => [mock.pid, ...watched]);
  await section({ plan, report, space, mock, repeat, watch: ({ pid }) => watched.push(pid) });
  return { name, busyBefore, noise: noise(), rows: report.rows };
}

/** Runs `work(index)` so many times, one after the other, and says how far it is. */
async function repeat(label, times, work) {
  const results = [];
  for (let index = 0; index < times; index++) {
    results.push(await work(index));
    if (process.stderr.isTTY) say(`\r  ${label} ${index + 1}/${times}`);
    else if (index + 1 === times) say(`  ${label} ${times}/${times}`);
  }
  say('\n');
  return results;
}

function print(results, footer) {
  for (const { name, busyBefore, noise, rows } of results) {
    console.log(
      `\n${name}: others took ${percent(noise)} of the machine meanwhile, it was ${percent(busyBefore)} busy before`,
    );
    printTable(rows);
  }
  const judged = results.flatMap(({ rows }) => rows).filter(({ ok }) => ok !== undefined);
  console.log(`\n${judged.filter(({ ok }) => ok).length} of ${judged.length} targets met; ${footer}`);
}

function percent(share) {
  return `${show(100 * share)} %`;
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
