/** `approvals watch`: shows each command that waits as it comes, and asks at the prompt when somebody sits there. */
import { createInterface } from 'node:readline';
import type { ApprovalDecision } from '../../core/approval.ts';
import { asAppError } from '../../core/errors.ts';
import type { ExecApprovalResolvedEvent, WireApproval } from '../../protocol/approvals.ts';
import { approvalText, resolvedText } from '../approval-text.ts';
import type { Call, CliIo } from '../command.ts';
import type { GatewayLink } from '../gateway-link.ts';

/** Resolves with 1 when the gateway went away. */
export async function approvalsWatch(call: Call): Promise<number> {
  const { flags, io } = call;
  const link = await call.gateway();
  const json = flags.has('json');
  const interactive = !json && (io.stdin as { isTTY?: boolean }).isTTY === true;
  const quit = new AbortController();
  const keyboard = interactive ? createKeyboard(io, quit) : undefined;
  const stopListening = io.onInterrupt(() => quit.abort());
  const waiting = createWaiting(quit.signal);
  const show = (event: string, payload: unknown, words: string): void => io.out(json ? JSON.stringify({ event, payload }) : words);
  const lost = { gateway: false };
  const stopEvents = link.onEvent((event, payload) => {
    if (event === 'exec.approval.requested') waiting.add(payload as WireApproval);
    if (event === 'exec.approval.resolved' && waiting.settle((payload as ExecApprovalResolvedEvent).id)) show(event, payload, `\n${resolvedText(payload as ExecApprovalResolvedEvent)}`);
    if (event !== 'disconnected') return;
    lost.gateway = true;
    quit.abort();
  });
  try {
    for (const approval of await link.request<readonly WireApproval[]>('exec.approval.list', {})) waiting.add(approval);
    if (!json) io.out(`Watching ${link.url} for commands that need approval; Ctrl-C ends.`);
    for (let next = await waiting.next(); next; next = await waiting.next()) {
      show('exec.approval.requested', next.approval, `\n${approvalText(next.approval)}`);
      if (keyboard) await answer({ ...next, link, io, keyboard });
    }
  } finally {
    keyboard?.close();
    stopEvents();
    stopListening();
  }
  if (lost.gateway) io.err('The gateway went away.');
  return lost.gateway ? 1 : 0;
}

interface Waiting { readonly approval: WireApproval; /** Ends when somebody answered, here or elsewhere, or the watch is over. */ readonly settled: AbortSignal }

/** Approvals in the order they came, each handed out once; one that was settled before its turn is not. */
function createWaiting(quit: AbortSignal) {
  const known = new Map<string, AbortController>();
  const line: Waiting[] = [];
  let news = Promise.withResolvers<void>();
  quit.addEventListener('abort', () => news.resolve(), { once: true });
  return {
    add(approval: WireApproval): void {
      if (known.has(approval.id)) return;
      const settled = new AbortController();
      known.set(approval.id, settled);
      line.push({ approval, settled: AbortSignal.any([settled.signal, quit]) });
      news.resolve();
    },
    /** False when it was never heard of. */
    settle(id: string): boolean {
      known.get(id)?.abort();
      return known.has(id);
    },
    /** Undefined: the watch is over. */
    async next(): Promise<Waiting | undefined> {
      for (;;) {
        if (quit.aborted) return undefined;
        const first = line.shift();
        if (first && !first.settled.aborted) return first;
        if (first) continue;
        await news.promise;
        news = Promise.withResolvers();
        if (quit.aborted) news.resolve();
      }
    },
  };
}

const ANSWERS: ReadonlyMap<string, ApprovalDecision | 'later'> = new Map([
  ['o', 'allow-once'], ['once', 'allow-once'], ['allow-once', 'allow-once'], ['a', 'allow-always'], ['always', 'allow-always'], ['allow-always', 'allow-always'], ['d', 'deny'], ['deny', 'deny'], ['l', 'later'], ['later', 'later'],
]);

interface Asking extends Waiting { readonly link: GatewayLink; readonly io: CliIo; readonly keyboard: Keyboard }

/** Asks until there is an answer the gateway takes; nothing but a whole word or its letter is one. */
async function answer({ approval, settled, link, io, keyboard }: Asking): Promise<void> {
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

interface Keyboard {
  /** Undefined: it is not asked any more. */
  question(words: string, settled: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** Open all the time, so that what is typed while nothing is asked is gone and answers nothing that comes later. */
function createKeyboard(io: CliIo, quit: AbortController): Keyboard {
  const lines = createInterface({ input: io.stdin, output: io.stdout, terminal: true, historySize: 0 });
  const asked: { take?: ((line: string | undefined) => void) | undefined } = {};
  const take = (line: string | undefined): void => {
    const taker = asked.take;
    asked.take = undefined;
    taker?.(line);
  };
  /** Half a line from before the question is no answer to it either: to its end, then all before. */
  const wipe = (): void => ['e', 'u'].forEach((name) => lines.write(null, { ctrl: true, name }));
  lines.on('line', take);
  lines.on('SIGINT', () => quit.abort());
  lines.on('close', () => quit.abort());
  quit.signal.addEventListener('abort', () => take(undefined), { once: true });
  return {
    close: () => lines.close(),
    question: (words, settled) => new Promise((resolve) => {
      const stop = (): void => take(undefined);
      asked.take = (line) => {
        settled.removeEventListener('abort', stop);
        resolve(line);
      };
      settled.addEventListener('abort', stop, { once: true });
      lines.setPrompt(words);
      if (lines.line !== '') wipe();
      lines.prompt();
    }),
  };
}
