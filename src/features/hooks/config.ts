/** The `hooks` slice of the configuration: work that other programs ask for over HTTP. */
import { z } from 'zod';
import { THINKING_LEVELS } from '../../core/turn.ts';
import { namesVariable } from '../../config/env-substitute.ts';
import { refusalOf, type SecretKind, shortSecret } from '../../config/secret-length.ts';
import type { ConfigProblem } from '../../host/feature.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { RESERVED_PATHS } from '../../config/reserved-paths.ts';

/** The token, where others than this machine reach the gateway. */
export const TOKEN: SecretKind = {
  least: 24,
  path: 'hooks.token',
  is: 'the token of hooks',
  remedy: `Set a longer one with \`${OWN_COMMAND} config set hooks.token "$(openssl rand -hex 24)"\``,
};
/** Shorter ones can be guessed in an afternoon. */
export const MIN_HOOK_TOKEN = 16;
const DEFAULT_HOOKS_PATH = '/hooks';

const PATH = /^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/;

const wakeMode = z.enum(['now', 'next-heartbeat']);
const trimmedPath = (path: string): string => path.trim().replace(/^\/+|(?<!\/)\/+$/g, '');

const mappingSchema = z.object({
  id: z.string().optional().describe('A name for logs; its place in the list otherwise.'),
  match: z
    .object({
      path: z.string().transform(trimmedPath).optional().describe('What follows the base path, e.g. `github`.'),
      source: z.string().optional().describe('What the field `source` of the payload says.'),
    })
    .default({})
    .describe('Everything given must match; a mapping without a match takes every path.'),
  action: z
    .enum(['wake', 'agent'])
    .default('agent')
    .describe('`wake` tells the main session; `agent` runs a turn of its own.'),
  wakeMode: wakeMode.default('now').describe('Whether the main session looks at once, or with its next heartbeat.'),
  name: z.string().max(100).optional().describe('What the hook is called in sessions and notes; a template.'),
  agentId: z.string().optional().describe('Which agent answers; the default agent otherwise.'),
  sessionKey: z
    .string()
    .max(512)
    .optional()
    .describe('Session of the turn, e.g. `hook:github:{{payload.repository.id}}`; a new one for every call otherwise.'),
  messageTemplate: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      'What the agent is asked (`action: "agent"`). Lines without a placeholder are your own words; what the ' +
        'payload says is marked as coming from outside.',
    ),
  textTemplate: z.string().max(20_000).optional().describe('What the main session is told (`action: "wake"`).'),
  deliver: z.boolean().default(true).describe('Send the answer to a chat.'),
  channel: z
    .string()
    .default('last')
    .describe('Where to: a channel, or `last` for the chat the agent was written from last.'),
  to: z.string().optional().describe('Which chat there; a template.'),
  model: z.string().optional().describe('`provider/model` or an alias, for these turns.'),
  thinking: z.enum(THINKING_LEVELS).optional().describe('Thinking level of these turns.'),
  timeoutSeconds: z.number().positive().max(86_400).optional().describe('How long such a turn may take.'),
  allowUnsafeExternalContent: z
    .boolean()
    .default(false)
    .describe(
      'Hand the payload to the agent as if you had written it. Whoever can make the other side send ' +
        'something can then give your agent orders.',
    ),
  transform: z
    .object({
      module: z.string().min(1).describe('A file of `transformsDir`, e.g. `github.mjs`.'),
      export: z.string().min(1).optional().describe('The function in it; `default`, else `transform`.'),
    })
    .optional()
    .describe('Code of yours that makes the request from the payload, or answers null to skip it.'),
});
export type HookMapping = z.output<typeof mappingSchema>;

export const hooksConfigSchema = z
  .object({
    enabled: z.boolean().default(false).describe('Serve hooks; needs `hooks.token`.'),
    token: z
      .string()
      .trim()
      .optional()
      .describe(
        'What callers prove themselves with, as `Authorization: Bearer …` or `X-Clawdbot-Token`; at least 16 ' +
          'characters, and not the token of the gateway. Secret.',
      ),
    path: z
      .string()
      .default(DEFAULT_HOOKS_PATH)
      .transform((path) => `/${trimmedPath(path)}`)
      .describe('Where they are served.'),
    maxBodyBytes: z
      .number()
      .int()
      .min(1)
      .max(8 * 1024 * 1024)
      .default(256 * 1024)
      .describe('Largest request, in bytes.'),
    presets: z
      .array(z.enum(['gmail']))
      .default([])
      .describe('Mappings that come along; your own are asked first.'),
    mappings: z
      .array(mappingSchema)
      .default([])
      .describe('What calls of other paths mean. The first that matches decides.'),
    transformsDir: z
      .string()
      .optional()
      .describe('A folder inside `hooks/transforms` of the state directory; that folder itself otherwise.'),
    allowedAgentIds: z.array(z.string()).optional().describe('Agents hooks may use; absent or `*`: all.'),
    defaultSessionKey: z
      .string()
      .max(512)
      .optional()
      .describe('Session of turns whose request names none; a new one for every call otherwise.'),
    allowRequestSessionKey: z
      .boolean()
      .default(false)
      .describe('Let requests name any session. Otherwise only those that begin with `hook:`.'),
  })
  .prefault({})
  .check((context) => {
    const { enabled, token, path } = context.value;
    const issue = (key: string, message: string): void =>
      void context.issues.push({ code: 'custom', path: [key], input: undefined, message });
    if (enabled && !token) issue('token', 'is required when hooks are enabled; make one with `openssl rand -hex 24`');
    if (token !== undefined && token !== '' && token.length < MIN_HOOK_TOKEN)
      issue('token', `must have at least ${MIN_HOOK_TOKEN} characters; make one with \`openssl rand -hex 24\``);
    const problem = pathProblem(path);
    if (problem) issue('path', problem);
  });
export type HooksConfig = z.output<typeof hooksConfigSchema>;

function pathProblem(path: string): string | undefined {
  if (path === '/') return 'must not be "/", which would take every path of the gateway; use "/hooks"';
  if (!PATH.test(path)) return 'must be made of letters, digits, dots and dashes, e.g. "/hooks"';
  const first = path.split('/')[1]!.toLowerCase();
  return first !== DEFAULT_HOOKS_PATH.slice(1) && RESERVED_PATHS.has(first)
    ? `must not begin with "/${first}", which is the gateway's own`
    : undefined;
}

interface Beside {
  readonly hooks: HooksConfig;
  readonly gateway: {
    readonly auth: { readonly token?: string | undefined; readonly password?: string | undefined };
    readonly controlUi: { readonly enabled: boolean; readonly basePath: string };
  };
}

/**
 * What only shows beside the `gateway` section: a token that opens more than hooks or could be guessed by those who
 * reach them, a path somebody else serves.
 */
export function checkHooks(config: unknown, { reachable }: { readonly reachable: boolean }): readonly ConfigProblem[] {
  const { hooks, gateway } = config as Beside;
  const { token, path } = hooks;
  const short = hooks.enabled && reachable && !namesVariable(token ?? '') ? shortSecret(TOKEN, token) : undefined;
  const ui = `/${trimmedPath(gateway.controlUi.basePath)}`;
  const taken = gateway.controlUi.enabled && ui !== '/' && (path === ui || path.startsWith(`${ui}/`));
  return [
    ...(token && [gateway.auth.token, gateway.auth.password].includes(token)
      ? [
          {
            path: ['hooks', 'token'],
            message: 'must differ from the secret of the gateway: whoever may call a hook could do everything',
          },
        ]
      : []),
    ...(short ? [{ path: ['hooks', 'token'], message: refusalOf(short) }] : []),
    ...(taken
      ? [
          {
            path: ['hooks', 'path'],
            message: `lies below gateway.controlUi.basePath (${ui}), where the Control UI is served`,
          },
        ]
      : []),
  ];
}
