/**
 * The concierge's phrases about what it does later: reminders, things done again and again, and which of them there
 * are.
 */
import type { Phrase } from './phrase.ts';
import { briefly, inert, quote } from './quoting.ts';
import { splitTime, type Timed } from './time-words.ts';
import { asFields, fieldsOf, listOf, numbersOf, wordOf, type Fields } from './read-json.ts';
import type { SeenResult } from './view.ts';

const cron = { tool: 'cron', describe: describeCron } as const;
const EXAMPLES =
  '`remind me in 20 minutes to stretch`, `remind me to call mum tomorrow at 9` or `every weekday at 7: good morning`';

export const schedulePhrases: readonly Phrase[] = [
  {
    ...cron,
    byPerson: true,
    usage: 'remind me <when> to <what>',
    does: 'reminds you here; also `remind me to <what> <when>`',
    pattern: /^(?:please\s+)?remind\s+(?:me|us)\b[\s,:]*([\s\S]*)$/i,
    input([, said = '']) {
      const timed = splitTime(said);
      return timed
        ? jobFor(timed, `Reminder: ${timed.what}`)
        : `I did not find out when, or what of. Say it like ${EXAMPLES}.`;
    },
  },
  {
    ...cron,
    byPerson: true,
    usage: 'every <time>: <what>',
    does: 'does it again and again: a phrase of this list, or words to say',
    pattern: /^(?:every|each|daily|hourly|weekly|monthly)\b[\s\S]*$/i,
    input([said = '']) {
      const timed = splitTime(said);
      return timed && said.toLowerCase().startsWith(timed.when.toLowerCase())
        ? jobFor(timed, timed.what)
        : `I did not find out when, or what to do. Say it like ${EXAMPLES}.`;
    },
  },
  {
    ...cron,
    usage: 'jobs',
    does: 'lists reminders and whatever else is scheduled',
    pattern: /^(?:(?:list|my|cron)\s+)?(?:jobs|reminders)[.!?]?$/i,
    input: () => ({ action: 'list', includeDisabled: true }),
  },
  {
    ...cron,
    usage: 'forget job <id or name>',
    does: 'removes one',
    pattern: /^(?:forget|remove|delete|cancel)\s+(?:the\s+)?(?:job|reminder)\s+(\S[^\n]*?)[.!]?$/i,
    input: () => ({ action: 'list', includeDisabled: true }),
    then([, said = ''], { text }) {
      const named = said.trim().replace(/^(["'`])(.*)\1$/, '$2');
      const listed = fieldsOf(text);
      if (!listed) return { action: 'remove', jobId: named };
      const found = meant(named, listOf(listed['jobs']));
      if (found.length === 1) return { action: 'remove', jobId: wordOf(found[0]!['id']) };
      return found.length === 0
        ? `There is no job "${briefly(named)}". \`jobs\` lists them.`
        : `Several jobs are called that. Say which by its id:\n\n${found.map(jobLine).join('\n')}`;
    },
  },
];

const jobFor = ({ when }: Timed, message: string) => ({
  action: 'add',
  job: {
    schedule: `${when[0]!.toLowerCase()}${when.slice(1)}`,
    sessionTarget: 'current',
    wakeMode: 'now',
    payload: { kind: 'agentTurn', message },
  },
});

/** By its whole id, the beginning of one, its name; a part of the name when nothing else fits. */
function meant(named: string, jobs: readonly Fields[]): readonly Fields[] {
  const wanted = named.toLowerCase();
  const matchers: readonly ((id: string, name: string) => boolean)[] = [
    (id) => id === wanted,
    (_, name) => name === wanted,
    (id) => wanted.length >= 4 && id.startsWith(wanted),
    (_, name) => wanted.length >= 3 && name.includes(wanted),
  ];
  for (const fits of matchers) {
    const found = jobs.filter((job) => fits(wordOf(job['id']).toLowerCase(), wordOf(job['name']).toLowerCase()));
    if (found.length > 0) return found;
  }
  return [];
}

function describeCron({ input, text }: SeenResult): string {
  const answer = fieldsOf(text);
  switch (input['action']) {
    case 'add':
      return answer ? describeAdded(asFields(answer['job']) ?? answer) : quote(text);
    case 'list':
      return answer ? describeJobs(listOf(answer['jobs'])) : quote(text);
    case 'remove':
      return answer?.['removed'] === false ? 'It was gone already.' : 'Done; it is forgotten.';
    default:
      return quote(text);
  }
}

function describeAdded(job: Fields): string {
  const [when, id] = [wordOf(job['when']), wordOf(job['id'])];
  const next = numbersOf(job['nextRunsAtMs']);
  const zone = zoneOf(job);
  const coming =
    next.length > 1 || when === ''
      ? `\nNext${zoneIn(when) === zone ? '' : ` (${zone})`}: ${next.map((at) => instant(at, zone)).join(', ')}.`
      : '';
  return (
    'Noted: ' +
    `${inert(when) || 'it is scheduled'}.${next.length === 0 ? '\nIt will not run as it is.' : coming}${id === '' ? '' : `\n\`forget job ${id.slice(0, 8)}\` takes it back.`}`
  );
}

const MAX_JOBS = 30;

function describeJobs(jobs: readonly Fields[]): string {
  if (jobs.length === 0) return `Nothing is scheduled. Say ${EXAMPLES}.`;
  const more = jobs.length - MAX_JOBS;
  return [...jobs.slice(0, MAX_JOBS).map(jobLine), ...(more > 0 ? [`… and ${more} more.`] : [])].join('\n');
}

function jobLine(job: Fields): string {
  const when = wordOf(job['when']);
  const next = wordOf(job['next']);
  const isOnce = when.startsWith('once, ');
  const state =
    job['enabled'] === false
      ? isOnce && job['last'] !== undefined
        ? 'done'
        : 'off'
      : next === ''
        ? 'not coming'
        : isOnce
          ? ''
          : `next ${inert(without(next, zoneIn(when)))}`;
  const problem = wordOf(job['problem']);
  return (
    `- \`${briefly(wordOf(job['id']).slice(0, 8))}\` ${briefly(wordOf(job['name'])) || 'no name'}: ` +
    `${[briefly(when), state, ...(problem ? [briefly(problem)] : [])].filter(Boolean).join('; ')}`
  );
}

/** What was named already is not named again. */
const without = (instant: string, zone: string | undefined): string =>
  zone !== undefined && instant.endsWith(` ${zone}`) ? instant.slice(0, -zone.length - 1) : instant;

/** The zone the scheduler names behind its words, e.g. `every day at 07:00 (Europe/Berlin)`. */
const zoneIn = (when: string): string | undefined => /\(([A-Za-z]+(?:[/_+-]+[A-Za-z0-9]+)*)\)\s*$/.exec(when)?.[1];

/**
 * That, or the person's: `every 2 hours` names none, its instants in words (`Wed, 25 Nov 2026, 07:00 Europe/Berlin`)
 * do.
 */
function zoneOf(job: Fields): string {
  const [first] = Array.isArray(job['nextRuns']) ? (job['nextRuns'] as readonly unknown[]) : [job['next']];
  const zone = zoneIn(wordOf(job['when'])) ?? / ([A-Za-z][\w/+-]*)$/.exec(wordOf(first))?.[1] ?? 'UTC';
  return isZone(zone) ? zone : 'UTC';
}

/** What stands in the brackets need not be one. */
function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function instant(atMs: number, zone: string): string {
  if (Math.abs(atMs) > 8.64e15) return 'never';
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...parts }).format(atMs).replace(/ at |, (?=\d{2}:)/g, ' ');
}
