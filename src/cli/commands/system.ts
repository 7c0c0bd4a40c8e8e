/** `system event`: sends a system event to an agent. */
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { Call } from '../command.ts';

const MODES = ['now', 'next-heartbeat'];

export async function systemEvent(call: Call): Promise<void> {
  const { io, flags } = call;
  const mode = flags.text('mode') ?? 'next-heartbeat';
  if (!MODES.includes(mode)) throw new AppError('invalid', `--mode is "${mode}"; use now or next-heartbeat.`);
  const text = (await textOf(call)).trim();
  if (!text) throw new AppError('invalid', '--text is empty.');
  const sessionKey = flags.text('session');
  const answer = await (await call.gateway()).request('wake', present({ text, mode, sessionKey }));
  io.out(
    flags.has('json')
      ? JSON.stringify(answer, null, 2)
      : mode === 'now'
        ? 'Sent. The agent reads it now.'
        : 'Sent. The agent reads it with the next heartbeat or message.',
  );
}

async function textOf({ flags, io }: Call): Promise<string> {
  const written = flags.text('text')!;
  if (written !== '-') return written;
  const parts: string[] = [];
  for await (const part of io.stdin) parts.push(String(part));
  return parts.join('');
}
