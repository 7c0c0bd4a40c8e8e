/** Formats a duration: `450ms`, `12s`, `3m05s`, `2h07m`. Pure. */

const two = (value: number): string => String(value).padStart(2, '0');

/** Milliseconds; fractions are dropped. */
export function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 1) return `${Math.max(0, Math.floor(ms))}ms`;
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m${two(seconds % 60)}s` : `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}
