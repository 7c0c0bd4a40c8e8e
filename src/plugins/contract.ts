/** Checks the shape of a loaded plugin, so that a mistake is a clear error at the start instead of a crash later. */
import { z } from 'zod';
import type { ChannelPlugin } from '../core/channel.ts';
import { LOGIN_METHODS } from '../core/channel-login.ts';
import { AppError } from '../core/errors.ts';
import type { Provider } from '../core/provider.ts';
import type { Tool } from '../core/tool.ts';
import type { PluginFeature } from '../host/plugin-feature.ts';
import { toolsOfChannel } from './channel-tools.ts';
import { featureContract } from './feature-contract.ts';

export interface PluginKinds {
  readonly channel: ChannelPlugin;
  readonly provider: Provider;
  readonly tool: Tool;
  readonly feature: PluginFeature;
}
export type PluginKind = keyof PluginKinds;
export type Plugin = { readonly [K in PluginKind]: { readonly kind: K; readonly value: PluginKinds[K] } }[PluginKind];

const fn = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', 'must be a function');
const zodSchema = z.custom<z.ZodType>(
  (value) => typeof (value as { safeParse?: unknown } | null)?.safeParse === 'function',
  'must be a zod schema',
);
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and dashes');
const handler = z
  .looseObject({
    run: fn,
    defaultModel: z.string().min(1).optional(),
    rank: z.number().optional(),
    accepts: z.array(z.string().regex(/^[a-z]+\/[^\s;]+$/, 'must be a media type such as image/png')).optional(),
  })
  .optional();
const modelInfo = z.looseObject({ id: z.string().min(1) });

const contracts = {
  channel: z.looseObject({
    id,
    label: z.string().min(1),
    config: zodSchema,
    connect: fn,
    parseTarget: fn.optional(),
    rules: fn.optional(),
    senderEntry: fn.optional(),
    review: fn.optional(),
    logout: fn.optional(),
    verify: fn.optional(),
    secretPaths: fn.optional(),
    login: z
      .looseObject({ methods: z.array(z.enum(LOGIN_METHODS)).min(1), steps: z.array(z.string()), state: fn, run: fn })
      .optional(),
    aliases: z.array(id).optional(),
    credentials: z
      .array(
        z.looseObject({
          key: z.string().min(1),
          label: z.string().min(1),
          form: z.looseObject({ pattern: z.instanceof(RegExp), words: z.string().min(1) }).optional(),
        }),
      )
      .optional(),
    tools: z.array(z.looseObject({})).optional(),
    actions: z
      .array(z.looseObject({ name: id, summary: z.string().min(1), parameters: z.record(z.string(), z.string()) }))
      .optional(),
    capabilities: z.looseObject({
      chats: z.array(z.enum(['direct', 'group', 'channel'])),
      maxTextLength: z.number().positive(),
      markdown: z.enum(['full', 'basic', 'none']),
      ids: z.looseObject({ chat: z.instanceof(RegExp) }).optional(),
      threads: z.boolean(),
      edit: z.boolean(),
      react: z.boolean(),
      typing: z.boolean(),
      media: z.boolean(),
      voice: z.boolean(),
      idempotentSend: z.boolean(),
      deliverable: z.boolean(),
    }),
  }),
  provider: z.looseObject({
    id,
    label: z.string().min(1),
    apis: z.array(z.string()),
    chat: fn.optional(),
    media: z.looseObject({ image: handler, audio: handler, video: handler }).optional(),
    thinking: fn.optional(),
    discover: fn.optional(),
    envKeys: z.array(z.string()).optional(),
    catalogue: z.array(modelInfo).optional(),
  }),
  tool: z.looseObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must start with a letter and hold letters, digits, _ and - only'),
    summary: z.string().min(1),
    description: z.string().min(1),
    input: zodSchema,
    run: fn,
    available: fn.optional(),
  }),
  feature: featureContract,
} as const;

/** What somebody's default export is: one plugin or a list of them. `from` names the place, for the error. */
export function readPlugins(exported: unknown, from: string): readonly Plugin[] {
  const values = Array.isArray(exported) ? exported : [exported];
  if (exported === undefined || values.length === 0)
    throw new AppError(
      'invalid',
      `${from} exports no plugin. Make a channel, provider, tool or feature its default export.`,
    );
  return values.flatMap((value) => {
    const kind = kindOf(value, from);
    const plugin = { kind, value: checkedAs(kind, value, from) } as Plugin;
    return [plugin, ...broughtTools(plugin, from)];
  });
}

/** A tool of a plugin is a plugin itself: named in policies, and left out if its name is taken. */
function broughtTools({ kind, value }: Plugin, from: string): readonly Plugin[] {
  const tools = kind === 'channel' ? toolsOfChannel(value) : kind === 'feature' ? (value.tools ?? []) : [];
  return tools.map((tool) => ({
    kind: 'tool',
    value: checkedAs('tool', tool, `${from}, ${kind} ${'id' in value ? value.id : ''}, tool ${String(tool.name)}`),
  }));
}

/** The value itself, now known to keep its contract; otherwise `AppError('invalid')` with every problem. */
export function checkedAs<K extends PluginKind>(kind: K, value: unknown, from: string): PluginKinds[K] {
  const checked = contracts[kind].safeParse(value);
  if (checked.success) return value as PluginKinds[K];
  const problems = checked.error.issues.map((issue) => `${issue.path.join('.') || 'default export'}: ${issue.message}`);
  throw new AppError('invalid', `${from} is not a valid ${kind}: ${problems.join('; ')}.`);
}

/** The method only this kind has. */
function kindOf(value: unknown, from: string): PluginKind {
  const fields = (value ?? {}) as Record<string, unknown>;
  if (typeof fields['connect'] === 'function') return 'channel';
  if (typeof fields['chat'] === 'function' || typeof fields['media'] === 'object') return 'provider';
  if (typeof fields['run'] === 'function') return 'tool';
  if (typeof fields['create'] === 'function') return 'feature';
  throw new AppError(
    'invalid',
    `${from} exports none of: a channel (connect), a provider (chat, media), a tool (run), a feature (create).`,
  );
}
