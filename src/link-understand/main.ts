/** The entry point of `link-understand`: command line in, exit code out. */
import { createRequire } from 'node:module';
import { readEnv } from '../platform/env.ts';
import { linkUnderstand } from './link-understand.ts';

/** A reader that leaves early (`| head`) is no error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await linkUnderstand(process.argv.slice(2), {
  env: readEnv(),
  // Two folders up from the source and from the compiled file alike.
  version: () => (createRequire(import.meta.url)('../../package.json') as { version: string }).version,
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
});
