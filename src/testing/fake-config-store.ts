/** A configuration store over one JSON string in memory, with the hash rules of the real one. */
import { AppError } from '../core/errors.ts';
import { sha256Hex } from '../platform/ids.ts';
import type { ConfigSnapshot, ConfigStore } from '../config/store.ts';
import { NO_RULES } from '../config/setting-rules.ts';

export function createFakeConfigStore(initial: unknown = {}): ConfigStore<unknown> {
  let raw = JSON.stringify(initial, null, 2);
  const listeners = new Set<(next: unknown, previous: unknown, changed: readonly string[]) => void>();

  const snapshot = (): ConfigSnapshot<unknown> => {
    const parsed: unknown = JSON.parse(raw);
    return {
      path: '/fake/clawdbot.json',
      exists: true,
      raw,
      hash: sha256Hex(raw),
      parsed,
      valid: true,
      config: parsed,
      source: 'file',
      safeMode: false,
      issues: [],
      warnings: [],
    };
  };
  const save = async (next: string, baseHash?: string): Promise<ConfigSnapshot<unknown>> => {
    const before = snapshot();
    if (baseHash !== undefined && baseHash !== before.hash)
      throw new AppError('conflict', 'config changed since last load; read it again and retry');
    try {
      JSON.parse(next);
    } catch (error) {
      throw new AppError('invalid', 'The document is not valid JSON5.', { cause: error });
    }
    raw = next;
    for (const listener of listeners) listener(snapshot().config, before.config, ['*']);
    return snapshot();
  };

  return {
    rules: NO_RULES,
    current: () => snapshot().config,
    snapshot,
    redacted: snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reload: async () => snapshot(),
    edit: (edits, baseHash) =>
      save(
        JSON.stringify(
          edits.reduce<unknown>((doc, edit) => mergePatch(doc, nest(edit.path, edit.value)), snapshot().parsed),
          null,
          2,
        ),
        baseHash,
      ),
    replace: save,
    versions: async () => [],
    restore: () => Promise.reject(new AppError('unsupported', 'The fake has no versions.')),
    patch: (patch, baseHash) => save(JSON.stringify(mergePatch(snapshot().parsed, patch), null, 2), baseHash),
    overrides: () => ({}),
    override: () => Promise.reject(new AppError('unsupported', 'The fake has no overrides.')),
    resetOverrides: async () => snapshot(),
    explain: (path) => ({ path, value: undefined, from: 'unset' }),
    schema: () => ({
      schema: { type: 'object' },
      uiHints: { 'gateway.auth.token': { label: 'Token', sensitive: true } },
    }),
    async [Symbol.asyncDispose]() {
      listeners.clear();
    },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const nest = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

/** RFC 7396. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}
