/** The rows of `clawdbot cron …`. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json, number, text } from '../../cli/options.ts';
import { present } from '../../core/present.ts';

const end = { ...json, ...client };
const job = { name: 'id', help: 'Job id, a unique prefix of it, or the job name.' };

const when = {
  at: text('<time>', 'Run once: "tomorrow 9:00", 20m (from now), or an ISO date.'),
  every: text('<span>', 'Run repeatedly: 20m, "2 hours", "weekday at 7".'),
  cron: text('<expr>', 'Cron expression with five or six fields, or words.'),
  tz: text(
    '<zone>',
    'Time zone, e.g. Europe/Berlin. Default: your zone for words, the zone of the gateway for cron fields.',
  ),
};
const what = {
  message: text('<text>', 'Task for the agent; the agent answers.'),
  'system-event': text('<text>', 'System event for the main session.'),
  model: text('<provider/model>', 'Model for these turns.'),
  thinking: text('<level>', 'Thinking level: off, minimal, low, medium, high, xhigh.'),
  'timeout-seconds': number('<n>', 'Timeout of a turn in seconds.'),
};
const where = {
  agent: text('<id>', 'Agent id. Default: the default agent.'),
  session: text(
    '<place>',
    'Session: main, isolated or a session key. Default: isolated for --message, main for --system-event.',
  ),
  wake: text('<mode>', 'When the main session reads the event: now or next-heartbeat. Default: next-heartbeat.'),
  deliver: flag('Send the answer to a chat.'),
  'no-deliver': flag('Keep the answer in its session.'),
  channel: text('<id>', 'Channel of the answer. Default: last, the channel of the newest message to the agent.'),
  to: text('<target>', 'Target chat of the answer, in the format of the channel.'),
  account: text('<id>', 'Account of the channel.'),
  thread: text('<id>', 'Thread or topic in the chat.'),
  'best-effort-deliver': flag('Do not count an undelivered answer as a failure.'),
  'post-prefix': text('<text>', 'Prefix of the report to the main session. Default: Cron.'),
  'post-mode': text('<mode>', 'Report to the main session: summary or full. Default: summary.'),
  'post-max-chars': number('<n>', 'Maximum length of the report in characters. Default: 8000.'),
  missed: text('<policy>', 'Runs missed while the gateway was down: skip, once (run the newest) or all.'),
};
const named = {
  name: text('<text>', 'Name. Default: the beginning of the text.'),
  description: text('<text>', 'Description.'),
  'delete-after-run': flag('Delete the job after a successful run; for --at.'),
};

/** The channels of this installation as the choices of `--channel`; for help, since the gateway knows best. */
const choices: Command['more'] = async (env) => {
  const { channel } = await (await import('../../cli/channel-registry.ts')).channelOptions(env);
  return {
    channel: {
      ...where.channel,
      ...present({
        value: channel?.value !== undefined ? channel.value.replace(/^<?/, (open) => `${open}last|`) : undefined,
      }),
    },
  };
};

const loadOverview = async () => import('./commands/overview.ts');
const edit = async () => import('./commands/edit.ts');

export const heading = 'Time';

export const commands: readonly Command[] = [
  {
    name: 'cron status',
    summary: 'Show whether the scheduler runs, how many jobs there are and when the next one is due.',
    options: end,
    load: async () => (await loadOverview()).cronStatus,
  },
  {
    name: 'cron list',
    aliases: ['cron'],
    summary: 'List jobs, the next due first.',
    options: {
      all: flag('Include disabled and completed jobs.'),
      agent: text('<id>', 'Only this agent.'),
      limit: number('<n>', 'Maximum number of jobs. Default: 200.'),
      ...end,
    },
    load: async () => (await loadOverview()).cronList,
  },
  {
    name: 'cron show',
    summary: 'Show a job, its next runs and its last result.',
    args: [job],
    options: end,
    load: async () => (await loadOverview()).cronShow,
  },
  {
    name: 'cron add',
    summary: 'Add a job: one of --at, --every, --cron and one of --message, --system-event.',
    examples: [
      'cron add --every "weekday at 7" --message "Say what is planned today"',
      'cron add --at "tomorrow 9:00" --message "Call the dentist" --deliver --channel telegram --to 12345678',
    ],
    options: { ...when, ...what, ...named, disabled: flag('Add the job disabled.'), ...where, ...end },
    more: choices,
    load: async () => (await edit()).cronAdd,
  },
  {
    name: 'cron edit',
    summary: 'Change a job; options you leave out stay as they are.',
    args: [job],
    options: {
      ...when,
      ...what,
      ...named,
      'keep-after-run': flag('Keep the job after it has run.'),
      enable: flag('Enable the job.'),
      disable: flag('Disable the job.'),
      'clear-agent': flag('Use the default agent.'),
      ...where,
      ...end,
    },
    more: choices,
    load: async () => (await edit()).cronEdit,
  },
  {
    name: 'cron rm',
    aliases: ['cron remove'],
    summary: 'Delete a job; its run history is kept.',
    args: [job],
    options: end,
    load: async () => (await edit()).cronRemove,
  },
  {
    name: 'cron enable',
    summary: 'Enable a job.',
    args: [job],
    options: end,
    load: async () => (await edit()).cronEnable,
  },
  {
    name: 'cron disable',
    summary: 'Disable a job.',
    args: [job],
    options: end,
    load: async () => (await edit()).cronDisable,
  },
  {
    name: 'cron run',
    summary: 'Run a job that is due; --force runs any job.',
    args: [job],
    options: { force: flag('Run it even if it is not due or is disabled.'), ...end },
    load: async () => (await edit()).cronRun,
  },
  {
    name: 'cron runs',
    summary: 'List the newest runs and their results, oldest first.',
    options: {
      id: text('<id>', 'Only this job: its id, a unique prefix of it, or its name.'),
      limit: number('<n>', 'Maximum number of entries. Default: 50.'),
      ...end,
    },
    load: async () => (await loadOverview()).cronRuns,
  },
  {
    name: 'cron next',
    summary: 'Explain a schedule and list its next runs; does not add a job.',
    examples: ['cron next "every last friday of the month at 17:00"'],
    args: [{ name: 'schedule', help: '"every weekday at 7", "in 20 minutes", "0 9 15 * 1" …' }],
    options: {
      tz: text('<zone>', 'Time zone. Default: your zone, as the gateway knows it.'),
      count: number('<n>', 'Number of runs. Default: 5.'),
      ...end,
    },
    load: async () => (await loadOverview()).cronNext,
  },
  {
    name: 'cron calendar',
    summary: 'List the coming runs by day.',
    options: {
      days: number('<n>', 'Number of days. Default: 7.'),
      limit: number('<n>', 'Maximum number of runs. Default and maximum: 2000.'),
      ...end,
    },
    load: async () => (await loadOverview()).cronCalendar,
  },
];
