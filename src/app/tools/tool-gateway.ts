/** What the `gateway` tool asks of the gateway its turn runs in: restart, configuration, update; within the rights of those who wrote to it. */
import type { z } from 'zod';
import { changedPaths } from '../../config/diff.ts';
import { guardedChanges, strangeKey } from '../../config/guarded-paths.ts';
import { parseJson5 } from '../../config/json5.ts';
import { isPlainObject } from '../../config/paths.ts';
import type { ChangeGuard, ConfigSnapshot, ConfigStore } from '../../config/store.ts';
import type { Act } from '../../core/access-table.ts';
import { inPerson } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import { insist, may, type KeepVerdict } from '../../core/may.ts';
import type { ChatAddress } from '../../core/message.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { Turn } from '../../core/turn.ts';
import type { GatewayServices, RestartRequest } from '../../gateway/services.ts';
import type { UpdateService } from '../../gateway/update-service.ts';
import { configApplyParams, configPatchParams } from '../../protocol/config.ts';
import { describeProblem } from '../../protocol/fields.ts';
import { restartParams } from '../../protocol/system.ts';
import { updateRunParams } from '../../protocol/update.ts';
import { needsRestart } from '../reload-rules.ts';
import { guardRefusal } from './turn-rights.ts';

export interface ToolGatewayDeps {
  readonly turn: Turn;
  readonly config: ConfigStore<{ readonly commands: { readonly restart?: boolean | undefined } }>;
  now(): number;
  canonicalKey(raw: string): string;
  requestRestart: GatewayServices['requestRestart'];
  /** Absent: this gateway cannot update itself. */
  readonly update?: UpdateService | undefined;
  keep?: KeepVerdict | undefined;
}

/** The rpc methods of the tool, for one turn. */
export type ToolGateway = Readonly<Record<'gateway.restart' | 'config.get' | 'config.schema' | 'config.apply' | 'config.patch' | 'update.run' | 'update.status', (params: unknown) => Promise<unknown>>>;

const MAX_DELAY_MS = 60_000;
const NOTE_LENGTH = 1000;

export function createToolGateway(deps: ToolGatewayDeps): ToolGateway {
  const { config } = deps;
  return {
    'gateway.restart': async (params) => {
      checkRestart(deps);
      const { delayMs, reason, sessionKey, note } = read(restartParams, params);
      return { ok: true, pid: process.pid, signal: 'SIGUSR1', mode: 'emit', ...(reason ? { reason } : {}), ...planRestart(deps, { reason: reason || 'the gateway tool', kind: 'restart', delayMs, sessionKey, note }) };
    },
    'config.get': async () => {
      checkRight(deps, ['read', 'configuration'], 'read the configuration');
      return shown(config.redacted());
    },
    // What every copy of the product says in its documentation.
    'config.schema': async () => config.schema(),
    'config.apply': async (params) => {
      checkRight(deps, ['change', 'configuration'], 'change the configuration');
      const { raw, baseHash, ...restart } = read(configApplyParams, params);
      checkDocument(raw);
      return change(deps, { baseHash, restart: { ...restart, restartDelayMs: restart.restartDelayMs ?? 2000 }, write: (guard) => config.replace(raw, baseHash, guard), reason: 'config.apply' });
    },
    'config.patch': async (params) => {
      checkRight(deps, ['change', 'configuration'], 'change the configuration');
      const { raw, baseHash, ...restart } = read(configPatchParams, params);
      const patch = checkDocument(raw, '$include');
      return change(deps, { baseHash, restart, write: (guard) => config.patch(patch, baseHash, guard), reason: 'config.patch' });
    },
    'update.run': async (params) => {
      checkRight(deps, ['restart', 'gateway'], 'update the gateway');
      if (!deps.update) throw new AppError('unsupported', 'This gateway cannot update itself.');
      const { progress, ...rest } = isPlainObject(params) ? params : {};
      const { timeoutMs, restartDelayMs, sessionKey, note } = read(updateRunParams, rest);
      const { restart, ...result } = await deps.update.run({
        timeoutMs, restartDelayMs, note: note?.slice(0, NOTE_LENGTH), ...whomToTell(deps, sessionKey),
        ...(typeof progress === 'function' ? { progress: progress as (text: string) => void } : {}),
      });
      return { ok: result.status !== 'error', result, ...(restart ? { restart } : {}) };
    },
    'update.status': async () => {
      checkRight(deps, ['restart', 'gateway'], 'look for updates');
      if (!deps.update) throw new AppError('unsupported', 'This gateway cannot update itself.');
      return deps.update.status({ refresh: false });
    },
  };
}

/** It takes a message of the owner (`commands.ownerAllowFrom`), or the scope for it. */
function checkRight({ turn, keep }: Pick<ToolGatewayDeps, 'turn' | 'keep'>, [verb, kind]: Act, what: string): void {
  const verdict = may(turn.authority, verb, { kind });
  insist(verdict, `This conversation may not ${what}: it takes a message of the owner, and of nobody else (commands.ownerAllowFrom).`);
  keep?.(turn, verdict);
}

/** `commands.restart`: false forbids it to everybody, true allows it to every conversation; absent, it takes the owner. */
function checkRestart({ turn, config, keep }: ToolGatewayDeps): void {
  const { restart } = config.current().commands;
  if (restart === false) throw new AppError('denied', 'Restarts are turned off (commands.restart is false). The owner can set it, or restart the gateway by hand.');
  const verdict = may(turn.authority, 'restart', { kind: 'gateway' });
  keep?.(turn, verdict);
  if (verdict.ok || (restart === true && inPerson(turn.authority))) return;
  throw new AppError('denied', 'This conversation may not restart the gateway: it takes a message of the owner, or commands.restart set to true.');
}

function read<S extends z.ZodType>(schema: S, params: unknown): z.output<S> {
  const parsed = schema.safeParse(isPlainObject(params) && params['baseHash'] === '' ? { ...params, baseHash: undefined } : (params ?? {}));
  if (!parsed.success) throw new AppError('invalid', describeProblem(parsed.error));
  return parsed.data;
}

/** A document that can be judged: an object, without keys that are no settings. */
function checkDocument(raw: string, ...never: readonly string[]): Record<string, unknown> {
  const parsed = parseJson5(raw);
  if (!parsed.ok) throw new AppError('invalid', `raw is ${parsed.problem}.`);
  if (!isPlainObject(parsed.value)) throw new AppError('invalid', 'raw must be an object of settings.');
  const strange = strangeKey(parsed.value);
  if (strange !== undefined && (strange !== '$include' || never.includes(strange))) throw new AppError('denied', `raw has the key ${strange}, which is no setting.`);
  return parsed.value;
}

interface Change {
  readonly baseHash: string | undefined;
  readonly reason: 'config.apply' | 'config.patch';
  readonly restart: { readonly restartDelayMs?: number | undefined; readonly sessionKey?: string | undefined; readonly note?: string | undefined };
  write(guard: ChangeGuard): Promise<ConfigSnapshot<unknown>>;
}

async function change(deps: ToolGatewayDeps, { baseHash, write, reason, restart: { restartDelayMs, sessionKey, note } }: Change): Promise<unknown> {
  const before = deps.config.snapshot();
  // Read on the caller's behalf it would always fit, and what somebody else wrote meanwhile would be lost unseen.
  if (!baseHash && before.exists) throw new AppError('invalid', 'baseHash is required: run config.get and pass the hash it answers.');
  const who = whomToTell(deps, sessionKey);
  const after = await write(refuseGuarded).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError('conflict', 'The configuration changed since it was read. Run config.get again and repeat the change with the hash it answers.', { cause: error });
  });
  const changed = changedPaths(before.config, after.config);
  // What the reload rules restart for anyway is asked for here too, so that this conversation is told.
  const restarts = restartDelayMs !== undefined || changed.some(needsRestart);
  return {
    ok: true, path: after.path, hash: after.hash, changed,
    ...(after.warnings.length > 0 ? { warnings: after.warnings.slice(0, 20) } : {}),
    ...(restarts ? { restart: planRestart(deps, { reason, kind: 'config-apply', delayMs: restartDelayMs, note, ...who }) } : {}),
  };
}

const refuseGuarded: ChangeGuard = (made) => {
  const [first, ...others] = guardedChanges(made);
  if (first) throw guardRefusal(first, others.length);
};

function planRestart(deps: ToolGatewayDeps, { reason, kind, delayMs, sessionKey, note }: Pick<RestartRequest, 'reason'> & { readonly kind: NonNullable<RestartRequest['kind']>; readonly delayMs: number | undefined; readonly sessionKey?: string | undefined; readonly note?: string | undefined }): { readonly delayMs: number; readonly scheduledAt: number; readonly joined?: true } {
  const { scheduledAt, joined } = deps.requestRestart({
    reason, kind, note: `⚙️ The gateway is back${kind === 'config-apply' ? ' with the changed configuration' : ''}.${note ? ` ${note.slice(0, NOTE_LENGTH)}` : ''}`,
    ...(delayMs === undefined ? {} : { delayMs: Math.min(MAX_DELAY_MS, delayMs) }), ...whomToTell(deps, sessionKey),
  });
  return { delayMs: Math.max(0, scheduledAt - deps.now()), scheduledAt, ...(joined ? { joined } : {}) };
}

/** The conversation of the turn, in its chat and thread; or another of the same agent, by its agent. */
function whomToTell({ turn, canonicalKey }: ToolGatewayDeps, asked: string | undefined): Pick<RestartRequest, 'sessionKey' | 'replyTo' | 'authority'> {
  const { authority, route } = turn;
  const key = asked?.trim() ? canonicalKey(asked) : route.sessionKey;
  if (key === route.sessionKey) return { sessionKey: key, replyTo: withoutVia(route.replyTo), authority };
  if (parseSessionKey(key)?.agentId !== route.agentId) throw new AppError('denied', 'Tools reach the conversations of their own agent only.');
  return { sessionKey: key, authority };
}

/** The other way answers to one message may go is gone by then. */
function withoutVia(address: ChatAddress): ChatAddress {
  const { via: _, ...rest } = address;
  return rest;
}

function shown({ path, exists, hash, valid, source, safeMode, issues, warnings, raw, parsed, config }: ConfigSnapshot<unknown>): unknown {
  return { path, exists, hash, valid, source, safeMode, issues, warnings, raw, parsed, config };
}
