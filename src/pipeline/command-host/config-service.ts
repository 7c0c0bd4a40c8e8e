/** How `/config`, `/debug` and `/allowlist` read and change the configuration. */
import { getAt, parsePath } from '../../config/paths.ts';
import { redactValue } from '../../config/redact.ts';
import type { JsonSchema } from '../../config/schema-hints.ts';
import type { ConfigStore } from '../../config/store.ts';
import { AppError } from '../../core/errors.ts';
import type { ConfigService } from '../commands/command-host.ts';

export function createConfigService(
  store: ConfigStore<unknown>,
  needsRestart: (path: string) => boolean,
): ConfigService {
  async function change(path: string, value: unknown): Promise<{ restarts: boolean; warnings: readonly string[] }> {
    const { warnings } = await store.edit([{ path, value }]);
    const here = warnings.filter(
      (one) => path === one.path || path.startsWith(`${one.path}.`) || one.path.startsWith(`${path}.`),
    ); // the others are older than this change
    return {
      restarts: needsRestart(path),
      warnings: value === undefined ? [] : here.map(({ problem, fix }) => `${problem}.${fix ? ` ${fix}` : ''}`),
    };
  }
  return {
    show: (path) => getAt(store.redacted().parsed, path === undefined ? [] : parsePath(path)),
    set: change,
    unset: (path) => change(path, undefined),
    overrides: () => redactValue(store.overrides(), store.schema().schema as JsonSchema),
    async override(path, value) {
      if (needsRestart(path))
        throw new AppError(
          'invalid',
          `${path} takes effect after a restart, which clears overrides. Set it in the configuration file.`,
        );
      await store.override(path, value);
    },
    async resetOverrides() {
      await store.resetOverrides();
    },
  };
}
