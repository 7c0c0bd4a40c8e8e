/** Reads the answers of `status` and `health` into one flat view; any field may be missing. Pure. */
import { record } from './record.ts';

export interface GatewayHealth {
  readonly phase?: string;
  readonly startedAt?: number;
  readonly sessions?: number;
  readonly activeTurns?: number;
  readonly queuedMessages?: number;
  readonly outboxPending?: number;
  readonly overdue?: number;
  readonly rssBytes?: number;
  readonly storage?: { readonly ok: boolean; readonly error?: string; readonly loss?: string };
  readonly config?: {
    readonly valid: boolean;
    readonly safeMode: boolean;
    readonly source?: string;
    readonly issues: readonly { readonly path: string; readonly problem: string; readonly fix?: string }[];
  };
  readonly eventLoop?: { readonly p99Ms?: number; readonly maxMs?: number; readonly utilization?: number };
  readonly model?: { readonly provider: string; readonly model: string; readonly source?: string };
}

type Fields = Readonly<Record<string, unknown>>;
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
const string = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const known = (facts: Fields): Fields =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));

const NUMBERS = ['startedAt', 'activeTurns', 'queuedMessages', 'outboxPending', 'overdue', 'rssBytes'];

/** Later payloads take precedence; facts may be at the top level or under `gateway`. */
export function readHealth(...payloads: readonly unknown[]): GatewayHealth {
  const all: Fields = Object.assign(
    {},
    ...payloads.map((payload) => ({ ...record(payload), ...record(record(payload)['gateway']) })),
  );
  return known({
    ...Object.fromEntries(NUMBERS.map((name) => [name, number(all[name])])),
    phase: string(all['phase']),
    sessions: number(all['sessions']) ?? number(record(all['sessions'])['count']),
    storage: readStorage(all['storage']),
    config: readConfig(all['config']),
    eventLoop: readLoop(all['eventLoop']),
    model: readModel(all['model']),
  });
}

function readStorage(value: unknown): GatewayHealth['storage'] {
  const { ok, error } = record(value);
  return typeof ok === 'boolean' ? { ok, ...(string(error) ? { error: string(error)! } : {}) } : undefined;
}

function readConfig(value: unknown): GatewayHealth['config'] {
  const { valid, safeMode, source, issues } = record(value);
  if (typeof valid !== 'boolean') return undefined;
  const list = Array.isArray(issues)
    ? issues.map(record).map(({ path, problem, message, fix }) => ({
        path: string(path) ?? '',
        problem: string(problem) ?? string(message) ?? '',
        ...(string(fix) ? { fix: string(fix)! } : {}),
      }))
    : [];
  return { valid, safeMode: safeMode === true, issues: list, ...(string(source) ? { source: string(source)! } : {}) };
}

function readLoop(value: unknown): GatewayHealth['eventLoop'] {
  const loop = record(value);
  const facts = known({
    p99Ms: number(loop['p99Ms']) ?? number(loop['delayP99Ms']),
    maxMs: number(loop['maxMs']) ?? number(loop['delayMaxMs']),
    utilization: number(loop['utilization']),
  });
  return Object.keys(facts).length > 0 ? facts : undefined;
}

function readModel(value: unknown): GatewayHealth['model'] {
  const { provider, model, source } = record(value);
  return typeof provider === 'string' && typeof model === 'string'
    ? { provider, model, ...(string(source) ? { source: string(source)! } : {}) }
    : undefined;
}

/** The built-in offline model needs no key and no network, and has only scripted answers. */
export const isOffline = (health: GatewayHealth): boolean => health.model?.provider === 'offline';
