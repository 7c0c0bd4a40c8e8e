/** Formats a number of bytes: `3.2 GiB`, `20 MiB`, `512 KiB`, `900 bytes`. */

const UNITS = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

/** Formats `bytes` in binary units with at most one decimal. */
export function sizeText(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const [unit, size] = UNITS.find(([, least]) => bytes >= least) ?? ['bytes', 1];
  return `${Number((bytes / size).toFixed(1))} ${unit}`;
}
