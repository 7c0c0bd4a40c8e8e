/** Takes secrets out of text on its way to a log or a screen: known key shapes, assignments, fields, flags, headers. */

/** Long secrets keep their first 6 and last 4 characters, so that two keys can be told apart. */
export function maskSecret(secret: string): string {
  return secret.length >= 18 ? `${secret.slice(0, 6)}…${secret.slice(-4)}` : '***';
}

/** One scan that decides whether the careful patterns are worth running; every pattern below must be reachable through it. */
const HINT = /key|token|secret|passw|credential|bearer|basic |private|cookie|:\/\/[^\s/]*@|sk-|gh[opsur]_|github_pat_|xox[a-z]-|xapp-|gsk_|AIza|pplx-|npm_|\d{6}:[A-Za-z0-9_-]{30}/i;

const SECRET_NAME = '[a-z0-9_-]*?(?:api[_-]?key|access[_-]?key|private[_-]?key|signing[_-]?key|token|secret|passw(?:or)?d|credentials?|cookie)';

/** Each pattern's first non-empty group is the secret; a private key has none and goes as a whole. */
const PATTERNS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[A-Za-z0-9+/=\s:,-]|\\[nr])+?(?:-----END [A-Z ]*PRIVATE KEY-----|(?![A-Za-z0-9+/=\s:,\\-]))/g,
  // "apiKey": "…", also inside a JSON string (\"apiKey\":\"…\")
  new RegExp(`\\\\?["']${SECRET_NAME}\\\\?["']\\s*:\\s*(?:\\\\"((?:[^"\\\\]|\\\\[^"])+)\\\\"|"((?:[^"\\\\]|\\\\.)+)"|'((?:[^'\\\\]|\\\\.)+)')`, 'gi'),
  // --token value, --api-key=value
  /--(?:api-?key|(?:[a-z]+-)*(?:token|secret|password|passwd))(?:\s+|=)\\?["']?([^\s"'\\]+)/gi,
  // OPENAI_API_KEY=value, SECRET: value
  /\b[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)\b\s*[=:]\s*(?:\\?"([^"\\]+)|'([^']+)|([^\s"'\\,;]+))/g,
  // apiKey=value, ?access_token=value
  /\b(?:api[_-]?key|access[_-]?token|refresh[_-]?token|auth[_-]?token|token|secret|password|passwd)=\\?["']?([^\s"'\\&,;]+)/gi,
  /\bBearer\s+([A-Za-z0-9._~+/=…-]{6,})/gi,
  /\bBasic\s+([A-Za-z0-9+/=]{8,})/g,
  // https://user:password@host
  /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"]*:([^\s/@"]+)@/gi,
  /\b(sk-[A-Za-z0-9_-]{8,})/g,
  /\b(gh[opsur]_[A-Za-z0-9]{16,})/g,
  /\b(github_pat_[A-Za-z0-9_]{16,})/g,
  /\b(xox[a-z]-[A-Za-z0-9-]{8,})/g,
  /\b(xapp-[A-Za-z0-9-]{8,})/g,
  /\b(gsk_[A-Za-z0-9_-]{8,})/g,
  /\b(AIza[A-Za-z0-9_-]{16,})/g,
  /\b(pplx-[A-Za-z0-9_-]{8,})/g,
  /\b(npm_[A-Za-z0-9]{8,})/g,
  // A Telegram bot token, also right behind "bot" in a URL
  /(?<!\d)(\d{6,}:[A-Za-z0-9_-]{30,})/g,
];

/** The text with every secret it seems to carry masked; text without a hint of one comes back as it is. */
export function redactText(text: string): string {
  if (!HINT.test(text)) return text;
  let clean = text;
  for (const pattern of PATTERNS) clean = clean.replace(pattern, maskMatch);
  return clean;
}

function maskMatch(match: string, ...rest: unknown[]): string {
  const secret = rest.slice(0, -2).find((group): group is string => typeof group === 'string' && group !== '');
  if (secret === undefined) return '[private key]';
  if (isMasked(secret)) return match;
  const at = match.lastIndexOf(secret);
  return match.slice(0, at) + maskSecret(secret) + match.slice(at + secret.length);
}

/** What an earlier pattern left; masking it again would only lose the part kept on purpose. */
function isMasked(text: string): boolean {
  return text === '***' || (text.length === 11 && text[6] === '…');
}
