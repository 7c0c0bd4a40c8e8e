/** `browser install`: installs a browser where the gateway can, and otherwise says what to install. */
import type { Call } from '../../../cli/command.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { visibleLine } from '../../../core/visible-text.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { ownUser } from '../../../platform/own-user.ts';
import { findBrowser } from '../../../platform/find-browser.ts';
import { runApt } from '../platform/package-install.ts';

/** Facts about this machine; tests replace them. */
export interface InstallDeps {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
}

const here = (): InstallDeps => ({ platform: process.platform, isRoot: ownUser()?.uid === 0 });
const USUAL = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Without a display the first is sufficient: it is headless and needs a third of the disk space. */
const WITHOUT_WINDOW = ['chromium-headless-shell', 'chromium'] as const;
const WITH_WINDOW = ['chromium'] as const;

/** `usual`: folders to search besides PATH; absent: those of `findBrowser`. */
export async function install({ io, flags }: Call, { platform, isRoot } = here(), usual?: string): Promise<number> {
  const { vars } = io.env();
  const path = vars['PATH'];
  const found = await foundNow(path, usual);
  if (found !== undefined) {
    io.out(`A browser is installed: ${found}`);
    return 0;
  }
  const apt = platform === 'linux' ? await findProgram('apt-get', path ?? USUAL) : undefined;
  const packages = flags.has('window') || vars['DISPLAY'] || vars['WAYLAND_DISPLAY'] ? WITH_WINDOW : WITHOUT_WINDOW;
  if (apt === undefined) throw new AppError('unsupported', adviceFor(platform));
  const command = `apt-get install ${packages[0]}`;
  if (!isRoot)
    throw new AppError('denied', `Packages are installed by root. Run \`sudo ${command}\`, then this again.`);
  const deps = { apt, vars, said: (line: string) => void io.stderr.write(`  ${visibleLine(line)}\n`) };
  io.stderr.write('▸ Reading the lists of packages\n');
  if ((await runApt(['update'], deps)) !== 0)
    throw new AppError('network', 'The lists of packages could not be read; apt-get says why above.');
  for (const name of packages) {
    io.stderr.write(`▸ Installing ${name}\n`);
    if ((await runApt(['install', '-y', '--no-install-recommends', name], deps)) !== 0) continue;
    const installed = await foundNow(path, usual);
    if (installed !== undefined) {
      io.out(`Installed ${name}: ${installed}`);
      return 0;
    }
  }
  throw new AppError(
    'unavailable',
    `No browser could be installed (${packages.join(', ')}); apt-get says why above. On Ubuntu install Google Chrome ` +
      'from its own package: its Chromium is a snap, which does not start in a service.',
  );
}

async function foundNow(path: string | undefined, usual: string | undefined): Promise<string | undefined> {
  try {
    return (await findBrowser({ path, ...present({ usual }) })).path;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unavailable') return undefined;
    throw error;
  }
}

function adviceFor(platform: NodeJS.Platform): string {
  if (platform === 'darwin')
    return 'Install Google Chrome, or run `brew install --cask chromium`. This command installs on Debian only.';
  if (platform === 'win32')
    return 'Install Google Chrome, or name Edge in browser.executablePath. This command installs on Debian only.';
  return (
    'This machine has no apt-get. Install the package chromium with its own package manager, e.g. ' +
    '`dnf install chromium`, `pacman -S chromium` or `apk add chromium`.'
  );
}
