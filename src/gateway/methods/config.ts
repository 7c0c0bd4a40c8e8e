/** Serves `config.*`: reads and changes the configuration file, with secrets hidden. */
import { AppError } from '../../core/errors.ts';
import type { ConfigHint, ConfigSnapshot, Issue } from '../../config/store.ts';
import { present } from '../../core/present.ts';
import type { Answers } from '../../protocol/answers.ts';
import type { WireConfigIssue } from '../../protocol/answers/config.ts';
import {
  configApplyParams,
  configGetParams,
  configHistoryParams,
  configPatchParams,
  configRestoreParams,
  configSchemaParams,
  configSetParams,
} from '../../protocol/config.ts';
import { method, refuse, type Call, type Methods } from './method.ts';

const DEFAULT_RESTART_DELAY_MS = 2000;
const MAX_RESTART_DELAY_MS = 60_000;

export const configMethods: Methods = {
  'config.get': method({
    summary: 'The configuration file without its secrets, and its hash.',
    needs: 'operator.read',
    params: configGetParams,
    run: (_params, { services }) => shown(services.config.redacted()),
  }),

  'config.schema': method({
    summary: 'JSON Schema of the configuration and hints for forms.',
    needs: 'operator.read',
    params: configSchemaParams,
    run: (_params, { services, clock }) => {
      const { schema, uiHints } = services.config.schema();
      return {
        schema,
        uiHints: Object.fromEntries(Object.entries(uiHints).map(([path, hint]) => [path, wireHint(hint)])),
        version: services.version,
        generatedAt: new Date(clock.now()).toISOString(),
      };
    },
  }),

  'config.set': method({
    summary: 'Replaces the configuration file.',
    needs: 'operator.admin',
    params: configSetParams,
    async run({ raw, baseHash }, call) {
      requireHash(call, baseHash);
      await call.services.config.replace(raw, baseHash);
      return saved(call);
    },
  }),

  'config.history': method({
    summary: 'The last replaced versions of the configuration file, without their secrets.',
    needs: 'operator.read',
    params: configHistoryParams,
    run: async (_params, { services }) => ({ versions: await services.config.versions() }),
  }),

  'config.restore': method({
    summary: 'Puts a replaced version of the configuration file back.',
    needs: 'operator.admin',
    params: configRestoreParams,
    async run({ version, baseHash }, call) {
      requireHash(call, baseHash);
      await call.services.config.restore(version, baseHash);
      return saved(call);
    },
  }),

  // Edits one value at a time and lets the reload rules decide whether that needs a restart.
  'config.patch': method({
    summary: 'Changes single values of the configuration file, keeping comments.',
    needs: 'operator.admin',
    params: configPatchParams,
    async run(params, call) {
      requireHash(call, params.baseHash);
      await call.services.config.patch(await mergePatch(params.raw), params.baseHash);
      return { ...saved(call), ...(params.restartDelayMs === undefined ? {} : restart(call, 'config.patch', params)) };
    },
  }),

  'config.apply': method({
    summary: 'Replaces the configuration file and restarts.',
    needs: 'operator.admin',
    params: configApplyParams,
    async run(params, call) {
      requireHash(call, params.baseHash);
      await call.services.config.replace(params.raw, params.baseHash);
      return { ...saved(call), ...restart(call, 'config.apply', params) };
    },
  }),
};

/** Two people with the file open must not overwrite each other unseen. */
function requireHash({ services }: Call, baseHash: string | undefined): void {
  if (baseHash === undefined && services.config.snapshot().exists)
    throw refuse('baseHash is required because the file exists; read config.get and send its hash', {
      code: 'CONFIG_BASE_HASH_REQUIRED',
    });
}

async function mergePatch(raw: string): Promise<unknown> {
  const { default: json5 } = await import('json5');
  let patch: unknown;
  try {
    patch = json5.parse(raw);
  } catch (error) {
    throw new AppError('invalid', `raw is not JSON5: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw refuse('raw must be an object whose values replace, and whose nulls delete');
  return patch;
}

function restart(
  { services }: Call,
  reason: string,
  params: { restartDelayMs?: number | undefined; sessionKey?: string | undefined; note?: string | undefined },
): Pick<Answers['config.apply'], 'restart'> {
  const delayMs = Math.min(params.restartDelayMs ?? DEFAULT_RESTART_DELAY_MS, MAX_RESTART_DELAY_MS);
  const { scheduledAt } = services.requestRestart(
    present({
      reason,
      kind: 'config-apply',
      delayMs,
      sessionKey: params.sessionKey || undefined,
      note: params.note || undefined,
    }),
  );
  return { restart: { ok: true, delayMs, scheduledAt, reason } };
}

function saved({ services }: Call): Answers['config.set'] {
  const { path, config, hash } = services.config.redacted();
  return { ok: true, path, config, hash };
}

const shown = (snapshot: ConfigSnapshot<unknown>): Answers['config.get'] => ({
  path: snapshot.path,
  exists: snapshot.exists,
  raw: snapshot.raw,
  hash: snapshot.hash,
  parsed: snapshot.parsed,
  valid: snapshot.valid,
  config: snapshot.config,
  source: snapshot.source,
  safeMode: snapshot.safeMode,
  issues: snapshot.issues.map(wireIssue),
  warnings: snapshot.warnings.map(wireIssue),
  legacyIssues: [],
});

const wireIssue = ({ path, problem, fix }: Issue): WireConfigIssue =>
  present({ path, message: fix ? `${problem}; ${fix}` : problem, problem, fix: fix || undefined });

const wireHint = ({
  label,
  help,
  group,
  order,
  advanced,
  sensitive,
  placeholder,
}: ConfigHint): Answers['config.schema']['uiHints'][string] =>
  Object.fromEntries(
    Object.entries({ label, help, group, order, advanced, sensitive, placeholder }).filter(
      ([, value]) => value !== undefined,
    ),
  );
