/** Compares a secret in constant time, so that the time reveals nothing about it. */
import { hash, timingSafeEqual } from 'node:crypto';

/** Compares digests, so that neither content nor length shows in the time it takes. */
export function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(a), digest(b));
}
