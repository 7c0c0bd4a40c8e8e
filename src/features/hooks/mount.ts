/** The paths of hooks: below `hooks.path`, while they are enabled. The server code is loaded with the first call. */
import type { HttpMethods, HttpRequest, HttpRoutes } from '../../host/http/surface.ts';
import { loadOnce } from '../../platform/load-once.ts';
import type { HookServerDeps } from './serve-hook.ts';

export function hookRoutes(deps: HookServerDeps): HttpRoutes {
  const server = loadOnce(async () => (await import('./serve-hook.ts')).createHookServer(deps));
  const answer = async (request: HttpRequest): Promise<void> => (await server.get()).answer(request);
  return {
    find(path): HttpMethods | undefined {
      const rules = deps.hooks.config();
      return rules.enabled && (path === rules.path || path.startsWith(`${rules.path}/`)) ? { POST: answer } : undefined;
    },
    async close() {
      const [begun] = await Promise.allSettled([server.begun]);
      // Whoever asked for what could not be loaded was told; there is nothing to end.
      if (begun.status === 'fulfilled') await begun.value?.[Symbol.asyncDispose]();
    },
  };
}
