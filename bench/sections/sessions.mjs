/**
 * Everything once more with 10 000 sessions in the store, in turns with an empty store, so that noise hits both alike.
 */
import { httpRound, parallelRound, restAndTurn, socketRound, startOnly } from '../measurements.mjs';
import { startGateway } from '../processes.mjs';
import { configure, fillSessions } from '../state-directories.mjs';
import { median, show } from '../statistics.mjs';
import { timeCommands } from './cli.mjs';
import { warmUp } from './turns.mjs';

const COUNT = 10_000;
const GROWTH = { atMost: 1.2 };

export async function sessions({ plan, report, space, mock, repeat, watch }) {
  const empty = configure(space.make('empty'), mock.port);
  const full = fillSessions(configure(space.make('full'), mock.port), COUNT);
  const both = async (measure) => ({ empty: await measure(empty), full: await measure(full) });
  await both(startOnly);

  const starts = await repeat('starts, empty and full', plan.starts, () => both(startOnly));
  grown(report, 'start to ready', 'ms', starts, (ms) => ms);
  const runs = await repeat('rests, empty and full', plan.rests, () => both((dir) => restAndTurn(dir, plan.idleMs)));
  report.add(
    `idle memory (RSS) with ${COUNT} sessions`,
    'MiB',
    runs.map((instance) => instance.full.idleMiB),
    { atMost: 140 },
  );
  report.add(
    '  after a first turn has loaded them',
    'MiB',
    runs.map((instance) => instance.full.usedMiB),
    { atMost: 140 },
  );
  grown(report, 'the first turn of a run', 'ms', runs, (instance) => instance.firstTurnMs, {});

  await using few = await startGateway(empty);
  await using many = await startGateway(full);
  const gateways = new Map([
    [empty, few],
    [full, many],
  ]);
  for (const gateway of gateways.values()) {
    watch(gateway);
    await warmUp(gateway, plan);
  }
  const rounds = await repeat('rounds of turns, empty and full', plan.rounds, (round) =>
    both((dir) => takeTurns(gateways.get(dir), round, plan)),
  );
  grown(report, 'HTTP turn, p50', 'ms', rounds, (run) => run.http.p50);
  grown(report, 'WebSocket turn, p50', 'ms', rounds, (run) => run.socket.p50);
  grown(report, 'CPU, one turn after the other', 'ms/turn', rounds, (run) => (run.http.cpu + run.socket.cpu) / 2);
  grown(report, 'time a turn takes, 16 sessions at once', 'ms', rounds, (run) => 1000 / run.parallel.perSecond);
  grown(report, 'CPU, 16 sessions at once', 'ms/turn', rounds, (run) => run.parallel.cpu);

  const commands = await repeat('command lines, empty and full', plan.commands, () =>
    both((dir) => timeCommands(dir, gateways.get(dir).port, ['status', 'health'])),
  );
  for (const name of ['status', 'health']) grown(report, `clawdbot ${name}`, 'ms', commands, (run) => run[name]);
}

async function takeTurns(gateway, round, { turns, perWorker }) {
  return {
    http: await httpRound(gateway, `http-${round}`, turns),
    socket: await socketRound(gateway, `socket-${round}`, turns),
    parallel: await parallelRound(gateway, `parallel-${round}`, 16, perWorker),
  };
}

/** One row: the medians on both stores, and how many times longer the full one takes. */
function grown(report, what, unit, runs, pick, target = GROWTH) {
  const at = (side) => runs.map((run) => pick(run[side]));
  const [before, after] = [at('empty'), at('full')].map((values) => show(median(values)));
  report.add(
    `${what}: ${before} → ${after} ${unit}`,
    '×',
    runs.map((run) => pick(run.full) / pick(run.empty)),
    target,
  );
}
