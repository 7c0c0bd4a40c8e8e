/**
 * `chat`: a conversation in the terminal. Esc and Ctrl-C stop the answer; a second Ctrl-C, or one without a running
 * answer, exits.
 */
import { createInterface, type Interface } from 'node:readline';
import { asAppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { KeptFile } from '../../core/shown.ts';
import { uuid } from '../../platform/ids.ts';
import { keyboardOf, type Keyboard } from '../approval-prompt.ts';
import { watchApprovals, type WatchedApprovals } from '../watch-approvals.ts';
import { CHAT_HELP, runChatCommand, type ChatPlace } from '../chat-commands.ts';
import type { Call, CliIo } from '../command.ts';
import { sessionOf, speak, type AnswerPart } from '../conversation.ts';
import { fetchFile } from '../fetch-file.ts';
import { printFiles, printSent } from '../answer-files.ts';
import type { GatewayLink } from '../gateway-link.ts';
import { canDraw, drawn, pictureProtocol } from '../terminal-pictures.ts';
import { terminalLine, terminalText } from '../terminal-text.ts';
import { toolLine } from '../tool-line.ts';

/** Pictures beyond this are named, not drawn. */
const LARGEST_PICTURE = 8 * 1024 * 1024;

export async function chat(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const place: ChatPlace = { link, io, session: sessionOf(flags), listed: [] };
  const interactive = (io.stdin as { isTTY?: boolean }).isTTY === true;
  const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: interactive, prompt: '\n> ' });
  const quit = new AbortController();
  quit.signal.addEventListener('abort', () => lines.close(), { once: true });
  const keyboard = keyboardOf(lines);
  const said = linesBeside(lines, keyboard);
  const approvals = watchApprovals({
    link,
    io,
    ...present({ keyboard: interactive ? async () => keyboard : undefined }),
  });
  const turns = createTurns({ approvals, link, io, place, thinking: flags.text('thinking'), quit });
  const stopListening = listenTo(io, lines, turns);
  const prompt = (): void => {
    if (interactive && !quit.signal.aborted) lines.prompt();
  };
  greet(io, { link, place, interactive });
  try {
    prompt();
    for await (const line of said) {
      if (quit.signal.aborted || ['/quit', '/exit'].includes(line.trim())) break;
      if (line.trim() !== '' && !(await ranHere(line, place))) await turns.say(line);
      prompt();
    }
  } finally {
    lines.close();
    await approvals.close();
    stopListening();
    // The shell's prompt begins on a line of its own.
    if (interactive) io.out('');
  }
}

function greet(
  io: CliIo,
  { link, place, interactive }: { link: GatewayLink; place: ChatPlace; interactive: boolean },
): void {
  if (interactive)
    io.out(
      `Connected to ${link.url}, session ${place.session}. Press Esc or Ctrl-C to stop an answer, Ctrl-C again to ` +
        `exit.\n${CHAT_HELP}`,
    );
  else
    io.err(
      'Standard input is not a terminal: each line is one message, answers go to standard output. Approvals are ' +
        'answered in the Control UI or with `approvals approve`.',
    );
}

/** Whoever mistypes a command is told, and the conversation goes on. */
async function ranHere(line: string, place: ChatPlace): Promise<boolean> {
  try {
    return await runChatCommand(line, place);
  } catch (error) {
    place.io.err(terminalText(asAppError(error).message));
    return true;
  }
}

/** Ctrl-C from the terminal and from outside, and Esc. */
function listenTo(io: CliIo, lines: Interface, { interrupt, stop }: ReturnType<typeof createTurns>): () => void {
  const pressed = (_text: unknown, key?: { readonly name?: string }): void => {
    if (key?.name === 'escape') stop();
  };
  const stopListening = io.onInterrupt(interrupt);
  lines.on('SIGINT', interrupt);
  io.stdin.on('keypress', pressed);
  return () => {
    stopListening();
    io.stdin.off('keypress', pressed);
  };
}

/** What is typed, but for answers to a question; listening begins at once. */
function linesBeside(lines: Interface, keyboard: Keyboard): ReadableStream<string> {
  let stop = (): void => {};
  return new ReadableStream<string>({
    start(said) {
      const end = (): void => said.close();
      lines.on('line', (line) => void (keyboard.offer(line) || said.enqueue(line)));
      lines.on('close', end);
      stop = () => void lines.off('close', end);
    },
    cancel: () => stop(),
  });
}

interface TurnsOptions {
  readonly approvals: WatchedApprovals;
  readonly link: GatewayLink;
  readonly io: CliIo;
  readonly place: ChatPlace;
  readonly thinking: string | undefined;
  readonly quit: AbortController;
}

/** One turn after the other: what is being said now, and what an interrupt does to it. */
function createTurns({ approvals, link, io, place, thinking, quit }: TurnsOptions) {
  const now: { runId?: string; stopping: boolean } = { stopping: false };
  const screen = createScreen(io, link);
  /** False: there is nothing to stop. */
  const stop = (): boolean => {
    if (now.runId === undefined || now.stopping) return false;
    now.stopping = true;
    link
      .request('chat.abort', { sessionKey: place.session, runId: now.runId })
      .catch((error: Error) => io.err(terminalText(error.message)));
    return true;
  };
  return {
    stop,
    interrupt() {
      if (!stop()) quit.abort();
    },
    async say(message: string): Promise<void> {
      now.runId = uuid();
      now.stopping = false;
      const params = present({ sessionKey: place.session, message, thinking, idempotencyKey: now.runId });
      for await (const part of speak(link, 'chat.send', params, quit.signal)) {
        if (part.kind === 'accepted') approvals.follow(part.sessionKey);
        else await screen(part);
      }
      delete now.runId;
    },
  };
}

/** What follows the words of a turn that did not simply end. */
const ENDINGS = { final: '', aborted: ' [stopped]', error: '\n[failed] ' } as const;

/** Shows the parts of an answer in their order; no outside text reaches the terminal as it is. */
function createScreen(
  io: CliIo,
  link: GatewayLink,
): (part: Exclude<AnswerPart, { kind: 'accepted' }>) => Promise<void> {
  const protocol = pictureProtocol(io);
  /** Something stands on the line already. */
  const line = { open: false };
  const fresh = (): void => {
    if (line.open) io.stdout.write('\n');
    line.open = false;
  };
  const showFiles = async (files: readonly KeptFile[], sessionKey: string): Promise<void> => {
    for (const file of files)
      if (protocol && canDraw(protocol, file.mime) && file.size <= LARGEST_PICTURE) {
        io.stdout.write(drawn(protocol, await fetchFile(link, sessionKey, file.id, LARGEST_PICTURE)));
        io.out(terminalLine(file.name));
      } else printFiles(io, [file], sessionKey);
  };
  return async (part) => {
    if (part.kind === 'text') {
      const words = terminalText(part.delta);
      io.stdout.write(words);
      line.open = !words.endsWith('\n') && (words !== '' || line.open);
    } else if (part.kind === 'progress') io.err(`… ${terminalLine(part.text)}`);
    else if (part.kind === 'tool') {
      fresh();
      io.err(`  ${toolLine(part.news)}`);
    } else {
      line.open = false;
      io.out(`${ENDINGS[part.state]}${terminalText(part.error ?? '')}`);
      // Where the answer was left out, a tool had said the words that were streamed.
      if (part.text !== '') printSent(io, part.files);
      else for (const { files } of part.files.sentBefore) await showFiles(files, part.files.sessionKey);
      await showFiles(part.files.files, part.files.sessionKey);
    }
  };
}
