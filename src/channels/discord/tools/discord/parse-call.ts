/** Converts a model's call of the `discord` tool to a channel action; errors name each mistake. Pure. */
import { AppError, head, type ChatAddress } from '../../../../sdk/index.ts';
import { HELD_IN, type DiscordCall } from './calls.ts';
import type { DiscordInput, DiscordParameter } from './input.ts';

/** Parameters as the channel's action knows them. */
export function parseCall(
  input: DiscordInput,
  call: DiscordCall,
  here: ChatAddress,
): Readonly<Record<string, unknown>> {
  assertRequired(input, call);
  const params: Record<string, unknown> = { ...call.fixed };
  for (const name of call.takes) {
    const value = input[name];
    if (isAbsent(value) && !(name === 'emoji' && value === '')) continue;
    Object.assign(params, one({ name, value, call, action: input.action }));
  }
  const target = targetOf(input, call, here);
  return target === undefined ? params : { ...params, target };
}

function assertRequired(input: DiscordInput, { required }: DiscordCall): void {
  const missing = required.filter((name) => isAbsent(input[name]));
  if (missing.length > 0) throw new AppError('invalid', `${input.action} needs ${missing.join(' and ')}.`);
}

interface One {
  readonly name: DiscordParameter;
  readonly value: unknown;
  readonly call: DiscordCall;
  readonly action: string;
}

function one({ name, value, call, action }: One): object {
  const as = call.renamed?.[name];
  if (as === 'target') return { target: channelTarget(value, name) };
  if (FILTERS.has(name)) return {};
  if (name === 'to' || (name === 'channelId' && action !== HELD_IN)) return {};
  return { [as ?? name]: value };
}

/** Undefined: the chat of the turn. */
function targetOf(input: DiscordInput, call: DiscordCall, here: ChatAddress): string | undefined {
  if (input.action === HELD_IN || input.action === 'searchMessages') return undefined;
  if (call.takes.includes('to') && !isAbsent(input.to)) return unlessHere(receiver(String(input.to)), here);
  if (call.takes.includes('channelId') && !isAbsent(input.channelId))
    return unlessHere(channelTarget(input.channelId, 'channelId'), here);
  return undefined;
}

/** This very chat or thread needs no naming: it is where who asks is at home. */
const unlessHere = (target: string, { chat, threadId }: ChatAddress): string | undefined =>
  target === `channel:${threadId ?? chat.id}` && chat.kind !== 'direct' ? undefined : target;

function channelTarget(value: unknown, name: string): string {
  const id = String(value)
    .trim()
    .replace(/^(?:discord:)?channel:/i, '')
    .replace(/^<#(\d+)>$/, '$1');
  if (!/^\d{1,25}$/.test(id))
    throw new AppError(
      'invalid',
      `Parameter ${name} has to be the id of a channel, not "${head(id, 40)}": channelList tells the ids.`,
    );
  return `channel:${id}`;
}

/** A bare number could be a person or a channel, a name could be anybody's. */
function receiver(to: string): string {
  const text = to.trim();
  const user = /^(?:user:|dm:|discord:(?:user:)?|<@!?)(\d{1,25})>?$/i.exec(text)?.[1];
  if (user) return `user:${user}`;
  const channel = /^(?:(?:discord:)?channel:|<#)(\d{1,25})>?$/i.exec(text)?.[1];
  if (channel) return `channel:${channel}`;
  if (/^\d+$/.test(text))
    throw new AppError('invalid', `to is ambiguous: write user:${text} for a person or channel:${text} for a channel.`);
  throw new AppError(
    'invalid',
    `to has to be channel:<id> or user:<id>, not "${head(text, 40)}": a name may be somebody else's. channelList and ` +
      'the ids of who wrote tell what there is.',
  );
}

const FILTERS: ReadonlySet<DiscordParameter> = new Set(['channelIds', 'authorId', 'authorIds']);

/** Several ways to name what is looked in and who wrote. */
export const filtersOf = (input: DiscordInput): Readonly<Record<string, unknown>> => ({
  channelIds: idsIn(input.channelId, input.channelIds, 'channelIds'),
  authorIds: idsIn(input.authorId, input.authorIds, 'authorIds'),
});

const idsIn = (single: unknown, several: unknown, name: string): readonly string[] =>
  [single, several]
    .flat()
    .filter((each) => !isAbsent(each))
    .map((each) => {
      const id = String(each).replace(/^(?:channel:|user:|<[#@]!?)(\d+)>?$/i, '$1');
      if (!/^\d{1,25}$/.test(id)) throw new AppError('invalid', `${name} has to hold ids, not "${head(id, 40)}".`);
      return id;
    });

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
