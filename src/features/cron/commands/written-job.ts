/** Builds a job, or a change of one, from the options of `cron add` and `cron edit`. Pure. */
import { AppError } from '../../../core/errors.ts';
import type { Flags } from '../../../cli/command.ts';
import { present } from '../../../core/present.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Throws `invalid` when a time or a text is missing, or there are two. */
export function newJob(flags: Flags): Fields {
  const schedule = scheduleOf(flags);
  const said = payloadOf(flags);
  if (!schedule)
    throw new AppError(
      'invalid',
      'Schedule missing: add --at "tomorrow 9:00", --every "20 minutes" or --cron "0 7 * * 1-5".',
    );
  if (!said || !('message' in said || 'text' in said))
    throw new AppError(
      'invalid',
      'Task missing: add --message (the agent runs it and answers) or --system-event (a note for the main session).',
    );
  fitting(flags.text('session'), said['kind']);
  return {
    ...common(flags),
    schedule,
    payload: said,
    ...present({ enabled: flags.has('disabled') ? false : undefined }),
  };
}

/** Throws `invalid` when nothing is to be changed, or something twice. */
export function jobPatch(flags: Flags): Fields {
  const schedule = scheduleOf(flags);
  const payload = payloadOf(flags);
  opposed(flags, 'enable', 'disable');
  opposed(flags, 'delete-after-run', 'keep-after-run');
  opposed(flags, 'agent', 'clear-agent');
  const patch = {
    ...common(flags),
    ...present({ schedule, payload, enabled: flags.has('enable') ? true : undefined }),
    ...present({
      enabled: flags.has('disable') ? false : undefined,
      deleteAfterRun: flags.has('keep-after-run') ? false : undefined,
      agentId: flags.has('clear-agent') ? null : undefined,
    }),
  };
  if (Object.keys(patch).length === 0)
    throw new AppError('invalid', `Nothing to change. Run \`${OWN_COMMAND} cron edit --help\` for the options.`);
  return patch;
}

const common = (flags: Flags): Fields => {
  const session = flags.text('session');
  const isolation = filled({
    postToMainPrefix: flags.text('post-prefix'),
    postToMainMode: flags.text('post-mode'),
    postToMainMaxChars: flags.number('post-max-chars'),
  });
  return {
    ...filled({
      name: flags.text('name'),
      description: flags.text('description'),
      agentId: flags.text('agent'),
      wakeMode: flags.text('wake'),
    }),
    ...present({
      sessionTarget: session !== undefined ? targetOf(session) : undefined,
      deleteAfterRun: flags.has('delete-after-run') ? true : undefined,
      isolation: Object.keys(isolation).length > 0 ? isolation : undefined,
      missed: flags.has('missed') ? { policy: flags.text('missed') } : undefined,
    }),
  };
};

/** The main session is told; every other place works and answers. */
function fitting(session: string | undefined, kind: unknown): void {
  if (session === undefined) return;
  const isMain = session.trim().toLowerCase() === 'main';
  if (isMain && kind === 'agentTurn')
    throw new AppError(
      'invalid',
      '--session main requires --system-event. With --message, leave out --session, ' +
        'or use isolated or a session key (agent:main:main).',
    );
  if (!isMain && kind === 'systemEvent')
    throw new AppError('invalid', '--system-event is sent to the main session; leave out --session, or use --message.');
}

/** `main`, `isolated`, or the key of a session. */
function targetOf(written: string): string {
  const word = written.trim().toLowerCase();
  if (word === 'main' || word === 'isolated') return word;
  if (word === 'current')
    throw new AppError('invalid', '--session: a terminal has no current session; use main, isolated or a session key.');
  return word.startsWith('session:') ? word : `session:${word}`;
}

/** Each takes words too; a zone is for all of them. */
function scheduleOf(flags: Flags): Fields | undefined {
  const chosen = oneOf(flags, 'at', 'every', 'cron');
  const zone = filled({ tz: flags.text('tz') });
  if (chosen) return { kind: chosen.name, [chosen.name === 'cron' ? 'expr' : chosen.name]: chosen.value, ...zone };
  if ('tz' in zone) throw new AppError('invalid', '--tz requires --at, --every or --cron.');
  return undefined;
}

const TURN_ONLY = [
  'model',
  'thinking',
  'timeout-seconds',
  'deliver',
  'no-deliver',
  'channel',
  'to',
  'account',
  'thread',
  'best-effort-deliver',
];

function payloadOf(flags: Flags): Fields | undefined {
  const said = oneOf(flags, 'message', 'system-event');
  const settings = turnSettings(flags);
  if (said?.name === 'system-event') {
    const stray = TURN_ONLY.find((name) => flags.has(name));
    if (stray)
      throw new AppError(
        'invalid',
        `--${stray} requires --message: a --system-event is sent to the main session, which answers where ` +
          'it always does.',
      );
    return { kind: 'systemEvent', text: said.value };
  }
  if (said) return { kind: 'agentTurn', message: said.value, ...settings };
  return Object.keys(settings).length > 0 ? { kind: 'agentTurn', ...settings } : undefined;
}

function turnSettings(flags: Flags): Fields {
  opposed(flags, 'deliver', 'no-deliver');
  return {
    ...filled({
      model: flags.text('model'),
      thinking: flags.text('thinking'),
      timeoutSeconds: flags.number('timeout-seconds'),
      channel: flags.text('channel'),
      to: flags.text('to'),
      accountId: flags.text('account'),
      threadId: flags.text('thread'),
    }),
    ...present({ deliver: flags.has('deliver') ? true : undefined }),
    ...present({
      deliver: flags.has('no-deliver') ? false : undefined,
      bestEffortDeliver: flags.has('best-effort-deliver') ? true : undefined,
    }),
  };
}

function oneOf(
  flags: Flags,
  ...names: readonly string[]
): { readonly name: string; readonly value: string } | undefined {
  const there = names.filter((name) => flags.has(name));
  if (there.length > 1)
    throw new AppError('invalid', `${there.map((name) => `--${name}`).join(' and ')} exclude each other; use one.`);
  const [name] = there;
  return name === undefined ? undefined : { name, value: flags.text(name)! };
}

function opposed(flags: Flags, ...names: readonly [string, string]): void {
  if (names.every((name) => flags.has(name)))
    throw new AppError('invalid', `--${names[0]} and --${names[1]} exclude each other; use one.`);
}

const filled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
