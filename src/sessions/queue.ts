/** Queue settings for messages that arrive while their session is busy: mode, cap and drop policy. Pure. */
import { cut } from '../core/cut.ts';
import type { MessagesConfig } from './config.ts';
import type { SessionEntry } from './entry.ts';
import { QUEUE_MODES, type QueueMode, type QueueSettings } from './queue-mode.ts';

/** Other spellings of a mode that people and older files use. */
const MODE_ALIASES: Readonly<Record<string, QueueMode>> = {
  queue: 'steer',
  'steer-backlog': 'steer',
  'steer+backlog': 'steer',
};
export const queueMode = (raw: string): QueueMode | undefined =>
  MODE_ALIASES[raw] ?? QUEUE_MODES.find((mode) => mode === raw);

/** Session override, then the channel's setting, then the general one. */
export function queueSettings(config: MessagesConfig, channel: string, entry?: SessionEntry): QueueSettings {
  const { queue } = config;
  return {
    mode: entry?.queueMode ?? queueMode(queue.byChannel[channel] ?? queue.mode) ?? 'collect',
    debounceMs: entry?.queueDebounceMs ?? queue.debounceMsByChannel[channel] ?? queue.debounceMs,
    cap: Math.max(1, entry?.queueCap ?? queue.cap),
    drop: entry?.queueDrop ?? queue.drop,
    gatherMs: config.inbound.byChannel[channel] ?? config.inbound.debounceMs,
  };
}

/** Who gives way when `waiting` is full and one more arrives. */
export function overflow<T>(
  waiting: readonly T[],
  arrival: T,
  { cap, drop }: Pick<QueueSettings, 'cap' | 'drop'>,
): { readonly kept: readonly T[]; readonly dropped: readonly T[] } {
  if (waiting.length < cap) return { kept: [...waiting, arrival], dropped: [] };
  if (drop === 'new') return { kept: waiting, dropped: [arrival] };
  const surplus = waiting.length + 1 - cap;
  return { kept: [...waiting.slice(surplus), arrival], dropped: waiting.slice(0, surplus) };
}

/** One line of a dropped message for the overflow note. */
export const summaryLine = (text: string): string => cut(text.replace(/\s+/g, ' ').trim(), 160);

/** The text of one turn made of several waiting messages. */
export function collectText(texts: readonly string[], dropped: readonly string[]): string {
  const note =
    dropped.length === 0
      ? ''
      : `[Queue overflow] Dropped ${dropped.length} message(s) due to ` +
        `cap.\n${dropped.map((line) => `- ${line}`).join('\n')}`;
  if (texts.length === 1) return note ? `${note}\n\n${texts[0]!}` : texts[0]!;
  const blocks = texts.map((text, index) => `---\nQueued #${index + 1}\n${text}`).join('\n');
  return ['[Queued messages while agent was busy]', ...(note ? [note] : []), blocks].join('\n');
}
