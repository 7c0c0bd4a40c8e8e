/** Converts a call of a mapped path to a request: the first matching mapping, its transform, its templates. */
import { AppError } from '../../core/errors.ts';
import { inertLine } from '../../core/inert-line.ts';
import type { HookAgentRequest } from './hook-service.ts';
import type { HooksConfig } from './config.ts';
import { mappingsOf, type KnownMapping } from './presets.ts';
import { readTransformed, type Transformed } from './requests.ts';
import { chooseAgent, mappedSession, requestedSession } from './session-choice.ts';
import { fill, fillApart, type HookFacts, type Parted } from './template.ts';
import type { RunTransform } from './transform.ts';
import { marked, fromOutside } from './untrusted.ts';
import { head } from '../../core/cut.ts';

export type MappedCall =
  | { readonly do: 'nothing' }
  | {
      readonly do: 'wake';
      readonly wake: { readonly text: string; readonly mode: 'now' | 'next-heartbeat'; readonly agentId: string };
    }
  | { readonly do: 'agent'; readonly request: HookAgentRequest };

export interface MappedCallDeps {
  readonly rules: HooksConfig;
  readonly runTransform: RunTransform;
  defaultAgentId(): string;
  /** 16 hex characters. */
  newMark(): string;
  readonly signal: AbortSignal;
}

/** Undefined: no mapping takes this call. */
export function findMapping(
  { path, payload }: Pick<HookFacts, 'path' | 'payload'>,
  rules: Pick<HooksConfig, 'mappings' | 'presets'>,
): KnownMapping | undefined {
  const source =
    typeof payload === 'object' && payload !== null && Object.hasOwn(payload, 'source')
      ? (payload as { source: unknown }).source
      : undefined;
  return mappingsOf(rules).find(
    ({ match }) =>
      (match.path === undefined || match.path === path) && (match.source === undefined || match.source === source),
  );
}

/** `invalid` for a request nobody could act on; `internal` when the transform failed. */
export async function mapCall(mapping: KnownMapping, facts: HookFacts, deps: MappedCallDeps): Promise<MappedCall> {
  const answered = mapping.transform
    ? await deps.runTransform({ ...mapping.transform, dir: deps.rules.transformsDir }, facts, deps.signal)
    : { skip: false as const, value: undefined };
  if (answered.skip) return { do: 'nothing' };
  const said = answered.value === undefined ? {} : read(answered.value);
  const action = said.action ?? said.kind ?? mapping.action;
  return action === 'wake'
    ? wakeOf(mapping, said, { facts, ...deps })
    : { do: 'agent', request: agentOf(mapping, said, { facts, ...deps }) };
}

/** What its owner's code answers is no fault of the caller's. */
function read(answer: unknown): Partial<Transformed> {
  try {
    return readTransformed(answer);
  } catch (error) {
    throw new AppError(
      'internal',
      `The transform returned an invalid request: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

interface CallContext extends MappedCallDeps {
  readonly facts: HookFacts;
}

function wakeOf(
  mapping: KnownMapping,
  said: Partial<Transformed>,
  { facts, rules, defaultAgentId }: CallContext,
): MappedCall {
  const text =
    said.text ?? (mapping.textTemplate === undefined ? (said.message ?? '') : fill(mapping.textTemplate, facts));
  if (text.trim() === '')
    throw new AppError('invalid', `The hook "${facts.path}" has no text: set textTemplate in its mapping.`);
  return {
    do: 'wake',
    wake: {
      text: mapping.allowUnsafeExternalContent ? text.trim() : fromOutside(text),
      mode: said.mode ?? said.wakeMode ?? mapping.wakeMode,
      agentId: chooseAgent(said.agentId ?? mapping.agentId, rules, defaultAgentId()),
    },
  };
}

function agentOf(
  mapping: KnownMapping,
  said: Partial<Transformed>,
  { facts, rules, newMark, defaultAgentId }: CallContext,
): HookAgentRequest {
  const name =
    head(inertLine(said.name ?? (mapping.name === undefined ? '' : fill(mapping.name, facts))), 100) ||
    mapping.id ||
    facts.path;
  const agentId = chooseAgent(said.agentId ?? mapping.agentId, rules, defaultAgentId());
  const parted: Parted =
    said.message === undefined
      ? fillApart(mapping.messageTemplate ?? '', facts)
      : { before: '', outside: said.message.trim(), after: '' };
  const message = mapping.allowUnsafeExternalContent
    ? [parted.before, parted.outside, parted.after].filter(Boolean).join('\n')
    : marked(parted, { id: newMark(), source: mapping.source, name });
  if (message === '')
    throw new AppError('invalid', `The hook "${facts.path}" has no message: set messageTemplate in its mapping.`);
  const to = said.to ?? (mapping.to === undefined ? undefined : fill(mapping.to, facts).trim() || undefined);
  return {
    hook: facts.path,
    name,
    message,
    agentId,
    to,
    sessionKey:
      said.sessionKey === undefined
        ? mappedSession(mapping.sessionKey, { facts, rules, agentId })
        : requestedSession(said.sessionKey, rules, agentId),
    wakeMode: said.wakeMode ?? mapping.wakeMode,
    deliver: said.deliver ?? mapping.deliver,
    channel: said.channel ?? mapping.channel,
    model: said.model ?? mapping.model,
    thinking: said.thinking ?? mapping.thinking,
    timeoutSeconds: said.timeoutSeconds ?? mapping.timeoutSeconds,
  };
}
