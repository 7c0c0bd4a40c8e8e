/** Terminal colours; none if output is piped, `NO_COLOR` is set or the terminal is dumb. */
import type { CliIo } from './command.ts';

/** https://no-color.org: the code that begins a style, and the one that ends it. */
const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export type Paint = (style: keyof typeof STYLES, text: string) => string;

export const plain: Paint = (_style, text) => text;

export const colourful: Paint = (style, text) => `\u001b[${STYLES[style][0]}m${text}\u001b[${STYLES[style][1]}m`;

/** By what the stream is; each of the two may be piped by itself. */
export const paintOf = (io: Pick<CliIo, 'variable'>, stream: object): Paint =>
  isLively(io, stream) ? colourful : plain;

/** A terminal that can be written over and coloured. */
export const isLively = ({ variable }: Pick<CliIo, 'variable'>, stream: object): boolean =>
  (stream as { isTTY?: boolean }).isTTY === true && variable('NO_COLOR') === undefined && variable('TERM') !== 'dumb';
