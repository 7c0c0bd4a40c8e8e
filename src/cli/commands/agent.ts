/** `agent`: sends one message, optionally with a file, and prints the answer. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { basename } from 'node:path';
import { readBytesIfExists } from '../../platform/files.ts';
import { uuid } from '../../platform/ids.ts';
import { watchApprovals, isAttended, keyboardOnDemand } from '../watch-approvals.ts';
import type { Call } from '../command.ts';
import { sessionOf, speak } from '../conversation.ts';
import { printFiles, printSent } from '../answer-files.ts';
import { terminalText } from '../terminal-text.ts';
import { createSpinner, withoutSpinner } from '../spinner.ts';

const DEFAULT_SECONDS = 600;

export async function agent(call: Call): Promise<number> {
  const { flags } = call;
  using spinner = createSpinner(call.io);
  const io = withoutSpinner(call.io, spinner);
  const [message, attachments] = [await messageOf(call), await attachmentsOf(call)];
  const link = await call.gateway();
  const runId = uuid();
  const seconds = flags.number('timeout') ?? DEFAULT_SECONDS;
  const input = Object.entries({
    agentId: flags.text('agent'),
    sessionKey: flags.text('session'),
    model: flags.text('model'),
    thinking: flags.text('thinking'),
  }).filter(([, value]) => value !== undefined);
  const stop = (): void =>
    void link
      .request('chat.abort', { sessionKey: sessionOf(flags), runId })
      .catch((error: Error) => io.err(error.message));
  const stopListening = io.onInterrupt(stop);
  const keyboard = keyboardOnDemand(io, stop);
  const approvals = watchApprovals(
    present({ link, io, keyboard: isAttended(io) && !flags.has('json') ? keyboard.open : undefined }),
  );
  try {
    spinner.say('thinking');
    for await (const part of speak(link, 'agent', {
      message,
      ...attachments,
      ...Object.fromEntries(input),
      timeout: seconds,
      idempotencyKey: runId,
    })) {
      if (part.kind === 'accepted') approvals.follow(part.sessionKey);
      if (part.kind === 'progress' && !flags.has('json')) io.err(`… ${part.text}`);
      if (part.kind === 'progress') spinner.say('thinking');
      if (part.kind !== 'end') continue;
      if (flags.has('json'))
        io.out(
          JSON.stringify(
            present({
              runId: part.runId,
              status: part.state,
              text: part.text,
              told: part.files.sentBefore.length > 0 ? part.files.sentBefore : undefined,
              files: part.files.files.length > 0 ? part.files.files : undefined,
              error: part.error,
              usage: part.usage,
            }),
          ),
        );
      else {
        printSent(io, part.files);
        if (part.text) io.out(isTerminal(io.stdout) ? terminalText(part.text) : part.text);
        printFiles(io, part.files.files, part.files.sessionKey);
      }
      if (part.state !== 'final' && !flags.has('json')) io.err(part.error ?? 'The turn was stopped.');
      return part.state === 'final' ? 0 : 1;
    }
    throw new AppError('bad_response', 'The gateway ended the turn without a result.');
  } finally {
    await approvals.close();
    keyboard.close();
    stopListening();
  }
}

const isTerminal = (stream: object): boolean => (stream as { isTTY?: boolean }).isTTY === true;

/** What it is, its bytes will tell. */
async function attachmentsOf({ flags }: Call): Promise<{ attachments?: readonly object[] }> {
  const path = flags.text('attach');
  if (path === undefined) return {};
  const bytes = await readBytesIfExists(path);
  if (!bytes) throw new AppError('not_found', `--attach: file not found: ${path}.`);
  return { attachments: [{ fileName: basename(path), content: bytes.toString('base64') }] };
}

async function messageOf({ args, flags, io }: Call): Promise<string> {
  const input = args[0] ?? flags.text('message')!;
  if (input !== '-') return input;
  let text = '';
  for await (const chunk of io.stdin) text += chunk.toString();
  if (text.trim() === '') throw new AppError('invalid', 'Standard input is empty; there is no message to send.');
  return text;
}
