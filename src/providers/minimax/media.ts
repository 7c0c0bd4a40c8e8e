/** `POST {origin}/v1/coding_plan/vlm`: one prompt, one picture (platform.minimax.io, coding plan). */
import { z } from 'zod';
import {
  endpoint,
  jsonBody,
  mediaHandler,
  PRODUCT_LABEL,
  type KeyOwner,
  type MediaHandler,
  type Refusal,
} from '../../sdk/index.ts';

const HOME = 'https://api.minimax.io';

const answer = z.object({
  content: z.string().nullish(),
  base_resp: z.object({ status_code: z.number(), status_msg: z.string().nullish() }),
});

export const seeing = (owner: () => KeyOwner): MediaHandler =>
  mediaHandler({
    capability: 'image',
    defaultModel: 'MiniMax-VL-01',
    rank: 40,
    accepts: ['image/png', 'image/jpeg', 'image/webp'],
    owner,
    auth: { header: 'authorization', scheme: 'Bearer' },
    answer,
    async ask(request, { baseUrl }) {
      const body = await jsonBody(request, (base64) => ({
        prompt: request.prompt,
        image_url: `data:${request.mime};base64,${base64}`,
      }));
      return {
        url: endpoint(originOf(baseUrl ?? HOME), '/v1/coding_plan/vlm'),
        headers: { 'MM-API-Source': PRODUCT_LABEL },
        body,
      };
    },
    read: ({ content, base_resp: { status_code: status, status_msg: said } }, headers) =>
      status === 0 ? (content ?? '') : refusal(status, said ?? 'no reason given', headers.get('trace-id')),
  });

/** The base URL may be that of the chat (`…/anthropic`), or the bare host the vendor's own tools are told. */
function originOf(baseUrl: string): string {
  const url = endpoint(/^[a-z]+:\/\//i.test(baseUrl) ? baseUrl : `https://${baseUrl}`, '');
  return url.origin;
}

/** The vendor answers 200 and puts its no inside (platform.minimax.io/docs/api-reference/errorcode). */
const CODES: Readonly<Record<number, Refusal['code']>> = {
  1001: 'timeout',
  1002: 'rate_limited',
  1004: 'auth',
  1008: 'denied',
  1026: 'denied',
  1027: 'denied',
  1039: 'too_large',
  2013: 'invalid',
  2045: 'rate_limited',
  2049: 'auth',
  2056: 'rate_limited',
};

const refusal = (status: number, said: string, trace: string | null): Refusal => ({
  code: CODES[status] ?? 'bad_response',
  why: `status ${status}${trace ? `, Trace-Id ${trace}` : ''}: ${said}`,
});
