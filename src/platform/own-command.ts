/** Finds how this program is invoked, so that hints show commands that work as printed. */
import { homedir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { PRODUCT } from '../core/product.ts';
import { invokedAs } from './env.ts';

/** How this program was called. */
export interface Invocation {
  /** What the launcher in `bin/` was called by. */
  readonly launcher?: string | undefined;
  /** Script and what follows it. */
  readonly argv: readonly string[];
  /** Undefined where it was deleted under our feet. */
  readonly cwd: string | undefined;
  readonly home: string;
}

/** `clawdbot` where it is a command, else the script of the checkout. */
export function ownCommand({ launcher, argv: [script = ''], cwd, home }: Invocation): {
  readonly here: string;
  readonly anywhere: string;
} {
  const root = dirname(dirname(script));
  const checkout = /^main\.[jt]s$/.test(basename(script)) && !root.split(sep).includes('node_modules');
  if (launcher === PRODUCT || !checkout) return { here: PRODUCT, anywhere: PRODUCT };
  const anywhere = `node bin/${PRODUCT}.mjs`;
  return { here: cwd === root ? anywhere : `node ${typed(join(root, 'bin', `${PRODUCT}.mjs`), home)}`, anywhere };
}

function typed(path: string, home: string): string {
  const short = home !== '' && path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
  return /^[\w~/.@+:\\-]+$/.test(short) ? short : `"${path}"`;
}

function here(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const own = ownCommand({ launcher: invokedAs(), argv: process.argv.slice(1), cwd: here(), home: homedir() });

/** The command as it works in the folder and shell that started this process. */
export const OWN_COMMAND = own.here;

/** For what strangers, chats and models see: no folder of this machine is in it. */
export const PUBLIC_COMMAND = own.anywhere;
