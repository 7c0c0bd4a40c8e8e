/**
 * Shows pending approvals of a conversation while a CLI command waits for the agent, and asks for an answer in a
 * terminal.
 */
import { AppError } from '../core/errors.ts';
import { pause } from '../platform/pause.ts';
import type { ExecApprovalResolvedEvent, WireApproval } from '../protocol/answers/approvals.ts';
import { answer, openKeyboard, type Keyboard, type OpenKeyboard } from './approval-prompt.ts';
import { approvalText, elsewhereText, resolvedText } from './approval-text.ts';
import type { CliIo } from './command.ts';
import type { GatewayLink } from './gateway-link.ts';
import { createWaiting } from './waiting-approvals.ts';

export interface WatchedApprovals {
  /** The canonical key of the conversation, once it is known; what waits in it already is shown too. */
  follow(sessionKey: string): void;
  /** Asks nothing any more. */
  close(): Promise<void>;
}

interface AttendOptions {
  readonly link: GatewayLink;
  readonly io: CliIo;
  /** Undefined: nobody can be asked here. */
  readonly keyboard?: () => Promise<Keyboard>;
}

/**
 * Everything goes to standard error: standard output is the answer's. A connection that may not decide hears of
 * nothing.
 */
export function watchApprovals({ link, io, keyboard }: AttendOptions): WatchedApprovals {
  const over = new AbortController();
  const waiting = createWaiting(over.signal);
  const here: { sessionKey?: string } = {};
  const onEvent = (approval: WireApproval): void => {
    if (approval.request.sessionKey === here.sessionKey) waiting.add(approval);
  };
  const stopEvents = link.onEvent((event, payload) => {
    if (event === 'exec.approval.requested') onEvent(payload as WireApproval);
    if (event === 'exec.approval.resolved' && waiting.settle((payload as ExecApprovalResolvedEvent).id))
      io.err(`\n${resolvedText(payload as ExecApprovalResolvedEvent)}`);
    if (event === 'disconnected') over.abort();
  });
  const showing = (async () => {
    for (let next = await waiting.next(); next; next = await waiting.next()) {
      io.err(`\n${approvalText(next.approval)}`);
      if (keyboard) await answer({ ...next, link, io, keyboard: await keyboard() });
      else io.err(elsewhereText(next.approval));
    }
  })();
  return {
    follow(sessionKey) {
      if (here.sessionKey === sessionKey) return;
      here.sessionKey = sessionKey;
      link.request<readonly WireApproval[]>('exec.approval.list', {}).then(
        (list) => list.forEach(onEvent),
        (error: unknown) => {
          if (!over.signal.aborted && !cannotAsk(error)) io.err(String(error));
        },
      );
    },
    async close() {
      over.abort();
      stopEvents();
      await showing;
    },
  };
}

/** Who may not decide hears of nothing, and a gateway whose commands wait for nobody has no such method. */
const cannotAsk = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'denied' || error.details?.['code'] === 'UNKNOWN_METHOD');

/** Milliseconds after opening in which a line is one typed ahead, for the shell or for nobody. */
const DEAF_MS = 500;

/** Takes hold of the terminal when first asked for it and not before: a command in the background must not touch it. */
export function keyboardOnDemand(io: CliIo, interrupted: () => void): { open(): Promise<Keyboard>; close(): void } {
  const held: { keyboard?: OpenKeyboard } = {};
  return {
    async open() {
      if (held.keyboard) return held.keyboard;
      held.keyboard = openKeyboard(io, { interrupted });
      await pause(DEAF_MS);
      return held.keyboard;
    },
    close: () => held.keyboard?.close(),
  };
}

/** Somebody sits there and sees what is asked. */
export const isAttended = ({ stdin, stdout }: CliIo): boolean =>
  (stdin as { isTTY?: boolean }).isTTY === true && (stdout as { isTTY?: boolean }).isTTY === true;
