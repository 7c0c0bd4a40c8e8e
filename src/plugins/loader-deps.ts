/** The dependencies of finding and loading plugins. */
import type { Log } from '../core/log.ts';
import type { Tool } from '../core/tool.ts';
import type { PluginsConfig } from './config.ts';

export interface LoaderDeps {
  readonly config: PluginsConfig;
  readonly log: Log;
  /** For `~/` in paths. */
  readonly home: string;
  /** Where npm packages are searched: a folder with `node_modules`. */
  readonly packagesFrom?: string;
  /** Folders that others put files into: no code comes from there. */
  readonly closed: readonly string[];
  /** Milliseconds a plugin may take to load; default 30 s. */
  readonly timeoutMs?: number;
  /** Where `channels/`, `providers/`, `tools/` and `features/` are. */
  readonly root?: string;
  /** Those that features of this product bring along. */
  readonly featureTools?: readonly Tool[];
}
