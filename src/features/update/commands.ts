/**
 * `update`: newer code for the running gateway, or with `--check` only whether there is some; exit code 1 when it went
 * wrong.
 */
import { AppError } from '../../core/errors.ts';
import type { Call } from '../../cli/command.ts';
import { columns } from '../../cli/columns.ts';
import { present } from '../../core/present.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { settlesWithin } from '../../platform/timeout.ts';

interface Code {
  readonly version: string;
  readonly sha?: string;
}
interface Report {
  readonly ok: boolean;
  readonly result: {
    readonly status: 'ok' | 'error' | 'skipped';
    readonly reason?: string;
    readonly advice?: string;
    readonly before?: Code;
    readonly after?: Code;
    readonly steps: readonly {
      readonly name: string;
      readonly durationMs: number;
      readonly log: { readonly exitCode: number | null; readonly stderrTail: string; readonly stdoutTail: string };
    }[];
  };
  readonly restart: { readonly delayMs: number } | null;
}
interface Status {
  readonly mode: string;
  readonly root: string;
  readonly current: Code;
  readonly updateAvailable: {
    readonly latestVersion: string;
    readonly upstreamSha?: string;
    readonly commitsBehind?: number;
  } | null;
  readonly reason?: string;
  readonly advice?: string;
  readonly running?: { readonly step: string };
}

/** As long as an update may take, and a little. */
const TIMEOUT_MS = 21 * 60_000;
const POLL_MS = 1000;
const TROUBLE_LINES = 20;

export async function update(call: Call): Promise<number> {
  return call.flags.has('check') ? check(call) : run(call);
}

async function check({ flags, io, gateway }: Call): Promise<number> {
  const link = await gateway();
  const status = await link.request<Status>('update.status', { refreshCheckout: true }, { timeoutMs: 90_000 });
  if (flags.has('json')) io.out(JSON.stringify(status, null, 2));
  else io.out(columns(rowsOf(status)));
  // Up to date is no trouble.
  return status.updateAvailable !== null || status.reason === 'up-to-date' || status.running !== undefined ? 0 : 1;
}

function rowsOf({
  mode,
  root,
  current,
  updateAvailable: newer,
  advice,
  running,
}: Status): readonly (readonly string[])[] {
  return [
    ['installed', `${nameOf(current)} (${mode}, ${root})`],
    ...(running ? [['running', `an update: ${running.step}`]] : []),
    ...(newer
      ? [
          [
            'available',
            `${nameOf(present({ version: newer.latestVersion, sha: newer.upstreamSha || undefined }))}${newer.commitsBehind === undefined ? '' : `, ${newer.commitsBehind} commits`}: ${OWN_COMMAND} update`,
          ],
        ]
      : advice
        ? [['available', advice]]
        : []),
  ];
}

async function run({ flags, io, gateway }: Call): Promise<number> {
  const link = await gateway();
  const json = flags.has('json');
  const going = link.request<Report>('update.run', {}, { timeoutMs: TIMEOUT_MS });
  let output = '';
  // The answer comes at the end; until then the gateway is asked how far it is.
  while (!(await settlesWithin(going, POLL_MS))) {
    const step = (await stepOf(link.request<Status>('update.status', {}))) ?? output;
    if (step !== output && !json) io.out(`… ${step}`);
    output = step;
  }
  const { ok, result, restart } = await going;
  if (json) io.out(JSON.stringify({ ok, result, restart }, null, 2));
  else for (const line of linesOf(result, restart)) (ok ? io.out : io.err)(line);
  return ok ? 0 : 1;
}

/** Not to know for a second how far it is, is no reason to give up. */
async function stepOf(status: Promise<Status>): Promise<string | undefined> {
  try {
    return (await status).running?.step;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function linesOf(
  { status, reason, advice, before, after, steps }: Report['result'],
  restart: Report['restart'],
): readonly string[] {
  if (status === 'ok')
    return [
      `Updated from ${nameOf(before)} to ${nameOf(after)}.`,
      ...(restart ? [`The gateway restarts in ${Math.max(1, Math.round(restart.delayMs / 1000))} s.`] : []),
    ];
  const broken =
    status === 'error' ? steps.findLast(({ name, log }) => log.exitCode !== 0 && !name.startsWith('back')) : undefined;
  const written = broken
    ? [
        `${broken.name}:`,
        ...`${broken.log.stdoutTail}\n${broken.log.stderrTail}`
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(-TROUBLE_LINES)
          .map((line) => `  ${line}`),
      ]
    : [];
  return [
    ...written,
    `${status === 'error' ? 'Not updated' : 'Nothing to do'} (${reason ?? 'no reason given'}). ${advice ?? ''}`.trimEnd(),
  ];
}

const nameOf = (code: Code | undefined): string =>
  code ? `${code.version}${code.sha ? ` (${code.sha.slice(0, 10)})` : ''}` : 'unknown';
