/** `/think`, `/verbose`, `/reasoning`, `/elevated`: alone, for the session; within a message, for that message. */
import { ELEVATED_LEVELS } from '../../core/command-levels.ts';
import { THINKING_LEVELS } from '../../core/turn.ts';
import type { SessionEntry, SessionPatch } from '../../sessions/entry.ts';
import { levelRequest, levelWords, type Command, type InlineRequest } from './command.ts';

const VERBOSE = ['off', 'on', 'full'] as const;
const REASONING = ['off', 'on', 'stream'] as const;

interface LevelSpec<T extends string> {
  readonly name: string;
  readonly label: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly levels: readonly T[];
  readonly others?: Readonly<Record<string, T>>;
  /** When nobody chose one. */
  readonly without: string;
  now(entry: SessionEntry | undefined): T | undefined;
  patch(level: T | null): SessionPatch;
  request(level: T): InlineRequest;
}

const UNSET = new Set(['default', 'reset', 'inherit']);

function levelCommand<T extends string>({ name, label, levels, others = {}, ...spec }: LevelSpec<T>): Command {
  const words = levelWords(levels, others);
  return {
    name,
    does: ['change', 'session'],
    aliases: spec.aliases,
    summary: spec.summary,
    usage: `/${name} [${levels.join('|')}|default]`,
    group: 'Answers',
    takesText: false,
    takes: /^\S+$/,
    request: levelRequest(words, spec.request),
    native: { args: [{ name: 'level', description: label, choices: [...levels, 'default'] }] },
    async run({ args, sessionKey }, host) {
      const word = args.toLowerCase();
      if (word === '')
        return {
          reply:
            `⚙️ ${label}: ${spec.now(host.entry(sessionKey)) ?? spec.without}. Levels: ${levels.join(', ')}, ` +
            'default.',
        };
      if (UNSET.has(word)) {
        await host.patch(sessionKey, spec.patch(null));
        return { reply: `⚙️ ${label}: ${spec.without}.` };
      }
      const level = Object.hasOwn(words, word) ? words[word] : undefined;
      if (level === undefined)
        return { reply: `⚠️ ${label} has no level "${args}". Levels: ${levels.join(', ')}, default.` };
      await host.patch(sessionKey, spec.patch(level));
      return { reply: `⚙️ ${label}: ${level}.` };
    },
  };
}

export const thinkCommand = levelCommand({
  name: 'think',
  label: 'Thinking',
  aliases: ['thinking', 't'],
  summary: 'Set how much the model thinks before it answers.',
  levels: THINKING_LEVELS,
  without: 'as configured',
  others: { on: 'low', min: 'minimal', mid: 'medium', max: 'xhigh', none: 'off' },
  now: (entry) => entry?.thinkingLevel,
  patch: (thinkingLevel) => ({ thinkingLevel }),
  request: (thinking) => ({ options: { thinking } }),
});

export const verboseCommand = levelCommand({
  name: 'verbose',
  label: 'Tool notes',
  aliases: ['v'],
  summary: 'Show each tool call of the agent in this chat (on), with its result (full).',
  levels: VERBOSE,
  without: 'off',
  now: (entry) => entry?.verboseLevel,
  patch: (verboseLevel) => ({ verboseLevel }),
  request: (verbose) => ({ options: { verbose } }),
});

export const reasoningCommand = levelCommand({
  name: 'reasoning',
  label: 'Reasoning',
  aliases: ['reason'],
  summary: "Send the model's reasoning before its answer (on), or show it while it thinks (stream).",
  levels: REASONING,
  without: 'off',
  now: (entry) => entry?.reasoningLevel,
  patch: (reasoningLevel) => ({ reasoningLevel }),
  request: (reasoning) => ({ options: { reasoning } }),
});

const ELEVATED = levelWords(ELEVATED_LEVELS);

export const elevatedCommand: Command = {
  name: 'elevated',
  does: ['change', 'session'],
  aliases: ['elev'],
  changesRights: true,
  usage: `/elevated [${ELEVATED_LEVELS.join('|')}]`,
  group: 'Control',
  takesText: false,
  takes: new RegExp(`^(?:${ELEVATED_LEVELS.join('|')})$`, 'i'),
  summary: 'Let commands of this session run outside the sandbox (on, ask) or also skip approval (full).',
  native: { args: [{ name: 'level', description: 'Elevated level', choices: [...ELEVATED_LEVELS] }] },
  run: async (call, host) => ({ reply: `⚙️ ${await host.elevate(call, ELEVATED[call.args.trim().toLowerCase()])}` }),
};
