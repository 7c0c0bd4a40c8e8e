/** `approvals watch`: prints new approval requests, and asks for answers in a terminal. */
import type { ExecApprovalResolvedEvent, WireApproval } from '../../../protocol/answers/approvals.ts';
import { answer, openKeyboard } from '../../../cli/approval-prompt.ts';
import { approvalText, resolvedText } from '../../../cli/approval-text.ts';
import type { Call } from '../../../cli/command.ts';
import { createWaiting } from '../../../cli/waiting-approvals.ts';

/** Resolves with 1 when the gateway went away. */
export async function approvalsWatch(call: Call): Promise<number> {
  const { flags, io } = call;
  const link = await call.gateway();
  const json = flags.has('json');
  const interactive = !json && (io.stdin as { isTTY?: boolean }).isTTY === true;
  const quit = new AbortController();
  const keyboard = interactive
    ? openKeyboard(io, { interrupted: () => quit.abort(), closed: () => quit.abort() })
    : undefined;
  const stopListening = io.onInterrupt(() => quit.abort());
  const waiting = createWaiting(quit.signal);
  const show = (event: string, payload: unknown, words: string): void =>
    io.out(json ? JSON.stringify({ event, payload }) : words);
  const lost = { gateway: false };
  const stopEvents = link.onEvent((event, payload) => {
    if (event === 'exec.approval.requested') waiting.add(payload as WireApproval);
    if (event === 'exec.approval.resolved' && waiting.settle((payload as ExecApprovalResolvedEvent).id))
      show(event, payload, `\n${resolvedText(payload as ExecApprovalResolvedEvent)}`);
    if (event !== 'disconnected') return;
    lost.gateway = true;
    quit.abort();
  });
  try {
    for (const approval of await link.request<readonly WireApproval[]>('exec.approval.list', {})) waiting.add(approval);
    if (!json) io.out(`Watching ${link.url} for commands that need approval. Press Ctrl-C to stop.`);
    for (let next = await waiting.next(); next; next = await waiting.next()) {
      show('exec.approval.requested', next.approval, `\n${approvalText(next.approval)}`);
      if (keyboard) await answer({ ...next, link, io, keyboard });
    }
  } finally {
    keyboard?.close();
    stopEvents();
    stopListening();
  }
  if (lost.gateway) io.err('The gateway closed the connection.');
  return lost.gateway ? 1 : 0;
}
