/**
 * The programs outside npm that some tests need: installed with apt if this user may, otherwise listed. `server`: its
 * package starts a server with the machine, so it is only listed where an init system would do that.
 */
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { phase, run, tail } from './progress.mjs';

const NEEDED = [
  {
    // A fifth of the work of the whole browser; where it is not to be had that one does.
    package: 'chromium-headless-shell',
    otherwise: 'chromium',
    programs: ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
    tests: 'the Control UI tests',
  },
  {
    package: 'dbus-daemon',
    programs: ['dbus-daemon'],
    tests: 'tests of notifications and places over a real message bus',
  },
  { package: 'bubblewrap', programs: ['bwrap'], tests: 'tests of the sandbox' },
  { package: 'curl', programs: ['curl'], tests: 'tests of what a command reaches through the egress proxy' },
  { package: 'ffmpeg', programs: ['ffmpeg'], tests: 'tests of recordings and films' },
  { package: 'flite', programs: ['flite'], tests: 'tests that speak to be understood' },
  {
    package: 'pocketsphinx pocketsphinx-en-us',
    programs: ['pocketsphinx_continuous', 'pocketsphinx'],
    tests: 'tests of speech understood on this machine',
  },
  { package: 'strace', programs: ['strace'], tests: 'tests of what harmless commands do to the machine' },
  { package: 'tesseract-ocr tesseract-ocr-eng', programs: ['tesseract'], tests: 'tests of text read in pictures' },
  {
    package: 'dovecot-imapd exim4-daemon-light',
    programs: ['/usr/lib/dovecot/imap'],
    tests: 'tests of e-mail against real servers',
    server: true,
  },
  {
    package: 'inspircd',
    programs: ['inspircd', '/usr/sbin/inspircd'],
    tests: 'tests of IRC against a real server',
    server: true,
  },
  {
    package: 'ngircd',
    programs: ['ngircd', '/usr/sbin/ngircd'],
    tests: 'tests of IRC against a plain server',
    server: true,
  },
  { package: 'poppler-utils', programs: ['pdftoppm'], tests: 'tests of PDF pages shown as pictures' },
  { package: 'xvfb', programs: ['Xvfb'], tests: 'tests that record a real screen' },
];

/** There while systemd runs the machine. */
const STARTS_SERVERS = existsSync('/run/systemd/system');

/** Never fails: a test whose program is missing skips itself and says why. */
export async function ensureSystemPackages() {
  const missing = NEEDED.filter(({ programs }) => !programs.some(onPath));
  if (missing.length === 0) return;
  const harmless = missing.filter(({ server }) => !(server && STARTS_SERVERS));
  if (harmless.length > 0 && process.getuid?.() === 0 && onPath('apt-get'))
    await phase(`Installing system packages: ${harmless.map((entry) => entry.package).join(', ')}`, () =>
      aptInstall(installation(harmless)),
    );
  for (const entry of NEEDED.filter(({ programs }) => !programs.some(onPath)))
    console.log(
      `! ${entry.package} is not installed: ${entry.tests} are skipped. ` +
        `To run them: ${installation([entry])} (as root)` +
        (entry.server && STARTS_SERVERS ? '; this machine then runs that server until you stop it' : ''),
    );
}

function installation(entries) {
  const wanted = entries.map(({ package: name, otherwise }) => (otherwise ? firstOf(name, otherwise) : name));
  return `apt-get update && apt-get install -y --no-install-recommends ${wanted.join(' ')}`;
}

/** For the shell, once the lists are there. */
const firstOf = (name, otherwise) => `$(apt-cache show ${name} >/dev/null 2>&1 && echo ${name} || echo ${otherwise})`;

async function aptInstall(command) {
  const { code, output } = await run('sh', ['-c', command], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (code !== 0) console.log(`! apt-get failed:\n${tail(output, 10)}`);
}

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    const path = isAbsolute(program) ? program : join(folder, program);
    if (!existsSync(path)) return false;
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch (error) {
      if (error.code === 'EACCES') return false;
      throw error;
    }
  });
}
