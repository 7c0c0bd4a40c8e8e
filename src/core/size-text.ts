/** A number of bytes as people read it: `20 MiB`, `512 KiB`, `900 bytes`. */

/** Formats `bytes` in binary units with at most one decimal. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const [amount, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${Number(amount.toFixed(1))} ${unit}`;
}
