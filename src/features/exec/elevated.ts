/**
 * Decides who may run commands outside the sandbox or skip approvals: every check must pass, and the result names those
 * that failed. Pure.
 */
import type { AgentElevatedConfig, ElevatedConfig } from './config.ts';
import type { ElevatedLevel } from '../../core/command-levels.ts';
import { present } from '../../core/present.ts';

export interface ElevationRequest {
  readonly config: Pick<ElevatedConfig, 'enabled' | 'allowFrom'>;
  /** It may only restrict. */
  readonly agent?: Pick<AgentElevatedConfig, 'enabled' | 'allowFrom'> | undefined;
  readonly agentId: string;
  /** From the message, else of the session, else the default. */
  readonly level: ElevatedLevel;
  /** What the model said in this call; absent: nothing. */
  readonly isRequested?: boolean | undefined;
  readonly channel: string;
  /** Of every message in the turn, by the channel's stable ids. None: nobody is there to be allowed. */
  readonly senders: readonly string[];
  /** It comes from the gateway's own surface, from somebody with all rights there. */
  readonly operator: boolean;
  /** Who may write directly, where a channel with no list of its own falls back to that. */
  readonly fallbackAllowFrom?: readonly string[] | undefined;
  readonly sessionKey: string;
  readonly sandboxed: boolean;
  /** An entry as the channel spells its senders; undefined for a name. Absent: as it stands. */
  readonly entryOf?: ((entry: string) => string | undefined) | undefined;
}

export interface FailedGate {
  readonly gate: 'enabled' | 'allowFrom';
  /** The setting that would open it. */
  readonly setting: string;
}

/** `level` is what is in force: never `on`, which means `ask`. */
export type Elevation =
  | {
      readonly allowed: true;
      readonly level: ElevatedLevel;
      /** Only the model asked for it: a person has to say yes to this very call. */
      readonly confirm?: true;
    }
  | {
      readonly allowed: false;
      readonly level: 'off';
      readonly failing: readonly FailedGate[];
      readonly message: string;
    };

/**
 * A level that is only the default falls back to `off` where it is not allowed; what was asked for is refused aloud.
 */
export function elevation(request: ElevationRequest): Elevation {
  const { isRequested, level } = request;
  if (isRequested === false || (isRequested === undefined && level === 'off')) return { allowed: true, level: 'off' };
  const failing = failingGates(request);
  if (failing.length === 0)
    return present({
      allowed: true,
      level: level === 'full' ? 'full' : 'ask',
      confirm: leavesByItself(request) ? (true as const) : undefined,
    });
  return isRequested === undefined
    ? { allowed: true, level: 'off' }
    : { allowed: false, level: 'off', failing, message: refusal(request, failing) };
}

/**
 * A sandbox is not left by the model's word: somebody set the level, or every sender is listed by an entry of their
 * own.
 */
function leavesByItself({
  isRequested,
  level,
  sandboxed,
  config,
  channel,
  senders,
  entryOf,
}: ElevationRequest): boolean {
  if (!isRequested || level !== 'off' || !sandboxed) return false;
  const listed = listFor(config.allowFrom, channel)?.filter((id) => id.trim() !== '*');
  return listed === undefined || !admits(listed, senders, entryOf);
}

/** Empty: all are open. */
export function failingGates(
  request: Omit<ElevationRequest, 'level' | 'asked' | 'sessionKey' | 'sandboxed'>,
): readonly FailedGate[] {
  const { config, agent, agentId, channel, senders, operator, fallbackAllowFrom, entryOf } = request;
  const own = `agents.list[${agentId}].tools.elevated`;
  // Nobody but the operator is allowed where no list says so.
  const listed = listFor(config.allowFrom, channel) ?? fallbackAllowFrom;
  const general = listed === undefined ? operator : admits(listed, senders, entryOf);
  const ownList = agent?.allowFrom;
  const particular = ownList === undefined || admits(listFor(ownList, channel) ?? [], senders, entryOf);
  return [
    ...(config.enabled ? [] : [{ gate: 'enabled', setting: 'tools.elevated.enabled' } as const]),
    ...(agent?.enabled === false ? [{ gate: 'enabled', setting: `${own}.enabled` } as const] : []),
    ...(general ? [] : [{ gate: 'allowFrom', setting: `tools.elevated.allowFrom.${channel}` } as const]),
    ...(particular ? [] : [{ gate: 'allowFrom', setting: `${own}.allowFrom.${channel}` } as const]),
  ];
}

/** A key that is not its own is no list: `allowFrom.constructor`. */
export const listFor = (
  lists: Readonly<Record<string, readonly string[]>>,
  channel: string,
): readonly string[] | undefined => (Object.hasOwn(lists, channel) ? lists[channel] : undefined);

/** Everybody who wrote must be on the list: words of one who is not must not ride along. */
function admits(
  list: readonly string[],
  senders: readonly string[],
  entryOf: (entry: string) => string | undefined = (entry) => entry,
): boolean {
  const ids = new Set(list.flatMap((entry) => entryOf(entry) ?? []).map(folded));
  return senders.length > 0 && senders.every((sender) => ids.has('*') || ids.has(folded(sender)));
}

const folded = (id: string): string => id.trim().toLowerCase();

function refusal(
  { sandboxed, channel, sessionKey, agentId }: ElevationRequest,
  failing: readonly FailedGate[],
): string {
  return [
    `elevated is not available right now (runtime=${sandboxed ? 'sandboxed' : 'direct'}).`,
    `Closed: ${failing.map(({ gate, setting }) => `${gate} (${setting})`).join(', ')}.`,
    `Context: provider=${channel} session=${sessionKey}`,
    'Settings that open it:',
    '- tools.elevated.enabled',
    `- tools.elevated.allowFrom.${channel}`,
    `- agents.list[${agentId}].tools.elevated.enabled`,
    `- agents.list[${agentId}].tools.elevated.allowFrom.${channel}`,
  ].join('\n');
}
