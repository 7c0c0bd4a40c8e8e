/** Reads what `status` and `health` tell into one flat view; every field may be missing. Pure. */

export interface GatewayHealth {
  readonly phase?: string;
  readonly startedAt?: number;
  readonly sessions?: number;
  readonly activeTurns?: number;
  readonly queuedMessages?: number;
  readonly outboxPending?: number;
  readonly overdue?: number;
  readonly rssBytes?: number;
  readonly storage?: { readonly ok: boolean; readonly error?: string };
  readonly config?: { readonly valid: boolean; readonly safeMode: boolean; readonly source?: string; readonly issues: readonly { readonly path: string; readonly problem: string; readonly fix?: string }[] };
  readonly eventLoop?: { readonly p99Ms?: number; readonly maxMs?: number; readonly utilization?: number };
  readonly model?: { readonly provider: string; readonly model: string; readonly source?: string };
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const number = (value: unknown): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const string = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Later payloads win over earlier ones; facts may stand at the top or under `gateway`. */
export function readHealth(...payloads: readonly unknown[]): GatewayHealth {
  const all: Fields = Object.assign({}, ...payloads.map((payload) => ({ ...fields(payload), ...fields(fields(payload)['gateway']) })));
  const view: Record<string, unknown> = {
    phase: string(all['phase']), startedAt: number(all['startedAt']), sessions: number(all['sessions']) ?? number(fields(all['sessions'])['count']),
    activeTurns: number(all['activeTurns']), queuedMessages: number(all['queuedMessages']), outboxPending: number(all['outboxPending']),
    overdue: number(all['overdue']), rssBytes: number(all['rssBytes']),
    storage: readStorage(all['storage']), config: readConfig(all['config']), eventLoop: readLoop(all['eventLoop']), model: readModel(all['model']),
  };
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}

function readStorage(value: unknown): GatewayHealth['storage'] {
  const { ok, error } = fields(value);
  return typeof ok === 'boolean' ? { ok, ...(string(error) ? { error: string(error)! } : {}) } : undefined;
}

function readConfig(value: unknown): GatewayHealth['config'] {
  const { valid, safeMode, source, issues } = fields(value);
  if (typeof valid !== 'boolean') return undefined;
  const list = Array.isArray(issues) ? issues.map((issue) => ({ path: string(fields(issue)['path']) ?? '', problem: string(fields(issue)['problem']) ?? string(fields(issue)['message']) ?? '', ...(string(fields(issue)['fix']) ? { fix: string(fields(issue)['fix'])! } : {}) })) : [];
  return { valid, safeMode: safeMode === true, issues: list, ...(string(source) ? { source: string(source)! } : {}) };
}

function readLoop(value: unknown): GatewayHealth['eventLoop'] {
  const loop = fields(value);
  const p99Ms = number(loop['p99Ms']) ?? number(loop['delayP99Ms']);
  const maxMs = number(loop['maxMs']) ?? number(loop['delayMaxMs']);
  const utilization = number(loop['utilization']);
  if (p99Ms === undefined && maxMs === undefined && utilization === undefined) return undefined;
  return { ...(p99Ms === undefined ? {} : { p99Ms }), ...(maxMs === undefined ? {} : { maxMs }), ...(utilization === undefined ? {} : { utilization }) };
}

function readModel(value: unknown): GatewayHealth['model'] {
  const { provider, model, source } = fields(value);
  return typeof provider === 'string' && typeof model === 'string' ? { provider, model, ...(string(source) ? { source: string(source)! } : {}) } : undefined;
}

/** The built-in model that needs neither key nor network, and says only so much. */
export const isOffline = (health: GatewayHealth): boolean => health.model?.provider === 'offline';
