/** Shows progress on standard error in a terminal; erased before other output. */
import type { CliIo } from './command.ts';
import { isLively } from './paint.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 90;
/** What is quicker needs no sign. */
const QUIET_MS = 300;
const CLEAR_LINE = '\r\u001b[2K';

export interface Spinner extends Disposable {
  /** From now on it says this; it comes back with it after a `rest`. */
  say(words: string): void;
  /** Takes it away until something is said again. */
  rest(): void;
}

/** Where nobody looks, it does nothing. */
export function createSpinner(io: Pick<CliIo, 'stderr' | 'variable'>): Spinner {
  const shown: { words?: string | undefined; timer?: NodeJS.Timeout | undefined; frame: number } = { frame: 0 };
  const lively = isLively(io, io.stderr);
  const rest = (): void => {
    clearTimeout(shown.timer);
    if (shown.frame > 0) io.stderr.write(CLEAR_LINE);
    Object.assign(shown, { words: undefined, timer: undefined, frame: 0 });
  };
  const turn = (): void => {
    io.stderr.write(`${CLEAR_LINE}${FRAMES[shown.frame++ % FRAMES.length]!} ${shown.words}`);
    shown.timer = setTimeout(turn, FRAME_MS);
  };
  return {
    say(words) {
      if (!lively) return;
      shown.words = words;
      shown.timer ??= setTimeout(turn, QUIET_MS);
    },
    rest,
    [Symbol.dispose]: rest,
  };
}

/** The same terminal, on which whatever is written takes the spinner away first. */
export const withoutSpinner = (io: CliIo, spinner: Spinner): CliIo => ({
  ...io,
  get stdin() {
    return io.stdin;
  },
  get stdout() {
    return io.stdout;
  },
  get stderr() {
    return io.stderr;
  },
  out(line) {
    spinner.rest();
    io.out(line);
  },
  err(line) {
    spinner.rest();
    io.err(line);
  },
});
