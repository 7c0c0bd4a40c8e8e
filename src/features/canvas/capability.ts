/**
 * Capability tokens in paths: each grants read access to one document or one canvas folder for a limited time. They
 * are independent of the secrets of the gateway, so that a page can be told its own address.
 */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { readTextIfExists, writeFileAtomic } from '../../platform/files.ts';
import { randomToken } from '../../platform/ids.ts';
import { loadOnce } from '../../platform/load-once.ts';
import { sameSecret } from '../../platform/same-secret.ts';

/** What a token opens: `document/<id>` or `canvas/<agent>`. */
export type Scope = `document/${string}` | `canvas/${string}`;

export interface Capabilities {
  /** Rejects with `AppError('storage')` when the key cannot be kept. */
  issue(scope: Scope, forMs: number): Promise<{ readonly token: string; readonly expiresAt: number }>;
  opens(token: string, scope: Scope): Promise<boolean>;
}

const SHAPE = /^([0-9a-z]{1,12})\.([A-Za-z0-9_-]{32})$/;

/** The key is kept in `folder`, so that pages stay open over a restart; remove it to end every token at once. */
export function createCapabilities(folder: string, now: () => number): Capabilities {
  const path = join(folder, 'path-token-key');
  const key = loadOnce(async () => {
    const known = (await readTextIfExists(path))?.trim();
    if (known && /^[0-9a-f]{48}$/.test(known)) return known;
    const made = randomToken();
    await writeFileAtomic(path, made);
    return made;
  });
  const sign = async (scope: Scope, expires: string): Promise<string> =>
    createHmac('sha256', await key.get())
      .update(`v1\n${scope}\n${expires}`)
      .digest('base64url')
      .slice(0, 32);
  return {
    async issue(scope, forMs) {
      const expiresAt = now() + forMs;
      const expires = Math.floor(expiresAt).toString(36);
      return { token: `${expires}.${await sign(scope, expires)}`, expiresAt };
    },
    async opens(token, scope) {
      const [, expires, signature] = SHAPE.exec(token) ?? [];
      if (expires === undefined || signature === undefined || Number.parseInt(expires, 36) <= now()) return false;
      return sameSecret(signature, await sign(scope, expires));
    },
  };
}
