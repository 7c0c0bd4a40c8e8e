/** Marks what comes from outside, for tools whose answers quote it. */
export { inert, inertValue, wrapUntrusted } from '../platform/untrusted-content.ts';
