/**
 * Finds the handler of a request: exact paths first, then the longest prefix; a known path with another method gives
 * 405.
 */
import type { Handler, HttpMethods as Methods, HttpRequest } from '../../host/http/surface.ts';
import { AppError } from '../../core/errors.ts';
import { sendError } from '../../host/http/reply.ts';

export type { Handler, HttpMethods as Methods } from '../../host/http/surface.ts';

export interface Router {
  /** One path. `GET` serves `HEAD` as well. */
  at(path: string, methods: Methods): Router;
  /** The path itself and everything below it; without methods it is a plain 404. */
  under(prefix: string, methods: Methods): Router;
  /** Paths that change at run time, checked after fixed paths and before catch-all ones. */
  lookup(find: (path: string) => Methods | undefined): Router;
  /** Runs the handler; whatever it throws becomes an answer. Never rejects. */
  handle(request: HttpRequest, onError: (error: AppError) => void): Promise<void>;
}

export function createRouter(): Router {
  const exact = new Map<string, Methods>();
  const prefixes: { readonly prefix: string; readonly methods: Methods }[] = [];

  let changing: (path: string) => Methods | undefined = () => undefined;

  const below = (path: string) => prefixes.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
  const find = (path: string): Methods | undefined => {
    const fixed = below(path);
    return exact.get(path) ?? (fixed && fixed.prefix !== '' ? fixed.methods : (changing(path) ?? fixed?.methods));
  };

  const router: Router = {
    at(path, methods) {
      exact.set(path, methods);
      return router;
    },
    under(prefix, methods) {
      prefixes.push({ prefix: prefix.replace(/(?<!\/)\/+$/, ''), methods });
      prefixes.sort((a, b) => b.prefix.length - a.prefix.length);
      return router;
    },
    lookup(further) {
      changing = further;
      return router;
    },
    async handle(request, onError) {
      try {
        await handlerOf(find(request.path), request.method)(request);
      } catch (error) {
        onError(sendError(request, error));
      }
    },
  };
  return router;
}

function handlerOf(methods: Methods | undefined, method: string): Handler {
  if (!methods || Object.keys(methods).length === 0) throw new AppError('not_found', 'Nothing is served at this path.');
  const handler = methods[method] ?? (method === 'HEAD' ? methods['GET'] : undefined);
  if (handler) return handler;
  const allow = [...new Set(Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])))].join(
    ', ',
  );
  throw new AppError('unsupported', `${method} is not served here; use ${allow}.`, { details: { allow } });
}
