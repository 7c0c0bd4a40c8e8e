/** Pictures drawn in the terminal, where it has a protocol for them: kitty's or iTerm2's. */
import type { CliIo } from './command.ts';

export type PictureProtocol = 'kitty' | 'iterm2';

/** kitty takes PNG only; iTerm2 takes what a browser does. */
const TAKES: Readonly<Record<PictureProtocol, RegExp>> = {
  kitty: /^image\/png$/,
  iterm2: /^image\/(png|jpeg|gif|webp)$/,
};
/** Of one part of kitty's protocol, characters of base64. */
const PART = 4096;
const ESC = '\u001b';

/** What this terminal says it can do; undefined: it is none, is watched through another program, or has no protocol. */
export function pictureProtocol({ stdout, variable }: Pick<CliIo, 'stdout' | 'variable'>): PictureProtocol | undefined {
  if ((stdout as { isTTY?: boolean }).isTTY !== true) return undefined;
  if (variable('TMUX') !== undefined || variable('STY') !== undefined) return undefined;
  const program = variable('TERM_PROGRAM') ?? '';
  if (
    variable('KITTY_WINDOW_ID') !== undefined ||
    /kitty|ghostty/.test(variable('TERM') ?? '') ||
    program === 'ghostty'
  )
    return 'kitty';
  if (['iTerm.app', 'WezTerm', 'mintty'].includes(program) || variable('LC_TERMINAL') === 'iTerm2') return 'iterm2';
  return undefined;
}

export const canDraw = (protocol: PictureProtocol | undefined, mime: string): boolean =>
  protocol !== undefined && TAKES[protocol].test(mime);

/** What to write so that the picture stands at the cursor; in base64, so that none of its bytes is a control. */
export function drawn(protocol: PictureProtocol, bytes: Buffer): string {
  const data = bytes.toString('base64');
  if (protocol === 'iterm2')
    return `${ESC}]1337;File=inline=1;size=${bytes.length};preserveAspectRatio=1:${data}\u0007\n`;
  const parts = Array.from({ length: Math.ceil(data.length / PART) }, (_, n) => data.slice(n * PART, (n + 1) * PART));
  return `${parts
    .map((part, index) => {
      const keys = index === 0 ? 'a=T,f=100,' : '';
      return `${ESC}_G${keys}m=${index === parts.length - 1 ? 0 : 1};${part}${ESC}\\`;
    })
    .join('')}\n`;
}
