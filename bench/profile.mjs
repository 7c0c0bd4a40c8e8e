/**
 * Where the CPU time of the built gateway goes, from V8's sampling profiler.
 *   node bench/profile.mjs startup           spawn to ready
 *   node bench/profile.mjs first             the first turn, three seconds after ready
 *   node bench/profile.mjs turns [count]     warm turns over HTTP, 1000 of them
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { httpTurn } from './http-calls.mjs';
import { ROOT, startGateway, startMock } from './processes.mjs';
import { configure, scratch } from './state-directories.mjs';

const [what = 'turns', count = '1000'] = process.argv.slice(2);
const TURNS_A_SESSION = 50;
const TOP = 25;
const REST_MS = 3000;

const short = (url) => url.replace(`file://${ROOT}`, '').replace(/.*node_modules\//, '');
const place = ({ functionName, url, lineNumber }) => `${functionName || '(anonymous)'} ${short(url)}:${lineNumber + 1}`;

const profiled = await record();
print(samples(profiled.profile, profiled.fromMs, profiled.toMs ?? Infinity), what === 'turns' ? Number(count) : 1);

/** The whole run of a gateway, and when the part of interest begins and ends. */
async function record() {
  using space = scratch();
  await using mock = await startMock();
  const dir = configure(space.make('profile'), mock.port);
  const times = await live(dir);
  const name = readdirSync(dir).find((file) => file.endsWith('.cpuprofile'));
  return { ...times, profile: JSON.parse(readFileSync(join(dir, name), 'utf8')) };
}

/** The clock of the profiler, ms: that of the machine, whoever asks. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}

async function live(dir) {
  await using gateway = await startGateway(dir, ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', dir]);
  if (what === 'startup') return { fromMs: 0, toMs: now() };
  if (what === 'first') {
    await sleep(REST_MS);
    const fromMs = now();
    await httpTurn(gateway.port, 'first');
    return { fromMs, toMs: now() };
  }
  for (let turn = 0; turn < 300; turn++) await httpTurn(gateway.port, 'warm');
  const fromMs = now();
  for (let turn = 0; turn < Number(count); turn++)
    await httpTurn(gateway.port, `profile-${Math.floor(turn / TURNS_A_SESSION)}`);
  return { fromMs };
}

/** Node id → ms spent in it between two moments. */
function samples(profile, fromMs, toMs) {
  const self = new Map();
  let at = profile.startTime / 1000;
  profile.samples.forEach((id, index) => {
    const ms = profile.timeDeltas[index] / 1000;
    at += ms;
    if (at >= fromMs && at <= toMs) self.set(id, (self.get(id) ?? 0) + ms);
  });
  return { self, nodes: new Map(profile.nodes.map((node) => [node.id, node])) };
}

function print({ self, nodes }, times) {
  const parents = new Map(
    [...nodes.values()].flatMap((node) => (node.children ?? []).map((child) => [child, node.id])),
  );
  const [kinds, own, total] = [new Map(), new Map(), new Map()];
  const add = (sums, key, ms) => sums.set(key, (sums.get(key) ?? 0) + ms);
  for (const [id, ms] of self) {
    const { callFrame } = nodes.get(id);
    if (callFrame.functionName === '(idle)') continue;
    add(kinds, home(callFrame), ms);
    add(own, place(callFrame), ms);
    const stack = new Set();
    for (let node = id; node !== undefined; node = parents.get(node)) stack.add(place(nodes.get(node).callFrame));
    for (const frame of stack) add(total, frame, ms);
  }
  for (const [title, sums] of [
    ['by owner (self)', kinds],
    ['by function (self)', own],
    ['by function (with what it calls)', total],
  ]) {
    console.log(`\n${title}, ms${times === 1 ? '' : ' a turn'}`);
    for (const [key, ms] of [...sums].sort((a, b) => b[1] - a[1]).slice(0, TOP))
      console.log(`${(ms / times).toFixed(3).padStart(9)}  ${key}`);
  }
}

/** The npm package, the folder of ours, or the part of Node a frame belongs to. */
function home({ url, functionName }) {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? short(url).split('/').slice(0, 2).join('/');
}
