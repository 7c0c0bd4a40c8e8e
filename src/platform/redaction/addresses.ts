/** Finds secrets in URLs: passwords before the host, and webhook paths that are secret. Pure. */
import { isHarmless, isLikelyRandom, maskSecret } from './mask.ts';

/** Up to the last `@` before the path: passwords hold `@` too. */
const LOGIN = /(:\/\/[^\s/:@"'`\\<>]{0,200}:)([^\s"'`\\/<>]+)@/g;
const USER_ALONE = /(:\/\/)([\w.~%-]{16,200})(?=@)/g;

/** Hosts whose whole path, behind what says which kind it is, is the secret. */
const HOOK_HOSTS =
  /(:\/\/(?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers|commands)|(?:\w{1,20}\.)?discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d{1,30}|[\w.-]{1,60}\.office(?:365)?\.com\/webhook(?:b2)?|hooks\.zapier\.com\/hooks\/catch\/\d{1,20}|maker\.ifttt\.com\/(?:trigger|use)(?:\/[\w-]{1,60}\/(?:json\/)?with\/key)?|hook\.[\w.]{0,20}make\.com|webhook\.site|hc-ping\.com|ntfy\.sh)\/)([^\s"'`\\?#<>]+)/gi;
/** Anybody else's: what looks made by a program behind a folder of that name. */
const HOOK_PATH = /(\/(?:web-?)?hooks?(?:-\w{1,20})?\/)([^\s"'`\\?#<>]{16,})/gi;

/** Whether an address may be a hook's. */
const HOOK = /hook|ifttt|hc-ping|ntfy/i;

/** Removes passwords and the secret part of webhooks from addresses in a text. */
export function secretAddresses(text: string): string {
  if (!text.includes('/')) return text;
  const clean = text.includes('@') ? withoutLogins(text) : text;
  if (!HOOK.test(clean)) return clean;
  return clean
    .replace(HOOK_HOSTS, (match, head: string, path: string) => (isHarmless(path) ? match : head + maskSecret(path)))
    .replace(HOOK_PATH, (_match, head: string, path: string) => head + path.split('/').map(madeByProgram).join('/'));
}

const withoutLogins = (text: string): string =>
  text
    .replace(LOGIN, (match, head: string, password: string) =>
      isHarmless(password) ? match : `${head}${maskSecret(password)}@`,
    )
    .replace(USER_ALONE, (match, head: string, user: string) =>
      isLikelyRandom(user) ? head + maskSecret(user) : match,
    );

const madeByProgram = (part: string): string =>
  part.length >= 16 && isLikelyRandom(part) && !isHarmless(part) ? maskSecret(part) : part;
