/** `/config` and `/debug`: change a setting in the file, or override it until the next start. */
import { head } from '../../core/cut.ts';
import { asAppError } from '../../core/errors.ts';
import type { CommandCall } from './command-call.ts';
import type { Command } from './command.ts';
import type { CommandHost } from './command-host.ts';
import { readAssignment } from './read-assignment.ts';

const LONGEST = 3000;

/** As a block for a chat; what does not fit is left out with advice. */
function shown(value: unknown, path: string | undefined): string {
  const text = JSON.stringify(value, null, 2);
  if (text === undefined) return `⚙️ ${path ?? 'The configuration'} is not set.`;
  const cut = text.length > LONGEST ? `${head(text, LONGEST)}\n…\n` : `${text}\n`;
  return (
    '⚙️ ' +
    `${path ?? 'Configuration'}\n\`\`\`json\n${cut}\`\`\`${text.length > LONGEST ? '\nThe output is cut; give a path to see one part.' : ''}`
  );
}

const split = (args: string): readonly [verb: string, rest: string] => {
  const [, verb = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
  return [verb.toLowerCase(), rest.trim()];
};

const CONFIG_USAGE = '⚙️ Usage: /config show [path], /config set path=value, /config unset path';

export const configCommand: Command = {
  name: 'config',
  does: ['change', 'configuration'],
  usage: '/config show|get|set|unset [path][=value]',
  summary: 'Read or change the configuration file.',
  group: 'Control',
  changesRights: true,
  gate: 'config',
  takesText: true,
  native: {
    args: [
      { name: 'action', description: 'What to do', choices: ['show', 'get', 'set', 'unset'] },
      { name: 'path', description: 'Dotted path; with set: path=value' },
    ],
  },
  async run(call, host) {
    const [verb, rest] = split(call.args);
    switch (verb) {
      case '':
      case 'show':
      case 'get':
        return { reply: shown(host.config.show(rest || undefined), rest || undefined) };
      case 'set':
      case 'unset':
        return { reply: refusedHere(call, host) ?? (await changeFile(verb, rest, host)) };
      default:
        return { reply: CONFIG_USAGE };
    }
  },
};

/** A channel can be kept from changing the file. */
export function refusedHere(call: CommandCall, host: CommandHost): string | undefined {
  const { address } = call.row.message;
  const { channel } = address;
  if (host.settings().account(address).configWrites) return undefined;
  return `⚠️ The configuration cannot be changed from ${channel}: channels.${channel}.configWrites is false.`;
}

async function changeFile(verb: 'set' | 'unset', rest: string, host: CommandHost): Promise<string> {
  const assignment = verb === 'set' ? readAssignment(rest) : { path: rest, value: undefined };
  if (assignment === undefined || assignment.path === '')
    return verb === 'set' ? '⚠️ Usage: /config set path=value' : '⚠️ Usage: /config unset path';
  const { path, value } = assignment;
  return tried(async () => {
    const { restarts, warnings = [] } =
      verb === 'set' ? await host.config.set(path, value) : { ...(await host.config.unset(path)), warnings: [] };
    return [
      `⚙️ ${path} ${verb === 'set' ? 'is set' : 'is removed'}.${restarts ? ' It takes effect after a restart.' : ''}`,
      ...warnings.map((warning) => `⚠️ ${warning}`),
    ].join('\n');
  });
}

/** What is not valid is said in one line, and nothing changed. */
async function tried(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = asAppError(error);
    if (code !== 'invalid' && code !== 'unsupported' && code !== 'conflict') throw error;
    return `⚠️ ${message}`;
  }
}

const DEBUG_USAGE = '⚙️ Usage: /debug show, /debug set path=value, /debug unset path, /debug reset';

export const debugCommand: Command = {
  name: 'debug',
  does: ['change', 'configuration'],
  usage: '/debug show|set|unset|reset [path][=value]',
  summary: 'Override settings until the next start, without changing the file.',
  group: 'Control',
  changesRights: true,
  gate: 'debug',
  takesText: true,
  native: {
    args: [
      { name: 'action', description: 'What to do', choices: ['show', 'set', 'unset', 'reset'] },
      { name: 'path', description: 'Dotted path; with set: path=value' },
    ],
  },
  async run(call, host) {
    const [verb, rest] = split(call.args);
    const { config } = host;
    // What holds over the file could lift the very setting that keeps a channel from the file.
    const refused = ['set', 'unset', 'reset'].includes(verb) ? refusedHere(call, host) : undefined;
    if (refused !== undefined) return { reply: refused };
    switch (verb) {
      case '':
      case 'show':
        return {
          reply:
            Object.keys(config.overrides() as object).length === 0
              ? '⚙️ Nothing is overridden.'
              : shown(config.overrides(), 'Overrides'),
        };
      case 'reset':
        await config.resetOverrides();
        return { reply: '⚙️ All overrides are removed.' };
      case 'unset':
        return {
          reply:
            rest === ''
              ? '⚠️ Usage: /debug unset path'
              : await tried(async () => {
                  await config.override(rest, undefined);
                  return `⚙️ ${rest} has the value of the file again.`;
                }),
        };
      case 'set': {
        const assignment = readAssignment(rest);
        if (!assignment) return { reply: '⚠️ Usage: /debug set path=value' };
        return {
          reply: await tried(async () => {
            await config.override(assignment.path, assignment.value);
            return `⚙️ ${assignment.path} is overridden until the next start.`;
          }),
        };
      }
      default:
        return { reply: DEBUG_USAGE };
    }
  },
};
