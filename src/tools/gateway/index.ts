/**
 * `gateway`: restarts the gateway, shows and changes its configuration, updates it; for the owner's turns, and never
 * its guards.
 */
import { z } from 'zod';
import {
  AppError,
  defineTool,
  gatewayParameters,
  rpcOf,
  textResult,
  type ToolContext,
  type ToolResult,
  present,
} from '../../sdk/index.ts';
import { bounded, schemaPart, valueAt, type Schema } from './config-part.ts';
import { PUBLIC_COMMAND } from '../../sdk/own-command.ts';

const ACTIONS = ['restart', 'config.get', 'config.schema', 'config.apply', 'config.patch', 'update.run'] as const;

const input = z.object({
  action: z.enum(ACTIONS).describe('What to do'),
  path: z
    .string()
    .optional()
    .describe('config.get, config.schema: only this part, e.g. `messages.queue` or `channels.telegram`'),
  raw: z
    .string()
    .optional()
    .describe(
      'config.patch: JSON5 object whose values replace and whose nulls delete; config.apply: the whole document',
    ),
  baseHash: z
    .string()
    .optional()
    .describe('config.patch, config.apply: `hash` of the config.get the change is based on'),
  delayMs: z.number().optional().describe('restart: milliseconds until then, 0 to 60000; default 2000'),
  restartDelayMs: z
    .number()
    .optional()
    .describe('config.patch, config.apply, update.run: the same for the restart after it'),
  reason: z.string().optional().describe('restart: why, at most 200 characters'),
  note: z.string().optional().describe('Told to this conversation once the gateway is back'),
  sessionKey: z.string().optional().describe('Tell this conversation instead'),
  ...gatewayParameters,
});
type Input = z.output<typeof input>;

const DESCRIPTION = `Looks after the gateway this conversation runs in.
- restart: in place, delayMs from now. Running turns get time to end, this one too: say that you restart. This conversation is told when it is back.
- config.get: the configuration without its secrets, and its hash. With path: one part, as in force (defaults filled in) and as written.
- config.schema: what can be set; with path the details of one part. Look here before you change something.
- config.patch: changes single settings. Needs baseHash from config.get. Prefer it to config.apply, which replaces the whole file and restarts.
- update.run: takes newer code from git or the registry and restarts with it; takes minutes. Says why when there is nothing to do.
Settings that limit you (tools, sandbox, approvals, who may write, credentials, the gateway's own door) cannot be changed here, whoever asks; tell the owner which \`${PUBLIC_COMMAND} config set <path> <value>\` does it.`;

/** Restarts wait at most so long. */
const MAX_DELAY_MS = 60_000;
const MAX_REASON = 200;
/** An update elsewhere takes longer than any other call. */
const UPDATE_MS = 20 * 60_000;
const LEAST_UPDATE_MS = 1000;

export default defineTool({
  name: 'gateway',
  summary: 'Restart the gateway, read or change its configuration, update it',
  does: [
    ['read', 'configuration'],
    ['change', 'configuration'],
    ['restart', 'gateway'],
    ['reach-others', 'gateway'],
  ],
  description: DESCRIPTION,
  aliases: {
    delay: 'delayMs',
    delay_ms: 'delayMs',
    base_hash: 'baseHash',
    hash: 'baseHash',
    patch: 'raw',
    restart_delay_ms: 'restartDelayMs',
    session_key: 'sessionKey',
  },
  input,
  async run(input, ctx) {
    // A turn that was stopped must not take the gateway down with it.
    ctx.signal.throwIfAborted();
    switch (input.action) {
      case 'restart':
        return restart(input, ctx);
      case 'config.get':
        return configGet(input, ctx);
      case 'config.schema':
        return configSchema(input, ctx);
      case 'config.apply':
      case 'config.patch':
        return configChange(input, ctx);
      case 'update.run':
        return updateRun(input, ctx);
    }
  },
});

const answer = (payload: unknown): ToolResult => textResult(JSON.stringify(payload, null, 2), payload);
const delayOf = (ms: number | undefined): number | undefined =>
  ms === undefined || Number.isNaN(ms) ? undefined : Math.min(MAX_DELAY_MS, Math.max(0, Math.trunc(ms)));
const textOf = (text: string | undefined): string | undefined => text?.trim() || undefined;
/** Without what is undefined: the wire knows no such value. */
const filled = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
const afterwards = ({ restartDelayMs, note, sessionKey }: Input) => ({
  restartDelayMs: delayOf(restartDelayMs),
  note: textOf(note),
  sessionKey: textOf(sessionKey),
});

async function restart(input: Input, ctx: ToolContext): Promise<ToolResult> {
  const { delayMs, reason, note, sessionKey } = input;
  return answer(
    await rpcOf(ctx, input)(
      'gateway.restart',
      filled({
        delayMs: delayOf(delayMs),
        reason: textOf(reason)?.slice(0, MAX_REASON),
        note: textOf(note),
        sessionKey: textOf(sessionKey),
      }),
    ),
  );
}

interface Snapshot {
  readonly path: string;
  readonly exists: boolean;
  readonly hash: string;
  readonly valid: boolean;
  readonly issues?: readonly unknown[];
  readonly warnings?: readonly unknown[];
  readonly raw: string;
  readonly parsed: unknown;
  readonly config: unknown;
}

async function configGet(input: Input, ctx: ToolContext): Promise<ToolResult> {
  const {
    path: file,
    exists,
    hash,
    valid,
    issues = [],
    warnings = [],
    raw,
    parsed,
    config,
  } = (await rpcOf(ctx, input)('config.get', {})) as Snapshot;
  const part = textOf(input.path);
  const facts = {
    path: file,
    exists,
    hash,
    valid,
    ...(issues.length > 0 ? { issues: bounded(issues) } : {}),
    ...(warnings.length > 0 ? { warnings: bounded(warnings) } : {}),
  };
  if (part === undefined)
    return answer({
      ok: true,
      result: { ...facts, ...(raw.length <= 10_000 ? { raw } : { written: bounded(parsed) }) },
    });
  return answer({
    ok: true,
    result: {
      ...facts,
      setting: part,
      inForce: bounded(valueAt(config, part)) ?? null,
      written: bounded(valueAt(parsed, part)) ?? null,
    },
  });
}

async function configSchema(input: Input, ctx: ToolContext): Promise<ToolResult> {
  const { schema } = (await rpcOf(ctx, input)('config.schema', {})) as { schema: Schema };
  const path = textOf(input.path) ?? '';
  const part = schemaPart(schema, path);
  if (part === undefined)
    throw new AppError('not_found', `Unknown setting ${path}. config.schema without path lists the sections.`);
  return answer({
    ok: true,
    result: { ...(path ? { path } : { hint: 'name a section with path for its settings' }), schema: part },
  });
}

async function configChange(input: Input, ctx: ToolContext): Promise<ToolResult> {
  const { action, raw, baseHash } = input;
  if (!textOf(raw))
    throw new AppError(
      'invalid',
      `${action} needs raw: ` +
        `${action === 'config.patch' ? 'a JSON5 object of what changes' : 'the whole document in JSON5'}.`,
    );
  // Whoever changes a file has to have seen it: the hash is the caller's, and is never looked up for it.
  return answer(await rpcOf(ctx, input)(action, filled({ raw, baseHash: textOf(baseHash), ...afterwards(input) })));
}

async function updateRun(input: Input, ctx: ToolContext): Promise<ToolResult> {
  const timeoutMs =
    input.timeoutMs === undefined || Number.isNaN(input.timeoutMs)
      ? undefined
      : Math.max(LEAST_UPDATE_MS, Math.trunc(input.timeoutMs));
  ctx.progress('Looking for newer code');
  const call = rpcOf(ctx, { ...input, timeoutMs: timeoutMs ?? UPDATE_MS });
  const here = textOf(input.gatewayUrl) === undefined;
  const result = (await call(
    'update.run',
    filled({ timeoutMs, ...afterwards(input), ...present({ progress: here ? ctx.progress : undefined }) }),
  )) as { readonly ok?: boolean };
  return { ...answer(result), ...present({ isError: result.ok === false ? true : undefined }) };
}
