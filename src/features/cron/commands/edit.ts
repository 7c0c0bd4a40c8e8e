/** `cron add|edit|rm|enable|disable|run`: adds, changes and starts jobs. */
import { visibleLine } from '../../../core/visible-text.ts';
import type { CronRunResult, WireCronJob } from '../answers.ts';
import type { Call } from '../../../cli/command.ts';
import { jobIdOf } from './job-id.ts';
import { jobPatch, newJob } from './written-job.ts';
import { readingAt } from './reading.ts';
import { plannedText, shortened, shortId } from './text.ts';
import type { GatewayLink } from '../../../cli/gateway-link.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';

export async function cronAdd(call: Call): Promise<void> {
  const job = newJob(call.flags);
  const link = await call.gateway();
  await printJob(call, 'Planned', { link, job: await link.request<WireCronJob>('cron.add', job) });
}

export async function cronEdit(call: Call): Promise<void> {
  await change(call, 'Changed', jobPatch(call.flags));
}

export const cronEnable = (call: Call): Promise<void> => change(call, 'Enabled', { enabled: true });
export const cronDisable = (call: Call): Promise<void> => change(call, 'Disabled', { enabled: false });

async function change(call: Call, done: string, patch: Readonly<Record<string, unknown>>): Promise<void> {
  const link = await call.gateway();
  await printJob(call, done, {
    link,
    job: await link.request<WireCronJob>('cron.update', { id: await jobIdOf(link, call.args[0]!), patch }),
  });
}

/** What was understood, so that a mistake is seen at once. */
async function printJob(
  { io, flags }: Call,
  done: string,
  { link, job }: { readonly link: GatewayLink; readonly job: WireCronJob },
): Promise<void> {
  if (flags.has('json')) return io.out(JSON.stringify(job, null, 2));
  const title = `${done}: ${shortened(job.name)} (${shortId(job.id)})`;
  const here = await readingAt(link);
  io.out(job.enabled ? `${title}, ${plannedText(job, here)}` : `${title}, ${visibleLine(job.when)}; disabled.`);
  if (job.enabled && here.off)
    io.err('warning: The scheduler is off (cron.enabled), so the job will not run on its own.');
  if (job.problem !== undefined) io.err(`warning: ${visibleLine(job.problem)}`);
}

export async function cronRemove(call: Call): Promise<number> {
  const link = await call.gateway();
  const id = await jobIdOf(link, call.args[0]!);
  const answer = await link.request<{ removed: boolean }>('cron.remove', { id });
  call.io.out(
    call.flags.has('json')
      ? JSON.stringify(answer, null, 2)
      : answer.removed
        ? `Deleted job ${shortId(id)}.`
        : `Job ${shortId(id)} was already deleted.`,
  );
  return answer.removed ? 0 : 1;
}

const WHY = {
  'not-due': 'not due; use --force to run it anyway',
  disabled: 'disabled; use --force to run it anyway',
  'already-running': 'already running',
} as const;

/** 1 when it was not started. */
export async function cronRun(call: Call): Promise<number> {
  const { io, flags } = call;
  const link = await call.gateway();
  const id = await jobIdOf(link, call.args[0]!);
  const answer = await link.request<CronRunResult>('cron.run', { id, mode: flags.has('force') ? 'force' : 'due' });
  if (flags.has('json')) io.out(JSON.stringify(answer, null, 2));
  else if (answer.ran)
    io.out(`Started job ${shortId(id)}. Run \`${OWN_COMMAND} cron runs --id ${shortId(id)}\` for the result.`);
  else io.err(`Job ${shortId(id)} was not started: ${WHY[answer.reason ?? 'not-due']}.`);
  return answer.ran ? 0 : 1;
}
