/** Finds secrets in single-letter options of programs, and in `.netrc`. Pure. */
import { isHarmless, maskSecret } from './mask.ts';

/** Between a flag and its value, written in a line or as items of a list. */
const LOGIN =
  /((?:^|[\s"']|\\[nrt])(?:-u|-U|--user|--proxy-user)(?:\s{1,8}|=|\\{0,7}["'],\s{0,8}\\{0,7}["'])?\\{0,7}["']?[^\s:"'\\%]{1,200}[:%])([^\s"'\\}\],][^\s"'\\]*)/g;
const FETCHES = /(?:curl|wget|httpie|\bxh|aria2c|lftp|smbclient|rpcclient)\b/;

/**
 * A program (a letter before it may be that of an escaped line break), what may stand between, its flag: the value
 * follows, glued on or not.
 */
const FLAGS: readonly RegExp[] = [
  /((?:\b|(?<=\\[nrt]))(?:mysql\w*|mariadb\w*|7z\w?)\b[^\n|;]{0,300}?[\s"']-p)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))(?:sshpass|mongo\w*|smbpasswd)\b[^\n|;]{0,300}?[\s"']-p(?:\s{1,8}|["'],\s{0,8}["'])?\\{0,7}["']?)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))(?:docker|podman|buildah|skopeo|nerdctl|helm|oras|crane|az|npm|cf|oc)\b[^\n|;]{0,200}?\blogin\b[^\n|;]{0,300}?[\s"']-p(?:\s{1,8}|["'],\s{0,8}["'])?\\{0,7}["']?)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))redis-cli\b[^\n|;]{0,300}?[\s"']-a(?:\s{1,8}|["'],\s{0,8}["'])\\{0,7}["']?)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))(?:zip|unzip|zipcloak|7z\w?)\b[^\n|;]{0,300}?[\s"']-P(?:\s{1,8}|["'],\s{0,8}["'])?\\{0,7}["']?)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))ldap\w{1,20}\b[^\n|;]{0,300}?[\s"']-w(?:\s{1,8}|["'],\s{0,8}["'])?\\{0,7}["']?)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))openssl\b[^\n|;]{0,300}?[\s"']pass:)([^\s"'\\}\],][^\s"'\\]*)/g,
  /((?:\b|(?<=\\[nrt]))machine\s{1,8}\S{1,200}(?:\s|\\n){1,8}(?:login\s{1,8}\S{1,200}(?:\s|\\n){1,8})?password\s{1,8})([^\s"'\\}\],][^\s"'\\]*)/g,
];
/** Whether any of it is worth looking for. */
const HINT = /[\s"'](?:-[uU]|--(?:proxy-)?user|-[paPw])|pass:|machine\s/;

/** Removes the values of options such as `--token` and `-u` from command lines in a text. */
export function secretArguments(text: string): string {
  if (!HINT.test(text)) return text;
  let clean = FETCHES.test(text) ? text.replace(LOGIN, masked) : text;
  for (const pattern of FLAGS) clean = clean.replace(pattern, masked);
  return clean;
}

/** `-u 1000:1000` names a user and a group. */
const masked = (match: string, head: string, value: string): string =>
  isHarmless(value) || (/\d:$/.test(head) && /^\d+$/.test(value)) ? match : head + maskSecret(value);
