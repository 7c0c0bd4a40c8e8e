/**
 * What a command costs above starting the same shell, what its output costs the event loop, and what fifty of them cost
 * in memory.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { httpTurn } from '../../../bench/http-calls.mjs';
import { rssMiB } from '../../../bench/machine.mjs';
import { ROOT, startGateway } from '../../../bench/processes.mjs';
import { configure } from '../../../bench/state-directories.mjs';
import { medianOf, timed } from '../../../bench/statistics.mjs';

const MANY = 50;
const OUTPUT_BYTES = 10_000_000;
const FREE = { exec: { security: 'full', ask: 'off' } };

export async function measure({ plan, report, space, mock, repeat, watch }) {
  const dir = configure(space.make('exec'), mock.port, { tools: FREE });
  await using gateway = await startGateway(dir);
  watch(gateway);
  const turn = (name, text) => timed(() => httpTurn(gateway.port, name, text));
  await turn('warm', 'bash {"command":"true"}');
  for (let nth = 0; nth < plan.links; nth++) await turn(`warm-${nth}`, 'bash {"command":"true"}');
  const rounds = await repeat('rounds of commands', plan.rounds, async (round) => ({
    plain: await medianOf(plan.links, (nth) => turn(`plain-${round}-${nth}`, 'ping')),
    bash: await medianOf(plan.links, (nth) => turn(`bash-${round}-${nth}`, 'bash {"command":"true"}')),
    spawn: await medianOf(plan.links, async () =>
      timed(() => execFileSync(process.env.SHELL ?? '/bin/sh', ['-c', 'true'])),
    ),
  }));
  report.add(
    'a turn with `bash true`',
    'ms',
    rounds.map(({ bash }) => bash),
  );
  report.add(
    '  over the same turn without it, less the start of the shell',
    'ms',
    rounds.map(({ bash, plain, spawn }) => bash - plain - spawn),
    { atMost: 12 },
  );
  report.add(
    '  over the same turn without it ÷ the start of the shell',
    '×',
    rounds.map(({ bash, plain, spawn }) => (bash - plain) / spawn),
    { atMost: 5 },
  );

  const allowed = configure(space.make('judged'), mock.port);
  await using careful = await startGateway(allowed);
  watch(careful);
  const evaluated = (name) => timed(() => httpTurn(careful.port, name, 'bash {"command":"true"}'));
  for (let nth = 0; nth < plan.links; nth++) await evaluated(`warm-${nth}`);
  const proven = await repeat('rounds of proven commands', plan.rounds, (round) =>
    medianOf(plan.links, (nth) => evaluated(`proven-${round}-${nth}`)),
  );
  report.add('the same with the command parsed and proven first', 'ms', proven);

  await manyProcesses({ report, gateway });
  await largeOutput({ plan, report, repeat, space });
}

/** Every process that runs for a command, and what the gateway grew by. */
async function manyProcesses({ report, gateway }) {
  // As many turns in as many conversations without a process at the end of them: their memory is not what is asked
  // about.
  for (let nth = 0; nth < MANY; nth++) await httpTurn(gateway.port, `ended-${nth}`, 'bash {"command":"true"}');
  const before = rssMiB(gateway.pid);
  for (let nth = 0; nth < MANY; nth++)
    await httpTurn(gateway.port, `many-${nth}`, 'bash {"command":"sleep 600","background":true}');
  const growth = rssMiB(gateway.pid) - before;
  // What was asked for, its shell included, would run without us too.
  const helpers = descendants(gateway.pid).filter(({ program }) => !/^(?:\S*sh -c )?sleep 600 $/.test(program));
  report.add(
    `${MANY} commands in the background: memory of the gateway and every helper`,
    'MiB',
    [growth + helpers.reduce((sum, { pss }) => sum + pss, 0)],
    { atMost: 20 },
  );
  report.add('  of that the gateway', 'MiB', [growth]);
  report.add('  helper processes', '', [helpers.length]);
  for (const { pid } of descendants(gateway.pid)) endProcess(pid);
}

async function largeOutput({ plan, report, repeat, space }) {
  const { createProcesses } = await import(`${ROOT}src/features/exec/processes/create-processes.ts`);
  const { systemClock } = await import(`${ROOT}src/platform/clock.ts`);
  const { silentLog } = await import(`${ROOT}src/core/log.ts`);
  const dir = space.make('spools');
  const registry = createProcesses({
    dir,
    clock: systemClock,
    log: silentLog,
    cleanupMs: () => 60_000,
    ownerExists: () => true,
    onExit: async () => {},
  });
  const owner = {
    agentId: 'main',
    sessionKey: 'agent:main:main',
    replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'bench' } },
    turnId: 'turn',
    callId: 'call',
  };
  const spec = {
    owner,
    command: 'output',
    env: { PATH: process.env.PATH },
    cwd: dir,
    host: 'gateway',
    pty: false,
    timeoutMs: 60_000,
    spoolMaxBytes: 64 * 1024 * 1024,
  };
  const stillness = async (script) => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const started = await registry.start({ ...spec, argv: ['/bin/sh', '-c', script] });
    started.onOutput(() => undefined);
    await started.ended;
    await started.read({ headChars: 8000, tailChars: 22_000 });
    await started.discard();
    delay.disable();
    return delay.max / 1e6;
  };
  const much = `yes 'a line of some output' | head -c ${OUTPUT_BYTES}`;
  for (const script of ['true', much, much]) await stillness(script); // new code is compiled once per process
  const runs = await repeat('commands with 10 MB of output', plan.commands, async () => ({
    nothing: await stillness('sleep 0.1'),
    much: await stillness(much),
  }));
  await registry.suspend();
  report.add(
    'a command without output: longest the event loop stood still',
    'ms',
    runs.map(({ nothing }) => nothing),
  );
  report.add(
    '10 MB of output: longest the event loop stood still',
    'ms',
    runs.map((run) => run.much),
    { atMost: 10 },
  );
}

/** `{ pid, program, pss }` of everything below a process or carrying our mark, MiB. */
function descendants(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const marked = readFileSync(`/proc/${name}/environ`, 'utf8').includes('CLAWDBOT_PROCESS=');
        const pss = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
        return [
          {
            pid: Number(name),
            parent: Number(fields[1]),
            marked,
            program: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' '),
            pss,
          },
        ];
      } catch (error) {
        if (['ENOENT', 'ESRCH', 'EACCES'].includes(error.code)) return []; // it ended meanwhile, or is somebody else's
        throw error;
      }
    });
  const below = new Set([root]);
  for (let grown = true; grown; ) {
    const next = all.filter(({ pid, parent }) => below.has(parent) && !below.has(pid));
    for (const { pid } of next) below.add(pid);
    grown = next.length > 0;
  }
  return all.filter(({ pid, marked }) => pid !== root && (below.has(pid) || marked));
}

function endProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
