/** Serves the `gateway` tool: restart and configuration, within the rights of the turn's requesters. */
import { changedPaths } from '../config/diff.ts';
import { guardedChanges, unsafeKey } from '../config/guarded-paths.ts';
import type { JoinedRules } from '../config/setting-rules.ts';
import { parseJson5 } from '../config/json5.ts';
import { isPlainObject } from '../config/paths.ts';
import type { ChangeGuard, ConfigSnapshot, ConfigStore } from '../config/store.ts';
import { isDirectRequest } from '../core/authority.ts';
import { AppError } from '../core/errors.ts';
import { may, type RecordAccess } from '../core/may.ts';
import type { Turn } from '../core/turn.ts';
import type { RestartRequest, RequestRestart } from '../host/restart.ts';
import { configApplyParams, configPatchParams } from '../protocol/config.ts';
import { restartParams } from '../protocol/system.ts';
import { assertOwner, MAX_NOTE_LENGTH, readToolParams, notificationTarget } from '../host/turn-request.ts';
import { guardRefusal } from './turn-rights.ts';
import { head } from '../core/cut.ts';
import { present } from '../core/present.ts';

export interface ToolGatewayDeps {
  readonly turn: Turn;
  readonly config: ConfigStore<{ readonly commands: { readonly restart?: boolean | undefined } }>;
  /** Whether a change of this setting restarts the gateway. */
  needsRestart(path: string): boolean;
  now(): number;
  canonicalKey(raw: string): string;
  requestRestart: RequestRestart;
  keep?: RecordAccess | undefined;
}

/** The rpc methods of the tool, for one turn. */
export type ToolGateway = Readonly<
  Record<
    'gateway.restart' | 'config.get' | 'config.schema' | 'config.apply' | 'config.patch',
    (params: unknown) => Promise<unknown>
  >
>;

const MAX_DELAY_MS = 60_000;

export function createToolGateway(deps: ToolGatewayDeps): ToolGateway {
  const { config } = deps;
  return {
    'gateway.restart': async (params) => {
      checkRestart(deps);
      const { delayMs, reason, sessionKey, note } = readToolParams(restartParams, params);
      return {
        ok: true,
        pid: process.pid,
        signal: 'SIGUSR1',
        mode: 'emit',
        ...present({ reason: reason || undefined }),
        ...planRestart(deps, { reason: reason || 'the gateway tool', kind: 'restart', delayMs, sessionKey, note }),
      };
    },
    'config.get': async () => {
      assertOwner(deps, ['read', 'configuration'], 'read the configuration');
      return shown(config.redacted());
    },
    // What every copy of the product says in its documentation.
    'config.schema': async () => config.schema(),
    'config.apply': async (params) => {
      assertOwner(deps, ['change', 'configuration'], 'change the configuration');
      const { raw, baseHash, ...restart } = readToolParams(configApplyParams, withoutEmptyHash(params));
      checkDocument(raw);
      return change(deps, {
        baseHash,
        restart: { ...restart, restartDelayMs: restart.restartDelayMs ?? 2000 },
        write: (guard) => config.replace(raw, baseHash, guard),
        reason: 'config.apply',
      });
    },
    'config.patch': async (params) => {
      assertOwner(deps, ['change', 'configuration'], 'change the configuration');
      const { raw, baseHash, ...restart } = readToolParams(configPatchParams, withoutEmptyHash(params));
      const patch = checkDocument(raw, '$include');
      return change(deps, {
        baseHash,
        restart,
        write: (guard) => config.patch(patch, baseHash, guard),
        reason: 'config.patch',
      });
    },
  };
}

/**
 * `commands.restart`: false forbids it to everybody, true allows it to every conversation; absent, it takes the owner.
 */
function checkRestart({ turn, config, keep }: ToolGatewayDeps): void {
  const { restart } = config.current().commands;
  if (restart === false)
    throw new AppError(
      'denied',
      'Restarts are disabled (commands.restart is false). The owner can enable them, or restart the gateway manually.',
    );
  const check = may(turn.authority, 'restart', { kind: 'gateway' });
  keep?.(turn, check);
  if (check.ok || (restart === true && isDirectRequest(turn.authority))) return;
  throw new AppError(
    'denied',
    'This conversation may not restart the gateway: only a message from the owner may, unless commands.restart ' +
      'is true.',
  );
}

/** Models write an empty text where they mean none. */
const withoutEmptyHash = (params: unknown): unknown =>
  isPlainObject(params) && params['baseHash'] === '' ? { ...params, baseHash: undefined } : params;

/** A document that can be checked: an object, without keys that are no settings. */
function checkDocument(raw: string, ...never: readonly string[]): Record<string, unknown> {
  const parsed = parseJson5(raw);
  if (!parsed.ok) throw new AppError('invalid', `raw is ${parsed.problem}.`);
  if (!isPlainObject(parsed.value)) throw new AppError('invalid', 'raw must be an object of settings.');
  const strange = unsafeKey(parsed.value);
  if (strange !== undefined && (strange !== '$include' || never.includes(strange)))
    throw new AppError('denied', `raw has the key ${strange}, which is not a setting.`);
  return parsed.value;
}

interface Change {
  readonly baseHash: string | undefined;
  readonly reason: 'config.apply' | 'config.patch';
  readonly restart: {
    readonly restartDelayMs?: number | undefined;
    readonly sessionKey?: string | undefined;
    readonly note?: string | undefined;
  };
  write(guard: ChangeGuard): Promise<ConfigSnapshot<unknown>>;
}

async function change(
  deps: ToolGatewayDeps,
  { baseHash, write, reason, restart: { restartDelayMs, sessionKey, note } }: Change,
): Promise<unknown> {
  const before = deps.config.snapshot();
  // Read on the caller's behalf it would always fit, and what somebody else wrote meanwhile would be lost unseen.
  if (!baseHash && before.exists)
    throw new AppError('invalid', 'baseHash is required: run config.get and pass the hash it returns.');
  const who = notificationTarget(deps, sessionKey);
  const after = await write(refuseGuarded(deps.config.rules)).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    throw new AppError(
      'conflict',
      'The configuration changed since it was read. Run config.get again and repeat the change with the hash ' +
        'it answers.',
      { cause: error },
    );
  });
  const changed = changedPaths(before.config, after.config);
  // Restarts by the reload rules are requested here too, so that this conversation is notified.
  const restarts = restartDelayMs !== undefined || changed.some(deps.needsRestart);
  return {
    ok: true,
    path: after.path,
    hash: after.hash,
    changed,
    ...present({
      warnings: after.warnings.length > 0 ? after.warnings.slice(0, 20) : undefined,
      restart: restarts
        ? planRestart(deps, { reason, kind: 'config-apply', delayMs: restartDelayMs, note, ...who })
        : undefined,
    }),
  };
}

const refuseGuarded =
  (rules: JoinedRules): ChangeGuard =>
  (made) => {
    const [first, ...others] = guardedChanges(made, rules);
    if (first) throw guardRefusal(first, others.length);
  };

function planRestart(
  deps: ToolGatewayDeps,
  {
    reason,
    kind,
    delayMs,
    sessionKey,
    note,
  }: Pick<RestartRequest, 'reason'> & {
    readonly kind: NonNullable<RestartRequest['kind']>;
    readonly delayMs: number | undefined;
    readonly sessionKey?: string | undefined;
    readonly note?: string | undefined;
  },
): { readonly delayMs: number; readonly scheduledAt: number; readonly joined?: true } {
  const { scheduledAt, joined } = deps.requestRestart({
    reason,
    kind,
    note:
      '⚙️ The gateway is ' +
      `back${kind === 'config-apply' ? ' with the changed configuration' : ''}.${note ? ` ${head(note, MAX_NOTE_LENGTH)}` : ''}`,
    ...present({ delayMs: delayMs !== undefined ? Math.min(MAX_DELAY_MS, delayMs) : undefined }),
    ...notificationTarget(deps, sessionKey),
  });
  return present({ delayMs: Math.max(0, scheduledAt - deps.now()), scheduledAt, joined: joined || undefined });
}

function shown({
  path,
  exists,
  hash,
  valid,
  source,
  safeMode,
  issues,
  warnings,
  raw,
  parsed,
  config,
}: ConfigSnapshot<unknown>): unknown {
  return { path, exists, hash, valid, source, safeMode, issues, warnings, raw, parsed, config };
}
