/**
 * `links explain`: for each link of a text, whether it would be read, by what, and why not; a gateway is not needed.
 */
import { OWN_CHANNEL } from '../../../core/product.ts';
import { fileURLToPath } from 'node:url';
import type { LinksConfig } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import { mainSessionKey, normaliseAgentId, parseSessionKey } from '../../../core/session-key.ts';
import type { FetchConfig } from '../../../platform/net/config.ts';
import type { Resolve } from '../../../platform/net/guard/guard.ts';
import type { Call } from '../../../cli/command.ts';
import { openConfig } from '../../../cli/config-file.ts';
import { present } from '../../../core/present.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import type { ExplainedLink, LinksExplained } from './explain-links.ts';

/** As much of the configuration as this command reads. */
interface Config {
  readonly agents: {
    readonly list: readonly {
      readonly id: string;
      readonly default?: boolean;
      readonly tools?: { readonly links?: LinksConfig };
    }[];
  };
  readonly tools: { readonly links?: LinksConfig };
  readonly security: { readonly fetch: FetchConfig };
}

/** `resolve` is the system's unless a test brings its own. */
export async function linksExplain(call: Call, resolve?: Resolve): Promise<void> {
  const config = await currentConfig(call);
  const [{ explainLinks }, { mergeLinks }, { createNetGuard }] = await Promise.all([
    import('./explain-links.ts'),
    import('../../../pipeline/understanding/links/settings.ts'),
    import('../../../platform/net/guard/guard.ts'),
  ]);
  const agent = agentOf(call, config);
  const place = {
    channel: call.flags.text('channel') ?? OWN_CHANNEL,
    chatType: chatTypeOf(call),
    sessionKey: call.flags.text('session') ?? mainSessionKey(agent.id),
  };
  const text = call.args[0]!;
  const explained = await explainLinks(
    {
      text,
      place,
      config: mergeLinks(config.tools.links, agent.links),
      context: contextOf({ text, agentId: agent.id, ...place }),
    },
    {
      guard: createNetGuard({ rules: () => config.security.fetch, ...present({ resolve }) }),
      path: call.io.env().get('PATH'),
      ownPrograms: {
        'link-understand': {
          command: process.execPath,
          args: [fileURLToPath(new URL('../../../../bin/link-understand.mjs', import.meta.url))],
        },
      },
    },
  );
  call.io.out(call.flags.has('json') ? JSON.stringify(explained, null, 2) : report(explained));
}

async function currentConfig({ io }: Call): Promise<Config> {
  await using store = await openConfig(io.env());
  if (!store.snapshot().valid)
    io.err(`The configuration has errors (\`${OWN_COMMAND} config validate\`); the defaults are used instead.`);
  return store.current() as Config;
}

function chatTypeOf({ flags }: Call): string {
  const written = flags.text('chat-type') ?? 'direct';
  if (['direct', 'dm', 'group', 'channel'].includes(written)) return written;
  throw new AppError('invalid', `--chat-type is "${written}"; use direct, group or channel.`);
}

/** The agent named, else the one the session key names, else the default one. */
function agentOf({ flags }: Call, { agents: { list } }: Config): { id: string; links: LinksConfig | undefined } {
  const named = flags.text('agent') ?? parseSessionKey(flags.text('session') ?? '')?.agentId;
  const id = normaliseAgentId(named ?? (list.find((agent) => agent.default) ?? list[0])?.id);
  const entry = list.find((agent) => normaliseAgentId(agent.id) === id);
  if (!entry && flags.text('agent') !== undefined && list.length > 0)
    throw new AppError('not_found', `No agent "${id}". Agents: ${list.map((agent) => agent.id).join(', ')}.`);
  return { id, links: entry?.tools?.links };
}

/** The context fields that are known without a message. */
const contextOf = ({
  text,
  agentId,
  channel,
  chatType,
  sessionKey,
}: {
  text: string;
  agentId: string;
  channel: string;
  chatType: string;
  sessionKey: string;
}): Readonly<Record<string, unknown>> => ({
  Body: text,
  RawBody: text,
  CommandBody: text,
  BodyForAgent: text,
  BodyForCommands: text,
  BodyStripped: text.trim(),
  AgentId: agentId,
  Provider: channel,
  Surface: channel,
  OriginatingChannel: channel,
  ChatType: chatType,
  SessionKey: sessionKey,
});

function report({ enabled, scope, links }: LinksExplained): string {
  const state = enabled
    ? 'Link reading is on.'
    : 'Link reading is off: `tools.links.models` is empty, or `enabled` is false.';
  const rule = scope?.rule === undefined ? 'the default' : `rule ${scope.rule + 1}`;
  const where = scope && `Scope: ${scope.action} (${rule}).`;
  const found = links.length === 0 ? ['No http or https address in the text.'] : links.flatMap(linkLines);
  return [[state, where].filter(Boolean).join(' '), '', ...found].join('\n');
}

function linkLines({ url, detected, why, guard, runs }: ExplainedLink): string[] {
  return [
    url,
    `  detected  ${detected ? 'yes' : `no: ${why}`}`,
    ...(guard
      ? [`  guard     ${guard.ok ? `allows it (${guard.addresses!.join(', ')})` : `refuses it: ${guard.why}`}`]
      : []),
    ...(detected && why !== undefined ? [`  not read  ${why}`] : []),
    ...runs.map(
      ({ argv, found }, index) =>
        `  ${index === 0 ? 'runs     ' : 'else     '} ${argv.map(quoted).join(' ')}${found ? '' : '   (not found)'}`,
    ),
  ];
}

const quoted = (arg: string): string => (/^[\w@%+=:,./~-]+$/.test(arg) ? arg : JSON.stringify(arg));
