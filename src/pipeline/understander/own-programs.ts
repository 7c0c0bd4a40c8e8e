/** Commands that come along with this product, so that a configuration may name them without them being on PATH. */
import { join } from 'node:path';

/** By name: the program and the arguments that come before the configured ones. */
export const ownPrograms = (
  root: string,
): Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>> => ({
  'link-understand': { command: process.execPath, args: [join(root, 'bin', 'link-understand.mjs')] },
});
