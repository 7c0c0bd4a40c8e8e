/** The concierge's phrases about commands: run one, look after those in the background. */
import type { Phrase } from './phrase.ts';
import { inert, quote } from './quoting.ts';
import type { SeenResult, View } from './view.ts';

const bash = { tool: 'bash', describe: describeCommand, describeFailure: describeFailedCommand };
const process = { tool: 'process', describe: describeProcess, describeFailure: describeFailedProcess };

export const commandPhrases: readonly Phrase[] = [
  {
    ...bash,
    usage: 'run <command>',
    does: 'runs a shell command',
    pattern: /^run\s+(\S[\s\S]*)$/i,
    input: ([, command = '']) => ({ command: withoutTicks(command) }),
  },
  {
    ...bash,
    usage: 'background <command>',
    does: 'starts one in the background',
    pattern: /^background\s+(\S[\s\S]*)$/i,
    input: ([, command = '']) => ({ command: withoutTicks(command), background: true }),
  },
  {
    ...process,
    usage: 'poll [<session>]',
    does: 'tells what is new from it',
    pattern: /^poll(?:\s+`?([\w-]+)`?)?[.!?]?$/i,
    input([, named], view) {
      const sessionId = named ?? lastSession(view);
      return sessionId
        ? { action: 'poll', sessionId }
        : 'Nothing was started in the background in this conversation. `processes` lists what else is running.';
    },
  },
  {
    ...process,
    usage: 'processes',
    does: 'lists the commands in the background',
    pattern: /^processes[.!?]?$/i,
    input: () => ({ action: 'list' }),
  },
  {
    ...process,
    usage: 'log <session>',
    does: 'shows the end of all it wrote',
    pattern: /^log\s+`?([\w-]+)`?[.!?]?$/i,
    input: ([, sessionId]) => ({ action: 'log', sessionId }),
  },
  {
    ...process,
    usage: 'kill <session>',
    does: 'ends it',
    pattern: /^kill\s+`?([\w-]+)`?[.!?]?$/i,
    input: ([, sessionId]) => ({ action: 'kill', sessionId }),
  },
];

const withoutTicks = (text: string): string => text.trim().replace(/^`([^`]+)`$/, '$1');

/** How `bash` says that a command goes on; always its last words, so output cannot pass for it. */
const STILL_RUNNING = /Command still running \(session ([\w-]{1,64})[^\n]*$/;
const NO_OUTPUT = '(no output)';
const NOTHING_NEW = '(no new output)';

function lastSession({ earlierResults }: View): string | undefined {
  const started = earlierResults.findLast(
    ({ tool, failed, text }) => tool === 'bash' && !failed && STILL_RUNNING.test(text),
  );
  return started && STILL_RUNNING.exec(started.text)?.[1];
}

function describeCommand({ text }: SeenResult): string {
  const session = STILL_RUNNING.exec(text)?.[1];
  if (session)
    return (
      `It is running in the background as \`${session}\`. Say \`poll\` for its news, \`kill ${session}\` to ` +
      'end it.'
    );
  return text === NO_OUTPUT ? 'Done; it wrote nothing.' : `Done:\n\n${quote(text)}`;
}

/** What a model is told of a denial tells it what to do next; a person only wants to know. */
const DENIALS = [
  ['user-denied', 'the answer was no.'],
  ['approval-timeout', 'nobody answered in time.'],
] as const;

/** What it wrote, a blank line, and how it ended; anything else is why it was not run. */
function describeFailedCommand({ text }: SeenResult): string {
  const [, written, how] = /^([\s\S]*\n)((?:exited with|aborted|timed out|ended without)[^\n]*)$/.exec(text) ?? [];
  const denied = DENIALS.find(([said]) => text.startsWith('Exec denied') && text.includes(said));
  if (denied) return `It was not run: ${denied[1]}`;
  if (text.startsWith('The gateway was restarted'))
    return 'The gateway was restarted meanwhile. Whether it ran is not known.';
  if (written === undefined || how === undefined) return `It was not run. ${inert(text)}`;
  return written.trim() === NO_OUTPUT
    ? `It failed and wrote nothing: ${inert(how)}.`
    : `It failed: ${inert(how)}.\n\n${quote(written.trimEnd())}`;
}

function describeProcess({ input, text }: SeenResult): string {
  if (input['action'] === 'poll') return describeNews(text);
  if (input['action'] === 'kill' || text.startsWith('No running')) return inert(text);
  return quote(text);
}

function describeFailedProcess({ input, text }: SeenResult): string {
  return input['action'] === 'poll' && /\n\nProcess [^\n]*$/.test(text)
    ? describeNews(text)
    : `That did not work: ${inert(text)}`;
}

/** New output, a blank line, and how the process stands. */
function describeNews(text: string): string {
  const at = text.lastIndexOf('\n\n');
  const [news, state] = [text.slice(0, Math.max(0, at)), inert(text.slice(at + 1).trim())];
  return news === NOTHING_NEW || news === '' ? `Nothing new. ${state}` : `${quote(news)}\n\n${state}`;
}
