/**
 * Checks that the settings of a repository cannot make git start programs: an allowlist of settings, and a strict
 * parser. Pure.
 */

/**
 * By section; `*`: every key of it. What is not here may name a program, another file with settings, or a place to
 * fetch from while reading.
 */
const HARMLESS: Readonly<Record<string, readonly string[] | '*'>> = {
  core: [
    'repositoryformatversion',
    'filemode',
    'bare',
    'logallrefupdates',
    'symlinks',
    'ignorecase',
    'precomposeunicode',
    'autocrlf',
    'eol',
    'safecrlf',
    'abbrev',
    'quotepath',
    'whitespace',
    'protecthfs',
    'protectntfs',
    'compression',
    'loosecompression',
    'untrackedcache',
    'preloadindex',
    'sharedrepository',
    'longpaths',
    'hidedotfiles',
    'commitgraph',
    'multipackindex',
    'checkstat',
    'trustctime',
  ],
  extensions: ['objectformat'],
  remote: ['url', 'fetch', 'pushurl', 'tagopt', 'push', 'prune', 'prunetags'],
  branch: [
    'remote',
    'merge',
    'rebase',
    'description',
    'pushremote',
    'vscode-merge-base',
    'github-pr-owner-number',
    'gk-merge-base',
  ],
  submodule: ['url', 'active'],
  user: ['name', 'email', 'signingkey'],
  init: ['defaultbranch'],
  pull: ['rebase', 'ff'],
  push: ['default', 'autosetupremote', 'followtags'],
  fetch: ['prune', 'prunetags'],
  merge: ['ff', 'conflictstyle'],
  rebase: ['autostash', 'autosquash'],
  gc: ['auto', 'autodetach', 'autopacklimit', 'pruneexpire', 'reflogexpire', 'reflogexpireunreachable'],
  color: '*',
  advice: '*',
};

/** A section, with or without a name of its own, alone on its line: `[core]`, `[remote "origin"]`. */
const SECTION = /^\[([a-z][a-z0-9-]*)(?: "[^"\\]*")?\]$/i;
/** `name = value` on one line: no quotes, no backslash, nothing that a following line could belong to. */
const SETTING = /^([a-z][a-z0-9-]*)(?:[ \t]*=[^"\\]*)?$/i;

/** Why not, one clause; undefined: it is. */
export function configTrouble(text: string): string | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  if (/[^\t\n\x20-\x7E\u00A1-\uD7FF\uE000-\uFEFE\uFF00-\uFFFC]|[^\S\t\n ]/.test(plain))
    return 'its settings contain invisible characters';
  let section = '';
  for (const line of plain.split('\n').map((each) => each.trim())) {
    if (line === '' || /^[#;][^\\]*$/.test(line)) continue;
    const begins = SECTION.exec(line)?.[1]?.toLowerCase();
    const key = begins === undefined ? SETTING.exec(line)?.[1]?.toLowerCase() : undefined;
    if (begins !== undefined) section = begins;
    else if (key === undefined) return 'a line of its settings cannot be parsed safely';
    else if (!isHarmless(section, key)) return `its setting ${section}.${key} is not on the list of safe options`;
  }
  return undefined;
}

function isHarmless(section: string, key: string): boolean {
  const keys = Object.hasOwn(HARMLESS, section) ? HARMLESS[section] : undefined;
  return keys === '*' || (keys?.includes(key) ?? false);
}
