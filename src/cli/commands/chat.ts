/**
 * `chat`: a conversation in the terminal. Ctrl-C stops the answer; a second Ctrl-C, or one without a running answer,
 * exits.
 */
import { createInterface, type Interface } from 'node:readline';
import { present } from '../../core/present.ts';
import { uuid } from '../../platform/ids.ts';
import { keyboardOf, type Keyboard } from '../approval-prompt.ts';
import { attendApprovals, type Attending } from '../attend-approvals.ts';
import type { Call, CliIo } from '../command.ts';
import { sessionOf, speak } from '../conversation.ts';
import { printFiles, printSent } from '../given-files.ts';
import type { GatewayLink } from '../gateway-link.ts';

export async function chat(call: Call): Promise<void> {
  const { flags, io } = call;
  const link = await call.gateway();
  const sessionKey = sessionOf(flags);
  const interactive = (io.stdin as { isTTY?: boolean }).isTTY === true;
  const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: interactive, prompt: '\n> ' });
  const quit = new AbortController();
  quit.signal.addEventListener('abort', () => lines.close(), { once: true });
  const keyboard = keyboardOf(lines);
  const said = linesBeside(lines, keyboard);
  const approvals = attendApprovals({
    link,
    io,
    ...present({ keyboard: interactive ? async () => keyboard : undefined }),
  });
  const turns = createTurns({ approvals, link, io, sessionKey, thinking: flags.text('thinking'), quit });
  const stopListening = io.onInterrupt(turns.interrupt);
  lines.on('SIGINT', turns.interrupt);
  const prompt = (): void => {
    if (interactive && !quit.signal.aborted) lines.prompt();
  };
  if (interactive)
    io.out(
      `Connected to ${link.url}, session ${sessionKey}. Press Ctrl-C to stop an answer, again to exit. Type ` +
        '/help for commands.',
    );
  try {
    prompt();
    for await (const line of said) {
      if (quit.signal.aborted || ['/quit', '/exit'].includes(line.trim())) break;
      if (line.trim() !== '') await turns.say(line);
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
  readonly approvals: Attending;
  readonly link: GatewayLink;
  readonly io: CliIo;
  readonly sessionKey: string;
  readonly thinking: string | undefined;
  readonly quit: AbortController;
}

/** One turn after the other: what is being said now, and what an interrupt does to it. */
function createTurns({ approvals, link, io, sessionKey, thinking, quit }: TurnsOptions) {
  const now: { runId?: string; stopping: boolean } = { stopping: false };
  return {
    interrupt() {
      if (now.runId === undefined || now.stopping) return quit.abort();
      now.stopping = true;
      link.request('chat.abort', { sessionKey, runId: now.runId }).catch((error: Error) => io.err(error.message));
    },
    async say(message: string): Promise<void> {
      now.runId = uuid();
      now.stopping = false;
      for await (const part of speak(
        link,
        'chat.send',
        present({ sessionKey, message, thinking, idempotencyKey: now.runId }),
        quit.signal,
      )) {
        if (part.kind === 'text') io.stdout.write(part.delta);
        else if (part.kind === 'accepted') approvals.follow(part.sessionKey);
        else if (part.kind === 'progress') io.err(`… ${part.text}`);
        else {
          io.out(`${ENDINGS[part.state]}${part.error ?? ''}`);
          // Where the answer was left out, a tool had said the words that were streamed.
          if (part.text !== '') printSent(io, part.given);
          else for (const { files } of part.given.sentBefore) printFiles(io, files, part.given.sessionKey);
          printFiles(io, part.given.files, part.given.sessionKey);
        }
      }
      delete now.runId;
    },
  };
}

/** What follows the words of a turn that did not simply end. */
const ENDINGS = { final: '', aborted: ' [stopped]', error: '\n[failed] ' } as const;
