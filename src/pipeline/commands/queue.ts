/** `/queue <mode> debounce:2s cap:25 drop:summarize`: how to handle messages that arrive during a turn. */
import { present } from '../../core/present.ts';
import { queueMode, queueSettings } from '../../sessions/queue.ts';
import { QUEUE_DROPS, QUEUE_MODES, type QueueDrop, type QueueSettings } from '../../sessions/queue-mode.ts';
import type { CommandCall } from './command-call.ts';
import type { Command, InlineRequestReader } from './command.ts';
import type { CommandHost } from './command-host.ts';

const MODES = QUEUE_MODES.join(', ');
const CLEARED = { queueMode: null, queueDebounceMs: null, queueCap: null, queueDrop: null } as const;

interface Read {
  readonly queue: Partial<QueueSettings>;
  readonly length: number;
  readonly problem?: string;
}

/** Words from the beginning, as far as they mean something here. */
function readQueue(words: string): Read {
  let queue: Partial<QueueSettings> = {};
  let length = 0;
  for (const match of words.matchAll(/[^\s]+/g)) {
    const part = readPart(match[0]);
    if (part === undefined) return { queue, length };
    if ('problem' in part) return { queue, length, problem: part.problem };
    queue = { ...queue, ...part };
    length = match.index + match[0].length;
  }
  return { queue, length };
}

function readPart(word: string): Partial<QueueSettings> | { readonly problem: string } | undefined {
  const mode = queueMode(word.toLowerCase());
  if (mode) return { mode };
  const [, key, value] = /^(debounce|cap|drop)[:=](.*)$/i.exec(word) ?? [];
  switch (key?.toLowerCase()) {
    case 'debounce': {
      const ms = duration(value!);
      return ms === undefined
        ? { problem: `debounce must be a duration such as 500ms, 2s or 1m, not "${value}".` }
        : { debounceMs: ms };
    }
    case 'cap':
      return /^[1-9]\d{0,3}$/.test(value!)
        ? { cap: Number(value) }
        : { problem: `cap must be a number of at least 1, not "${value}".` };
    case 'drop':
      return QUEUE_DROPS.includes(value!.toLowerCase() as QueueDrop)
        ? { drop: value!.toLowerCase() as QueueDrop }
        : { problem: `drop must be one of ${QUEUE_DROPS.join(', ')}, not "${value}".` };
    default:
      return undefined;
  }
}

const UNITS: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1000, m: 60_000 };

function duration(text: string): number | undefined {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|)$/i.exec(text) ?? [];
  const ms = number === undefined ? NaN : Number(number) * UNITS[unit!.toLowerCase()]!;
  return Number.isFinite(ms) && ms <= 3_600_000 ? Math.round(ms) : undefined;
}

const request: InlineRequestReader = (words) => {
  const { queue, length } = readQueue(words.split('\n', 1)[0]!);
  return length === 0 ? undefined : { length, request: { queue } };
};

export const queueCommand: Command = {
  name: 'queue',
  does: ['change', 'session'],
  usage: '/queue [mode] [debounce:2s] [cap:25] [drop:summarize]',
  summary: 'Set what happens to messages that arrive while the agent works.',
  group: 'Conversation',
  takesText: false,
  takes: /^\S+(?:\s+\w+[:=]\S*)*$/,
  request,
  native: {
    args: [
      { name: 'mode', description: 'Queue mode', choices: [...QUEUE_MODES, 'default'] },
      { name: 'options', description: 'debounce:2s cap:25 drop:summarize' },
    ],
  },
  async run(call, host) {
    const { args, sessionKey } = call;
    if (args === '') return { reply: `⚙️ Queue: ${describe(call, host)}. Modes: ${MODES}.` };
    if (/^(default|reset|clear)$/i.test(args)) {
      await host.patch(sessionKey, CLEARED);
      return { reply: `⚙️ Queue: back to ${describe(call, host)}.` };
    }
    const { queue, length, problem } = readQueue(args);
    if (problem !== undefined || length < args.length)
      return {
        reply:
          '⚠️ ' +
          `${problem ?? `"${args.slice(length).trim().split(/\s+/)[0]}" is not a queue mode. Modes: ${MODES}; options: debounce:2s, cap:25, drop:${QUEUE_DROPS.join('|')}.`}`,
      };
    await host.patch(
      sessionKey,
      present({ queueMode: queue.mode, queueDebounceMs: queue.debounceMs, queueCap: queue.cap, queueDrop: queue.drop }),
    );
    return { reply: `⚙️ Queue: ${describe(call, host)}.` };
  },
};

function describe({ row, sessionKey }: CommandCall, host: CommandHost): string {
  const { mode, debounceMs, cap, drop } = queueSettings(
    host.settings().messages,
    row.message.address.channel,
    host.entry(sessionKey),
  );
  return `${mode}, debounce ${debounceMs} ms, cap ${cap}, drop ${drop}`;
}
