/** The ways to send a message, and which one to try after Telegram rejects the last. Pure. */
import { AppError, type ChatAddress, present } from '../../sdk/index.ts';
import { descriptionOf } from './errors.ts';
import { GENERAL_TOPIC } from './update-context.ts';

export interface Fallback {
  readonly chat: string;
  readonly threadId?: string | undefined;
  /** False: the words as they are, without markup. */
  readonly html: boolean;
  /** False: as a file, whatever is in it. */
  readonly asItsKind: boolean;
}

/** Messages in the general topic carry no thread id: Telegram refuses it there. */
export const firstFallback = ({ chat, threadId }: ChatAddress, html: boolean): Fallback =>
  present({
    chat: chat.id,
    html,
    asItsKind: true,
    threadId: threadId === undefined || (chat.kind !== 'direct' && threadId === GENERAL_TOPIC) ? undefined : threadId,
  });

export interface Detours {
  readonly kind: ChatAddress['chat']['kind'];
  migrated?(to: string): void;
}

/**
 * Each way is tried once; what Telegram refuses for good is thrown. Only refusals lead here, so nothing is sent twice.
 */
export async function withFallbacks<T>(
  fallback: Fallback,
  attempt: (fallback: Fallback) => Promise<T>,
  detours: Detours,
): Promise<T> {
  try {
    return await attempt(fallback);
  } catch (error) {
    const next = error instanceof AppError ? nextFallback(fallback, { error, detours }) : undefined;
    if (!next) throw error;
    return withFallbacks(next, attempt, detours);
  }
}

function nextFallback(
  fallback: Fallback,
  { error, detours }: { error: AppError; detours: Detours },
): Fallback | undefined {
  const description = descriptionOf(error);
  const migrateTo = error.details?.['migrateTo'];
  if (typeof migrateTo === 'string' && migrateTo !== fallback.chat) {
    detours.migrated?.(migrateTo);
    return { ...fallback, chat: migrateTo };
  }
  if (
    fallback.html &&
    /can't parse entities|unsupported start tag|message is too long|caption is too long|text is empty/i.test(
      description,
    )
  )
    return { ...fallback, html: false };
  if (
    fallback.asItsKind &&
    /PHOTO_|IMAGE_PROCESS_FAILED|wrong file|VOICE_MESSAGES_FORBIDDEN|wrong type of the web page|too big for a photo/i.test(
      description,
    )
  )
    return { ...fallback, asItsKind: false };
  // In a direct chat the topic is a convenience; in a group another topic is another place.
  return fallback.threadId !== undefined && detours.kind === 'direct' && /thread not found|TOPIC_/i.test(description)
    ? { ...fallback, threadId: undefined }
    : undefined;
}
