/**
 * A turn against a model without delay, compared with the floor: the same request sent directly to the model, and one
 * synced append.
 */
import { askProbe, withProbe } from '../loop-probe-client.mjs';
import { rssMiB } from '../machine.mjs';
import {
  bareRound,
  floorRound,
  httpRound,
  parallelBareRound,
  parallelFloorRound,
  parallelRound,
  socketRound,
} from '../measurements.mjs';
import { startFloorServer, startGateway, startMock } from '../processes.mjs';
import { configure } from '../state-directories.mjs';

const AT_ONCE = [1, 4, 16];
/** As fast as a quick model gives its first word. */
const MODEL_MS = 100;

export async function turns({ plan, report, space, mock, repeat, watch }) {
  const dir = configure(space.make('turns'), mock.port);
  await using gateway = await startGateway(dir);
  watch(gateway);
  await warmUp(gateway, plan);
  await using bare = await startFloorServer(mock.port, dir);
  watch(bare);
  await parallelBareRound(bare, 4, plan.warmUp / 2);
  const rounds = await repeat('rounds of turns', plan.rounds, async (round) => ({
    http: await httpRound(gateway, `http-${round}`, plan.turns),
    socket: await socketRound(gateway, `socket-${round}`, plan.turns),
    // The gateway's newest request, its whole conversation included, is what the floor sends.
    mock: await floorRound(mock, plan.turns),
    floor: await floorRound(mock, plan.turns, dir),
    bare: await bareRound(bare, plan.turns),
  }));
  const each = (pick) => rounds.map(pick);
  report.add(
    'the mock model called directly, p50',
    'ms',
    each(({ mock }) => mock.p50),
  );
  report.add(
    'floor: the same and one synced append, p50',
    'ms',
    each(({ floor }) => floor.p50),
  );
  for (const [name, transport] of [
    ['HTTP', 'http'],
    ['WebSocket', 'socket'],
  ]) {
    report.add(
      `${name} turn, p50`,
      'ms',
      each((round) => round[transport].p50),
    );
    report.add(
      '  over the mock, p50',
      'ms',
      each((round) => round[transport].p50 - round.mock.p50),
      { atMost: 6 },
    );
    report.add(
      '  over the mock ÷ the floor over the mock',
      '×',
      each((round) => round[transport].p50 / round.floor.p50),
      { atMost: 2.5 },
    );
    report.add(
      '  over the mock, p95',
      'ms',
      each((round) => round[transport].p95 - round.mock.p50),
      { atMost: 15 },
    );
    report.add(
      '  CPU of the gateway',
      'ms/turn',
      each((round) => round[transport].cpu),
      { atMost: 6 },
    );
    report.add(
      '  CPU ÷ that of the bare server',
      '×',
      each((round) => round[transport].cpu / round.bare.cpu),
      { atMost: 3 },
    );
    report.add(
      '  written to files',
      'KiB/turn',
      each((round) => round[transport].written),
      { atMost: 24 },
    );
  }
  await throughput({ plan, report, repeat, gateway, bare });
  await longestStop({ plan, report, space, mock, repeat });
  await waiting({ plan, report, space, repeat });
  report.add('memory (RSS) at the end of all turns', 'MiB', [rssMiB(gateway.pid)]);
}

/** V8 needs some hundred turns to compile what is hot; a gateway is started once a month. */
export async function warmUp(gateway, plan) {
  await parallelRound(gateway, 'warm', 4, plan.warmUp / 4);
  await socketRound(gateway, 'warm-socket', plan.warmUp / 4);
}

async function throughput({ plan, report, repeat, gateway, bare }) {
  for (const k of AT_ONCE) {
    const each = Math.max(plan.perWorker, 48 / k);
    const rounds = await repeat(`rounds with ${k} at once`, plan.rounds, async (round) => ({
      ...(await parallelRound(gateway, `parallel-${k}-${round}`, k, each)),
      bare: await parallelBareRound(bare, k, each),
    }));
    report.add(
      `turns a second, ${k} session${k === 1 ? '' : 's'} at once`,
      '/s',
      rounds.map((round) => round.perSecond),
      k === 16 ? { atLeast: 150 } : {},
    );
    report.add(
      '  ÷ those of the bare server',
      '×',
      rounds.map((round) => round.perSecond / round.bare.perSecond),
      k === 16 ? { atLeast: 0.4 } : {},
    );
    if (k === 16)
      report.add(
        '  CPU of the gateway',
        'ms/turn',
        rounds.map((round) => round.cpu),
        { atMost: 6 },
      );
  }
}

/** How long the event loop of the gateway stands still while turns run, commits included. */
async function longestStop({ plan, report, space, mock, repeat }) {
  const dir = configure(space.make('loop'), mock.port);
  const probe = withProbe(dir);
  await using gateway = await startGateway(dir, probe.flags, probe.env);
  await warmUp(gateway, plan);
  await askProbe(gateway, probe);
  const rounds = await repeat('rounds with the event loop watched', plan.rounds, async (round) => {
    await httpRound(gateway, `loop-${round}`, plan.turns);
    return askProbe(gateway, probe);
  });
  report.add(
    'event loop late during turns, p99',
    'ms',
    rounds.map(({ p99 }) => p99),
    { atMost: 1 },
  );
  report.add(
    '  longest',
    'ms',
    rounds.map(({ max }) => max),
  );
}

/**
 * Turns wait for networks: with a model that takes its time, sixteen conversations are as fast as sixteen callers of
 * the model.
 */
async function waiting({ plan, report, space, repeat }) {
  await using mock = await startMock(MODEL_MS);
  await using gateway = await startGateway(configure(space.make('waiting'), mock.port));
  await parallelRound(gateway, 'warm', 16, 8);
  const rounds = await repeat(`rounds with a model of ${MODEL_MS} ms`, plan.rounds, async (round) => ({
    turns: await parallelRound(gateway, `waiting-${round}`, 16, plan.perWorker),
    floor: await parallelFloorRound(mock, 16, plan.perWorker),
  }));
  report.add(
    `turns a second, 16 sessions, a model of ${MODEL_MS} ms`,
    '/s',
    rounds.map(({ turns }) => turns.perSecond),
  );
  report.add(
    '  ÷ the model called directly by 16',
    '×',
    rounds.map(({ turns, floor }) => turns.perSecond / floor.perSecond),
    { atLeast: 0.6 },
  );
}
