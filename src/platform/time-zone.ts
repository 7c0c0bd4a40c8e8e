/** Gets this machine's time zone, and checks names of time zones. */

/**
 * Answers the IANA name of this machine's zone. Asked for once, and not before it is needed: the first question loads
 * some megabytes.
 */
export function createMachineZone(): () => string {
  const known: { zone?: string } = {};
  return () => (known.zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** Takes 0.1 ms. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
