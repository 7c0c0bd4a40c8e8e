/** Decides at the door whether a channel's message reaches an agent; in a group a voice note is heard before it is judged. */
import type { AgentsConfig } from '../agent/config.ts';
import { agentEntry } from '../agent/resolve-agent.ts';
import type { ChannelCapabilities } from '../core/channel.ts';
import type { InboundMessage } from '../core/message.ts';
import type { Route } from '../core/route.ts';
import type { Note } from '../core/understanding.ts';
import type { Admission } from '../core/admission.ts';
import { admit } from '../pipeline/access/admit.ts';
import { mentionPatterns, mentionsAgent } from '../pipeline/access/mentions.ts';
import type { MessagesConfig } from '../sessions/config.ts';
import { createTurnstile } from './turnstile.ts';
import type { Heard } from './understanding-parts.ts';

export interface DoorkeeperDeps {
  config(): { readonly agents: AgentsConfig; readonly messages: MessagesConfig; readonly channels: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  /** The words of a voice note. */
  hear(message: InboundMessage, route: Route): Promise<Heard | undefined>;
}

/** `message`: with its files where they were fetched to be heard. */
export interface Judgement { readonly admission: Admission; readonly message: InboundMessage; readonly transcript?: Note }

/** Voice notes listened to only to know whether they name the agent: a busy group must not take the machine from those who do. */
const LISTENING = { inside: 2, waiting: 16 };

export function createDoorkeeper({ config, hear }: DoorkeeperDeps) {
  const listening = createTurnstile(LISTENING);
  return async (message: InboundMessage, route: Route, capabilities: ChannelCapabilities): Promise<Judgement> => {
    const { agents, messages, channels } = config();
    const agent = agentEntry({ agents }, route.agentId);
    const patterns = mentionPatterns({ own: agent?.groupChat?.mentionPatterns, general: messages.groupChat.mentionPatterns, name: agent?.identity?.name ?? agent?.name, emoji: agent?.identity?.emoji });
    const listed = channels[message.address.channel]?.['allowFrom'];
    const judge = (words: string): Admission => admit(message, capabilities, { allowFrom: Array.isArray(listed) ? listed.map(String) : [], mentioned: mentionsAgent(words, patterns) });

    const admission = judge(message.text);
    // Only after the sender is known to be allowed: strangers must not make this machine listen.
    if (admission.kind === 'allowed' || !admission.unaddressed || !isVoiceNote(message) || patterns.length === 0) return { admission, message };
    const heard = await listening.pass(() => hear(message, route));
    return heard ? { admission: judge(heard.note.text), message: { ...message, attachments: heard.attachments }, transcript: heard.note } : { admission, message };
  };
}

const isVoiceNote = ({ text, attachments }: InboundMessage): boolean => text.trim() === '' && attachments.some(({ kind }) => kind === 'audio');
