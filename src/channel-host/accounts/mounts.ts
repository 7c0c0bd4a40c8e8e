/** The webhook paths that connected accounts serve on the gateway's port. */
import type { WebhookHandler } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import { RESERVED_PATHS } from '../../config/reserved-paths.ts';

export interface Mounts {
  /** `invalid`: not a valid path for a webhook; `conflict`: the path is already in use. */
  mount(path: string, handler: WebhookHandler, owner: string): Disposable;
  find(path: string): WebhookHandler | undefined;
}

export function createMounts(): Mounts {
  const mounted = new Map<string, { readonly handler: WebhookHandler; readonly owner: string }>();
  return {
    mount(path, handler, owner) {
      const [, first = ''] = path.split('/');
      if (!/^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(path))
        throw new AppError(
          'invalid',
          `"${path}" is not a valid webhook path. Use letters, digits, dots and dashes, for example /telegram-webhook.`,
        );
      if (RESERVED_PATHS.has(first.toLowerCase()))
        throw new AppError(
          'invalid',
          `/${first} is reserved for the gateway, so ${owner} cannot use ${path}. Choose another path.`,
        );
      const known = mounted.get(path);
      if (known)
        throw new AppError('conflict', `${path} is already used by ${known.owner}. Give each account its own path.`);
      const entry = { handler, owner };
      mounted.set(path, entry);
      return { [Symbol.dispose]: () => void (mounted.get(path) === entry && mounted.delete(path)) };
    },
    find: (path) => mounted.get(path)?.handler,
  };
}
