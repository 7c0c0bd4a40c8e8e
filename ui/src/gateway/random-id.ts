/** Creates random ids. */

/** `crypto.randomUUID` exists on secure origins only; the page also works over plain HTTP in a home network. */
export const randomId = (): string =>
  typeof crypto.randomUUID === 'function'
    ? crypto.randomUUID()
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
