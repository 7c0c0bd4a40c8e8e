/**
 * Decides whether a message of a channel reaches an agent. In a group, voice notes are transcribed before the decision;
 * unknown senders learn how to get access.
 */
import type { Admission } from '../../core/admission.ts';
import type { Attachment, InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { spoken } from '../../core/saying.ts';
import type { Route } from '../../core/route.ts';
import type { Note } from '../../core/understanding.ts';
import type { PairingStore } from '../../pipeline/access/pairing-store.ts';
import { pairingText, pairingToken } from '../../pipeline/access/pairing-text.ts';
import type { GatedChannel, AccessEvaluator } from './evaluate-access.ts';
import { createSemaphore } from '../../platform/semaphore.ts';

/** The transcript of a voice note, and the files as they were fetched for transcription. */
export interface Transcription {
  readonly note: Note;
  readonly attachments: readonly Attachment[];
}

export interface AccessGateDeps {
  readonly evaluate: AccessEvaluator;
  readonly pairing: Pick<PairingStore, 'request'>;
  /** The words of a voice note. */
  transcribe(message: InboundMessage, route: Route): Promise<Transcription | undefined>;
}

export interface AccessDecision {
  readonly admission: Admission;
  /** With its files, if they were fetched for transcription. */
  readonly message: InboundMessage;
  readonly transcript?: Note;
  /** Let in, but their chat never becomes the one the main conversation writes to by itself. */
  readonly guest?: true;
  /**
   * What the sender of a refused message is told: goes into the outbox with the refusal. The token makes it one
   * message, however often they write.
   */
  readonly notice?: { readonly token: string; readonly text: string };
}

export type AccessGate = (message: InboundMessage, route: Route, plugin: GatedChannel) => Promise<AccessDecision>;

/**
 * Voice notes listened to only to know whether they name the agent: a busy group must not take the machine from those
 * who do.
 */
const LISTENING = { atOnce: 2, maxWaiting: 16 };

export function createAccessGate({ evaluate, pairing, transcribe }: AccessGateDeps): AccessGate {
  const listening = createSemaphore(LISTENING.atOnce);

  async function notice({ address, sender }: InboundMessage, plugin: GatedChannel): Promise<AccessDecision['notice']> {
    const request = await pairing.request(plugin.id, {
      id: sender.id,
      accountId: address.accountId,
      chatId: address.chat.id,
      name: sender.name,
      handle: sender.handle,
    });
    return request && { token: pairingToken(request), text: pairingText(request, plugin) };
  }

  return async (message, route, plugin) => {
    const { admissionOf, byWords, guest } = await evaluate(message, route, plugin);
    const admission = admissionOf(message.said);
    if (admission.kind === 'allowed') return present({ admission, message, guest: guest || undefined });
    if (admission.pairing) {
      const sent = await notice(message, plugin);
      return present({ admission, message, notice: sent });
    }
    // Only after the sender is known to be allowed: strangers must not make this machine listen.
    if (!admission.unaddressed || !isVoiceNote(message) || !byWords) return { admission, message };
    if (listening.counts().waiting >= LISTENING.maxWaiting) return { admission, message };
    const transcription = await listening.run(() => transcribe(message, route));
    return transcription
      ? {
          admission: admissionOf(spoken(transcription.note.text)),
          message: { ...message, attachments: transcription.attachments },
          transcript: transcription.note,
        }
      : { admission, message };
  };
}

/** A forwarded voice note is another person's speech, and so is a file that was not recorded for this message. */
const isVoiceNote = ({ text, forwarded, attachments }: InboundMessage): boolean =>
  text.trim() === '' && !forwarded && attachments.some(({ kind, recorded }) => kind === 'audio' && recorded);
