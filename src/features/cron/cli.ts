/** The rows of `clawdbot cron …`: scheduled work. */
import type { Command } from '../../cli/command.ts';
import { client, flag, json, number, text } from '../../cli/options.ts';

const end = { ...json, ...client };
const job = { name: 'id', help: 'The job: its id, the beginning of it, or its name.' };

const when = {
  at: text('<time>', 'Once: "tomorrow 9:00", 20m from now, or an ISO date.'),
  every: text('<span>', 'Again and again: 20m, "2 hours", "weekday at 7".'),
  cron: text('<expr>', 'Five or six cron fields, or words.'),
  tz: text(
    '<zone>',
    'Zone of the time, e.g. Europe/Berlin. Default: for words yours, for cron fields the one of the gateway’s machine.',
  ),
};
const what = {
  message: text('<text>', 'What the agent is to do; it answers.'),
  'system-event': text('<text>', 'What the main session is told.'),
  model: text('<provider/model>', 'Model for these turns.'),
  thinking: text('<level>', 'How much it thinks: off, minimal, low, medium, high, xhigh.'),
  'timeout-seconds': number('<n>', 'Seconds a turn may take.'),
};
const where = {
  agent: text('<id>', 'Agent that does it; the default agent by default.'),
  session: text('<place>', 'main, isolated or a session key; isolated for a message, main for a system event.'),
  wake: text('<mode>', 'now or next-heartbeat (default): when the main session looks at it.'),
  deliver: flag('Send the answer to a chat.'),
  'no-deliver': flag('Keep the answer in its session.'),
  channel: text('<id>', 'Channel of the answer; last by default: where the agent was written to last.'),
  to: text('<target>', 'Chat of the answer, as the channel spells it.'),
  account: text('<id>', 'Account of the channel.'),
  thread: text('<id>', 'Thread or topic in the chat.'),
  'best-effort-deliver': flag('An answer that cannot be delivered is no failure.'),
  'post-prefix': text('<text>', 'What the main session is told begins with it; Cron by default.'),
  'post-mode': text('<mode>', 'The main session is told a summary (default) or all of it: full.'),
  'post-max-chars': number('<n>', 'At most so many characters of it; 8000 by default.'),
  missed: text('<policy>', 'Instants nobody was there for: skip, once (the newest) or all.'),
};
const named = {
  name: text('<text>', 'Name; by default the beginning of the text.'),
  description: text('<text>', 'A note for people.'),
  'delete-after-run': flag('Forget it once it went well; for --at.'),
};

/** The channels of this installation as the choices of `--channel`; for help, since the gateway knows best. */
const choices: Command['more'] = async (env) => {
  const { channel } = await (await import('../../cli/channel-registry.ts')).channelOptions(env);
  return {
    channel: {
      ...where.channel,
      ...(channel?.value === undefined ? {} : { value: channel.value.replace(/^<?/, (open) => `${open}last|`) }),
    },
  };
};

const look = async () => import('./commands/look.ts');
const edit = async () => import('./commands/edit.ts');

export const commands: readonly Command[] = [
  {
    name: 'cron status',
    summary: 'Does the scheduler run, how many jobs are there, when is the next one due?',
    options: end,
    load: async () => (await look()).cronStatus,
  },
  {
    name: 'cron list',
    aliases: ['cron'],
    summary: 'The jobs, the next one due first.',
    options: {
      all: flag('Also those that are switched off or done.'),
      agent: text('<id>', 'Only of this agent.'),
      limit: number('<n>', 'At most so many; 200 by default.'),
      ...end,
    },
    load: async () => (await look()).cronList,
  },
  {
    name: 'cron show',
    summary: 'One job with its next instants and its last outcome.',
    args: [job],
    options: end,
    load: async () => (await look()).cronShow,
  },
  {
    name: 'cron add',
    summary: 'Plan work: one of --at, --every, --cron and one of --message, --system-event.',
    examples: [
      'cron add --every "weekday at 7" --message "Say what is planned today"',
      'cron add --at "tomorrow 9:00" --message "Call the dentist" --deliver --channel telegram --to 12345678',
    ],
    options: { ...when, ...what, ...named, disabled: flag('Switched off for now.'), ...where, ...end },
    more: choices,
    load: async () => (await edit()).cronAdd,
  },
  {
    name: 'cron edit',
    summary: 'Change a job; what is not named stays.',
    args: [job],
    options: {
      ...when,
      ...what,
      ...named,
      'keep-after-run': flag('Keep it when it is done.'),
      enable: flag('Switch it on.'),
      disable: flag('Switch it off.'),
      'clear-agent': flag('Leave it to the default agent.'),
      ...where,
      ...end,
    },
    more: choices,
    load: async () => (await edit()).cronEdit,
  },
  {
    name: 'cron rm',
    aliases: ['cron remove'],
    summary: 'Forget a job; its history stays.',
    args: [job],
    options: end,
    load: async () => (await edit()).cronRemove,
  },
  {
    name: 'cron enable',
    summary: 'Switch a job on.',
    args: [job],
    options: end,
    load: async () => (await edit()).cronEnable,
  },
  {
    name: 'cron disable',
    summary: 'Switch a job off.',
    args: [job],
    options: end,
    load: async () => (await edit()).cronDisable,
  },
  {
    name: 'cron run',
    summary: 'Run a job that is due; with --force any job.',
    args: [job],
    options: { force: flag('Also when it is not due or switched off.'), ...end },
    load: async () => (await edit()).cronRun,
  },
  {
    name: 'cron runs',
    summary: 'How the newest runs went, oldest first.',
    options: {
      id: text('<id>', 'Only of this job: its id, the beginning of it, or its name.'),
      limit: number('<n>', 'At most so many; 50 by default.'),
      ...end,
    },
    load: async () => (await look()).cronRuns,
  },
  {
    name: 'cron next',
    summary: 'Say what a schedule means and when it would come; nothing is planned.',
    examples: ['cron next "every last friday of the month at 17:00"'],
    args: [{ name: 'schedule', help: '"every weekday at 7", "in 20 minutes", "0 9 15 * 1" …' }],
    options: {
      tz: text('<zone>', 'Zone of the time; by default yours, as the gateway knows it.'),
      count: number('<n>', 'Instants; 5 by default.'),
      ...end,
    },
    load: async () => (await look()).cronNext,
  },
  {
    name: 'cron calendar',
    summary: 'The coming runs by day.',
    options: {
      days: number('<n>', 'Days; 7 by default.'),
      limit: number('<n>', 'Runs; 2000 by default, and at most.'),
      ...end,
    },
    load: async () => (await look()).cronCalendar,
  },
];
