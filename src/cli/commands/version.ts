/** `version`: prints the version, the Node version and the installation path. */
import { columns } from '../columns.ts';
import type { Call } from '../command.ts';
import { programFolder, programVersion } from '../program-version.ts';

export async function version({ flags, io }: Call): Promise<void> {
  const facts = {
    version: programVersion(),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    folder: programFolder(),
  };
  io.out(flags.has('json') ? JSON.stringify(facts, null, 2) : columns(Object.entries(facts)));
}
