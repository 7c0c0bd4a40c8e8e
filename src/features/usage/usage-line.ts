/** Reads from the lines of a transcript what they used; a turn may go on in the lines of the next reading. Pure. */
import type { Message } from '../../core/transcript.ts';
import { parseLine } from '../../sessions/transcript-line.ts';
import { counted, noLatency } from './latency.ts';

export interface Used {
  readonly at: number;
  readonly model: string;
  readonly turnId: string;
  readonly turns: 0 | 1;
  readonly failed: 0 | 1;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly cost: number | undefined;
  readonly latency: readonly number[] | undefined;
}

/** What is known of the turn whose end has not been read. */
export interface OpenTurn {
  readonly turnId: string;
  /** When its message came, milliseconds since the epoch. */
  readonly from: number;
}

/** Reading a longer line would hold up everybody else; it carries pictures. Characters. */
const MAX_LINE = 1024 * 1024;
/** Beyond a day it was not the answer that took so long. */
const MAX_MS = 24 * 3_600_000;

export function readUsage(
  line: string,
  open: OpenTurn | undefined,
): { readonly used?: Used; readonly open: OpenTurn | undefined } {
  if (line.length > MAX_LINE || !/"role":\s?"(?:assistant|user)"/.test(line)) return { open };
  const parsed = parseLine(line);
  if (parsed?.type !== 'message' || parsed.audience === 'person') return { open };
  const { message, turnId = '' } = parsed;
  if (message.role === 'user')
    return { open: open?.turnId === turnId ? open : { turnId, from: timeOf(message.timestamp) } };
  if (message.role !== 'assistant' || message.stopReason === 'injected') return { open };
  return answered(message, turnId, open);
}

function answered(
  message: Extract<Message, { readonly role: 'assistant' }>,
  turnId: string,
  open: OpenTurn | undefined,
): { readonly used: Used; readonly open: OpenTurn | undefined } {
  const at = timeOf(message.timestamp);
  const ends = message.stopReason !== 'toolUse';
  const ms = open?.turnId === turnId ? at - open.from : -1;
  const { input, output, cacheRead, cacheWrite, cost } = message.usage ?? {};
  return {
    used: {
      at,
      turnId,
      model: `${message.provider || 'unknown'}/${message.model || 'unknown'}`,
      turns: ends ? 1 : 0,
      failed: message.stopReason === 'error' || message.stopReason === 'aborted' ? 1 : 0,
      input: count(input),
      output: count(output),
      cacheRead: count(cacheRead),
      cacheWrite: count(cacheWrite),
      cost: typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : undefined,
      latency: ends && ms >= 0 && ms < MAX_MS ? counted(noLatency(), ms) : undefined,
    },
    open: ends ? undefined : open,
  };
}

/** Other programs write transcripts, too. */
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
const timeOf = (value: unknown): number => (typeof value === 'number' && value > 0 && value < 8.64e15 ? value : 0);
