/** Where hooks are: below `hooks.path`, while they are enabled. What serves them is loaded with the first call. */
import { loadOnce } from '../../platform/load-once.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Methods } from '../http/router.ts';
import type { HookServerDeps } from './serve-hook.ts';

export interface HookMount extends AsyncDisposable {
  /** What serves this path now; undefined: it is no hook. Whoever asks leaves host and origin to it. */
  find(path: string): Methods | undefined;
}

export function createHookMount(deps: HookServerDeps): HookMount {
  const server = loadOnce(async () => (await import('./serve-hook.ts')).createHookServer(deps));
  const answer = async (request: HttpRequest): Promise<void> => (await server.get()).answer(request);
  return {
    find(path) {
      const rules = deps.services.hooks.config();
      return rules.enabled && (path === rules.path || path.startsWith(`${rules.path}/`)) ? { POST: answer } : undefined;
    },
    async [Symbol.asyncDispose]() {
      await server.begun?.then((begun) => begun[Symbol.asyncDispose](), () => undefined /* there is nothing to end */);
    },
  };
}
