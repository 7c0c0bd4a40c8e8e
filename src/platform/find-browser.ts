/** Finds a browser on this machine that speaks the DevTools protocol. */
import { AppError } from '../core/errors.ts';
import { OWN_COMMAND } from './own-command.ts';
import { findProgram } from './find-program.ts';

/** A browser as it was found on this machine. */
export interface FoundBrowser {
  readonly kind: 'custom' | 'chrome' | 'brave' | 'edge' | 'chromium' | 'headless-shell';
  readonly path: string;
}

const MAC = '/Applications';
/** In the order they are looked for: what people have as their browser first, what has no window last. */
const CANDIDATES: readonly (readonly [kind: FoundBrowser['kind'], names: readonly string[]])[] = [
  ['chrome', ['google-chrome', 'google-chrome-stable', `${MAC}/Google Chrome.app/Contents/MacOS/Google Chrome`]],
  ['brave', ['brave-browser', 'brave', `${MAC}/Brave Browser.app/Contents/MacOS/Brave Browser`]],
  ['edge', ['microsoft-edge', 'microsoft-edge-stable', `${MAC}/Microsoft Edge.app/Contents/MacOS/Microsoft Edge`]],
  ['chromium', ['chromium', 'chromium-browser', '/snap/bin/chromium', `${MAC}/Chromium.app/Contents/MacOS/Chromium`]],
  ['headless-shell', ['chromium-headless-shell']],
];
/** Where browsers are although a service's PATH may not say so. */
const USUAL = '/usr/local/bin:/usr/bin:/bin:/snap/bin';

/** What the configuration names, else the first that is here. */
export async function findBrowser({
  executablePath,
  path,
  usual = USUAL,
}: {
  readonly executablePath?: string | undefined;
  readonly path: string | undefined;
  readonly usual?: string;
}): Promise<FoundBrowser> {
  if (executablePath !== undefined) {
    const found = await findProgram(executablePath, path);
    if (found === undefined)
      throw new AppError(
        'unavailable',
        `browser.executablePath names ${executablePath}, and no program is there. Correct it, or remove it to ` +
          'have a browser looked for.',
      );
    return { kind: 'custom', path: found };
  }
  for (const [kind, names] of CANDIDATES)
    for (const name of names) {
      const found = await findProgram(name, path === undefined ? usual : `${path}:${usual}`);
      if (found !== undefined) return { kind, path: found };
    }
  throw new AppError(
    'unavailable',
    'No browser is installed here: Chrome, Chromium, Brave and Edge were looked for. Install one – on Debian as ' +
      `root \`${OWN_COMMAND} browser install\` does it, else the package chromium, or chromium-headless-shell where ` +
      'no window is needed – or name one in browser.executablePath.',
  );
}
