/** The real terminal of a command line: standard streams, Ctrl-C, the environment, the gateway address. */
import { readEnv, variable } from '../platform/env.ts';
import type { CliIo } from './command.ts';

/** `runGateway` and `runNode` come from the composition root, which only the program's entry knows. */
export function terminal({ runGateway, runNode }: Pick<CliIo, 'runGateway' | 'runNode'>): CliIo {
  quietWhenTheReaderLeaves(process.stdout);
  return {
    out: (line) => void process.stdout.write(`${line}\n`),
    err: (line) => void process.stderr.write(`${line}\n`),
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    env: () => readEnv(),
    variable,
    onInterrupt(listener) {
      process.on('SIGINT', listener);
      return () => void process.off('SIGINT', listener);
    },
    runGateway,
    runNode,
    connect: async (options) => (await import('./connect.ts')).connect(options),
  };
}

/** `clawdbot logs | head` ends our output early, which is no error. */
function quietWhenTheReaderLeaves(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
}
