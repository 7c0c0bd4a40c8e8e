/** Asks on the keyboard whether to approve a command. */
import { createInterface, type Interface } from 'node:readline';
import type { ApprovalDecision } from '../core/approval.ts';
import { asAppError } from '../core/errors.ts';
import type { CliIo } from './command.ts';
import type { GatewayLink } from './gateway-link.ts';
import type { Waiting } from './waiting-approvals.ts';

const ANSWERS: ReadonlyMap<string, ApprovalDecision | 'later'> = new Map([
  ['o', 'allow-once'],
  ['once', 'allow-once'],
  ['allow-once', 'allow-once'],
  ['a', 'allow-always'],
  ['always', 'allow-always'],
  ['allow-always', 'allow-always'],
  ['d', 'deny'],
  ['deny', 'deny'],
  ['l', 'later'],
  ['later', 'later'],
]);

interface Asking extends Waiting {
  readonly link: GatewayLink;
  readonly io: CliIo;
  readonly keyboard: Keyboard;
}

/** Asks until there is an answer the gateway takes; nothing but a whole word or its letter is one. */
export async function answer({ approval, settled, link, io, keyboard }: Asking): Promise<void> {
  const choices = approval.request.rememberable ? '[o]nce, [a]lways, [d]eny or [l]ater' : '[o]nce, [d]eny or [l]ater';
  while (!settled.aborted) {
    const said = await keyboard.question(`${choices}? `, settled);
    if (said === undefined) return;
    const decision = ANSWERS.get(said.trim().toLowerCase());
    if (decision === 'later') return;
    if (decision === undefined) continue;
    try {
      await link.request('exec.approval.resolve', { id: approval.id, decision });
      return;
    } catch (error) {
      io.err(asAppError(error).message);
    }
  }
}

export interface Keyboard {
  /** Undefined: it is not asked any more. */
  question(words: string, settled: AbortSignal): Promise<string | undefined>;
  /** False when nothing is asked: the line answers nothing. */
  offer(line: string): boolean;
}

/** Questions on lines somebody else reads too: hand each one to `offer` first. Closing the lines ends a question. */
export function keyboardOf(lines: Interface): Keyboard {
  const prompt: { take?: ((line: string | undefined) => void) | undefined } = {};
  const take = (line: string | undefined): boolean => {
    const taker = prompt.take;
    prompt.take = undefined;
    taker?.(line);
    return taker !== undefined;
  };
  /** Half a line from before the question is no answer to it either: to its end, then all before. */
  const wipe = (): void => ['e', 'u'].forEach((name) => lines.write(null, { ctrl: true, name }));
  const closed = new AbortController();
  lines.on('close', () => {
    closed.abort();
    take(undefined);
  });
  return {
    offer: take,
    question: (words, settled) =>
      new Promise((resolve) => {
        if (closed.signal.aborted) return resolve(undefined);
        const before = lines.getPrompt();
        const stop = (): void => void take(undefined);
        prompt.take = (line) => {
          settled.removeEventListener('abort', stop);
          if (!closed.signal.aborted) lines.setPrompt(before);
          resolve(line);
        };
        settled.addEventListener('abort', stop, { once: true });
        lines.setPrompt(words);
        if (lines.line !== '') wipe();
        lines.prompt();
      }),
  };
}

export interface OpenKeyboard extends Keyboard {
  close(): void;
}

/**
 * Lines that are read for questions alone: what is typed while nothing is asked is gone and answers nothing that comes
 * later.
 */
export function openKeyboard(
  io: CliIo,
  { interrupted, closed }: { interrupted(): void; closed?(): void },
): OpenKeyboard {
  const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: true, historySize: 0 });
  const keyboard = keyboardOf(lines);
  lines.on('line', keyboard.offer);
  lines.on('SIGINT', interrupted);
  if (closed) lines.on('close', closed);
  return { ...keyboard, close: () => lines.close() };
}
