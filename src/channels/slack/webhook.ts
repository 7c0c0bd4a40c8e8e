/** HTTP mode: verifies the signature of Slack's posts and responds once the message is recorded. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, type Log, type WebhookHandler, within, parseJson } from '../../sdk/index.ts';
import { recordOf, textOf } from './answer.ts';
import { updateOf, type Update } from './update.ts';

export interface WebhookDeps {
  readonly signingSecret: string;
  readonly log: Log;
  onUpdate(update: Update): Promise<void>;
  onAlive(): void;
  now?(): number;
}

type Request = Parameters<WebhookHandler>[0];
type Reply = Awaited<ReturnType<WebhookHandler>>;

/** Older requests may be repeated by somebody who listened. */
const FRESH_S = 300;
/** Slack waits three seconds; what takes longer it delivers again. */
const ANSWER_MS = 2500;
const LATER: Reply = { status: 503, body: 'later' };
/** Anybody can post without a signature: they must not fill the log. */
const SAY_AGAIN_MS = 60_000;

export function createWebhook(deps: WebhookDeps): WebhookHandler {
  let saidAt = -Infinity;
  return async (request) => {
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } };
    if (!isSigned(request, deps)) {
      const now = (deps.now ?? Date.now)();
      if (Math.abs(now - saidAt) >= SAY_AGAIN_MS) {
        saidAt = now;
        deps.log.warn('slack.signature', { reason: 'a request without a valid signature' });
      }
      return { status: 401, body: 'invalid signature' };
    }
    deps.onAlive();
    const read = readBody(request);
    if ('reply' in read) return read.reply;
    if (read.update) return taken(deps, read.update);
    deps.log.debug('slack.unknown', { type: 'http' });
    return { status: 200 };
  };
}

/** `v0=` and the HMAC of `v0:<time>:<body>`, compared without telling how far it fits. */
export function isSigned(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  { signingSecret, now = Date.now }: Pick<WebhookDeps, 'signingSecret' | 'now'>,
): boolean {
  const at = one(headers['x-slack-request-timestamp']);
  const presented = one(headers['x-slack-signature']);
  if (!/^\d{1,12}$/.test(at) || Math.abs(now() / 1000 - Number(at)) > FRESH_S) return false;
  const wanted = Buffer.from(
    `v0=${createHmac('sha256', signingSecret).update(`v0:${at}:`).update(body).digest('hex')}`,
  );
  const said = Buffer.from(presented);
  return said.length === wanted.length && timingSafeEqual(said, wanted);
}

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

/** Events come as JSON; commands and clicks as a form, clicks with JSON in it. */
function readBody({ headers, body }: Request): { readonly update: Update | undefined } | { readonly reply: Reply } {
  const text = body.toString('utf8');
  if (!one(headers['content-type']).includes('application/x-www-form-urlencoded')) {
    const parsed = parse(text);
    if (!parsed) return { reply: { status: 400, body: 'not JSON' } };
    if (parsed['type'] === 'url_verification')
      return {
        reply: { status: 200, headers: { 'content-type': 'text/plain' }, body: textOf(parsed['challenge']) ?? '' },
      };
    return { update: updateOf(textOf(parsed['type']) ?? '', parsed) };
  }
  const form = new URLSearchParams(text);
  if (form.get('ssl_check') === '1') return { reply: { status: 200 } };
  const payload = form.get('payload');
  return {
    update:
      payload === null ? updateOf('slash_commands', Object.fromEntries(form)) : updateOf('interactive', parse(payload)),
  };
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return value === undefined ? undefined : recordOf(value);
}

/** Whatever goes on behind, a refusal means that Slack delivers it again. */
async function taken({ onUpdate, log }: WebhookDeps, update: Update): Promise<Reply> {
  const done = onUpdate(update).then(
    (): Reply => ({ status: 200 }),
    (error: unknown): Reply => {
      log.warn('slack.not-taken', { reason: error instanceof AppError ? error.message : 'unknown' });
      return LATER;
    },
  );
  return within(done, { ms: ANSWER_MS, otherwise: LATER });
}
