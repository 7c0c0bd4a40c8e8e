/** The run time of CLI commands, as a ratio to an empty Node process started at the same time. */
import { TOKEN } from '../http-calls.mjs';
import { environment, ROOT, startGateway, timeProgram } from '../processes.mjs';
import { configure } from '../state-directories.mjs';

const COMMANDS = [['--version', { atMost: 1.6 }], ['--help', { atMost: 1.4 }], ['status', { atMost: 2.2 }], ['health']];

export async function cli({ plan, report, space, mock, repeat }) {
  const dir = configure(space.make('cli'), mock.port);
  await using gateway = await startGateway(dir);
  const runs = await repeat('command lines', plan.commands, () =>
    timeCommands(
      dir,
      gateway.port,
      COMMANDS.map(([name]) => name),
    ),
  );
  report.add(
    'an empty Node process',
    'ms',
    runs.map((run) => run.empty),
  );
  for (const [name, target] of COMMANDS) {
    report.add(
      `clawdbot ${name}`,
      'ms',
      runs.map((run) => run[name]),
    );
    report.add(
      '  ÷ an empty Node process',
      '×',
      runs.map((run) => run[name] / run.empty),
      target,
    );
  }
}

/** `{ empty, <command>: ms }` */
export async function timeCommands(dir, port, names) {
  const env = { ...environment(dir), CLAWDBOT_GATEWAY_PORT: String(port), CLAWDBOT_GATEWAY_TOKEN: TOKEN };
  const times = { empty: await timeProgram(['--eval', ''], env) };
  for (const name of names) times[name] = await timeProgram([`${ROOT}bin/clawdbot.mjs`, name], env);
  return times;
}
