/** The `hooks` slice of the configuration. */
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
  id: z.string().optional().describe('Name for logs. Default: the position in the list.'),
  match: z
    .object({
      path: z.string().transform(trimmedPath).optional().describe('Path after the base path, e.g. `github`.'),
      source: z.string().optional().describe('Value of the field `source` in the payload.'),
    })
    .default({})
    .describe('Conditions; all given fields must match. Absent: matches every path.'),
  action: z
    .enum(['wake', 'agent'])
    .default('agent')
    .describe('`wake`: send a system event to the main session; `agent`: run a separate turn.'),
  wakeMode: wakeMode.default('now').describe('When the main session reads the event: now, or with the next heartbeat.'),
  name: z.string().max(100).optional().describe('Name of the hook in sessions and notes; a template.'),
  agentId: z.string().optional().describe('Agent that answers. Default: the default agent.'),
  sessionKey: z
    .string()
    .max(512)
    .optional()
    .describe('Session of the turn, e.g. `hook:github:{{payload.repository.id}}`. Default: a new session per call.'),
  messageTemplate: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      'Message to the agent (`action: "agent"`). Text without a placeholder is trusted; values from the ' +
        'payload are marked as external content.',
    ),
  textTemplate: z.string().max(20_000).optional().describe('Text for the main session (`action: "wake"`).'),
  deliver: z.boolean().default(true).describe('Send the answer to a chat.'),
  channel: z
    .string()
    .default('last')
    .describe('Channel of the answer, or `last` for the chat that last wrote to the agent.'),
  to: z.string().optional().describe('Target chat on that channel; a template.'),
  model: z.string().optional().describe('Model of these turns: `provider/model` or an alias.'),
  thinking: z.enum(THINKING_LEVELS).optional().describe('Thinking level of these turns.'),
  timeoutSeconds: z.number().positive().max(86_400).optional().describe('Timeout of these turns in seconds.'),
  allowUnsafeExternalContent: z
    .boolean()
    .default(false)
    .describe(
      'Treat the payload as trusted text. Anybody who can control what the sender posts ' +
        'can then give instructions to your agent.',
    ),
  transform: z
    .object({
      module: z.string().min(1).describe('File in `transformsDir`, e.g. `github.mjs`.'),
      export: z.string().min(1).optional().describe('Exported function. Default: `default`, else `transform`.'),
    })
    .optional()
    .describe('Your code that turns the payload into a request, or returns null to skip it.'),
});
export type HookMapping = z.output<typeof mappingSchema>;

export const hooksConfigSchema = z
  .object({
    enabled: z.boolean().default(false).describe('Enable hooks; requires `hooks.token`.'),
    token: z
      .string()
      .trim()
      .optional()
      .describe(
        'Token that callers send as `Authorization: Bearer …` or `X-Clawdbot-Token`; at least 16 ' +
          'characters, different from the gateway token. Secret.',
      ),
    path: z
      .string()
      .default(DEFAULT_HOOKS_PATH)
      .transform((path) => `/${trimmedPath(path)}`)
      .describe('URL path of hooks.'),
    maxBodyBytes: z
      .number()
      .int()
      .min(1)
      .max(8 * 1024 * 1024)
      .default(256 * 1024)
      .describe('Maximum request size in bytes.'),
    presets: z
      .array(z.enum(['gmail']))
      .default([])
      .describe('Bundled mappings; your own mappings take precedence.'),
    mappings: z
      .array(mappingSchema)
      .default([])
      .describe('How requests to other paths are handled. The first match applies.'),
    transformsDir: z
      .string()
      .optional()
      .describe('Folder inside `hooks/transforms` of the state directory. Default: `hooks/transforms` itself.'),
    allowedAgentIds: z.array(z.string()).optional().describe('Agents that hooks may use. Absent or `*`: all.'),
    defaultSessionKey: z
      .string()
      .max(512)
      .optional()
      .describe('Session of turns whose request has no session key. Default: a new session per call.'),
    allowRequestSessionKey: z
      .boolean()
      .default(false)
      .describe('Let requests use any session key. False: only keys that begin with `hook:`.'),
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
  if (path === '/') return 'must not be "/", which would capture every path of the gateway; use "/hooks"';
  if (!PATH.test(path)) return 'may only contain letters, digits, dots and dashes, e.g. "/hooks"';
  const first = path.split('/')[1]!.toLowerCase();
  return first !== DEFAULT_HOOKS_PATH.slice(1) && RESERVED_PATHS.has(first)
    ? `must not begin with "/${first}", which is reserved for the gateway`
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
            message: 'must differ from the secret of the gateway; otherwise hook callers have full access',
          },
        ]
      : []),
    ...(short ? [{ path: ['hooks', 'token'], message: refusalOf(short) }] : []),
    ...(taken
      ? [
          {
            path: ['hooks', 'path'],
            message: `is below gateway.controlUi.basePath (${ui}), where the Control UI is served`,
          },
        ]
      : []),
  ];
}
