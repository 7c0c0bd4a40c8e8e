/** Sends the answer of an `agent` run to a chat: its text without directives, and its files. */
import { readDirectives } from '../../core/directives/read-directives.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { isSilent } from '../../core/reply.ts';
import type { KeptFile } from '../../core/shown.ts';
import type { TurnOutcome } from '../../core/turn.ts';
import type { SendRequest } from '../../host/channel-services.ts';
import type { ChatService } from '../../host/chat.ts';
import type { Delivery } from './agent-delivery.ts';
import type { Call } from './method.ts';

/** What people read of an outcome, and the files they got with it. */
export interface FinalWords {
  readonly text: string;
  readonly files: readonly KeptFile[];
}

/** No directive is left in it; no words when the agent asked for silence. */
export function finalWords(outcome: Exclude<TurnOutcome, { kind: 'failed' }>): FinalWords {
  if (outcome.kind === 'done' && outcome.shown) return outcome.shown;
  if (isSilent(outcome.text)) return { text: '', files: [] };
  const { text, silent } = readDirectives(outcome.text);
  return { text: silent ? '' : text, files: [] };
}

interface ToDeliver {
  readonly outcome: TurnOutcome;
  readonly target: Delivery;
  readonly runId: string;
  readonly fromSession: string;
}

/**
 * Undefined when it arrived, or nothing was to be said; what kept it from arriving, where the caller can do without.
 */
export async function deliverAnswer(
  { outcome, target, runId, fromSession }: ToDeliver,
  { call, bestEffort }: { readonly call: Call; readonly bestEffort: boolean },
): Promise<string | undefined> {
  if (outcome.kind === 'failed') return undefined;
  const { text, files } = finalWords(outcome);
  if (text.trim() === '' && files.length === 0) return undefined;
  try {
    const { audioAsVoice, replyTo } = readDirectives(outcome.text);
    const request: SendRequest = {
      ...target,
      text,
      runId,
      fromSession,
      ...present({
        files: files.length > 0 ? await read(files, fromSession, call.services.chat) : undefined,
        asVoice: audioAsVoice,
        replyTo: typeof replyTo === 'object' ? replyTo.id : undefined,
      }),
    };
    await call.services.channels.send(request);
    return undefined;
  } catch (error) {
    if (!bestEffort) throw error;
    return asAppError(error).message;
  }
}

const read = (
  files: readonly KeptFile[],
  sessionKey: string,
  chat: Pick<ChatService, 'file'>,
): Promise<NonNullable<SendRequest['files']>> =>
  Promise.all(
    files.map(async (file) => ({ data: await bytesOf(file, sessionKey, chat), mime: file.mime, name: file.name })),
  );

const PART_BYTES = 4 * 1024 * 1024;

async function bytesOf({ id, name }: KeptFile, sessionKey: string, chat: Pick<ChatService, 'file'>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let offset = 0, size = 1; offset < size; ) {
    const part = await chat.file({ sessionKey, id }, { offset, bytes: PART_BYTES });
    if (part.data.length === 0 && part.size > offset)
      throw new AppError('storage', `The file ${name} ended early while it was read.`);
    parts.push(Buffer.from(part.data));
    offset += part.data.length;
    size = part.size;
  }
  return Buffer.concat(parts);
}
