/** `/exec host= security= ask=`: sets this conversation's limits for commands. */
import { ASK_MODES, SECURITY_LEVELS } from '../../core/command-levels.ts';
import type { ExecRequest } from '../../core/turn.ts';
import type { Command } from './command.ts';

const HOSTS = ['auto', 'sandbox', 'gateway'] as const;
const KEYS: Readonly<Record<keyof ExecRequest, readonly string[]>> = {
  host: HOSTS,
  security: SECURITY_LEVELS,
  ask: ASK_MODES,
};
const PAIR = /^(host|security|ask|node)[=:](\S+)/i;
const USAGE = `/exec [host=${HOSTS.join('|')}] [security=${SECURITY_LEVELS.join('|')}] [ask=${ASK_MODES.join('|')}]`;

interface Read {
  readonly exec: ExecRequest;
  readonly problem?: string;
  readonly length: number;
}

/** Pairs from the beginning of the words, as far as they go. */
function readPairs(words: string): Read {
  let exec: ExecRequest = {};
  let length = 0;
  for (let at = 0; ; ) {
    const pair = PAIR.exec(words.slice(at));
    if (!pair) return { exec, length };
    const [key, value] = [pair[1]!.toLowerCase(), pair[2]!.toLowerCase()];
    if (key === 'node') return { exec, length, problem: 'tools.exec.node decides on the node; leave out node=.' };
    const allowed = KEYS[key as keyof ExecRequest];
    if (!allowed.includes(value)) return { exec, length, problem: `${key} is one of ${allowed.join(', ')}.` };
    exec = { ...exec, [key]: value };
    length = at + pair[0].length;
    at = length + /^[ \t]*/.exec(words.slice(length))![0].length;
  }
}

const describe = (exec: ExecRequest | undefined): string => {
  const pairs = Object.entries(exec ?? {}).map(([key, value]) => `${key}=${value}`);
  return pairs.length > 0 ? pairs.join(' ') : 'as configured';
};

export const execCommand: Command = {
  name: 'exec',
  does: ['change', 'configuration'],
  perSession: true,
  usage: '/exec [host=] [security=] [ask=]',
  summary: 'Set stricter rules for commands in this conversation.',
  group: 'Control',
  changesRights: true,
  takesText: false,
  takes: /^(?:default|reset|clear|(?:\w+[=:]\S+(?:\s+|$))+)$/i,
  native: { args: [{ name: 'settings', description: 'host=… security=… ask=…, or default' }] },
  async run({ args, sessionKey }, host) {
    if (args === '')
      return {
        reply:
          `⚙️ Commands here: ${describe(host.entry(sessionKey)?.exec)}. Of these and the configuration the ` +
          'strictest applies.',
      };
    if (/^(default|reset|clear)$/i.test(args)) {
      await host.patch(sessionKey, { exec: null });
      return { reply: '⚙️ Commands here: as configured.' };
    }
    const { exec, problem, length } = readPairs(args);
    if (problem !== undefined || length < args.length) return { reply: `⚠️ ${problem ?? `Usage: ${USAGE}`}` };
    const next = { ...host.entry(sessionKey)?.exec, ...exec };
    await host.patch(sessionKey, { exec: next });
    return { reply: `⚙️ Commands here: ${describe(next)}. Of these and the configuration the strictest applies.` };
  },
};
