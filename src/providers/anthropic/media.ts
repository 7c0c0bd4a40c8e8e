/** Pictures through Anthropic's Messages API. */
import { z } from 'zod';
import { endpoint, jsonBody, mediaHandler, type KeyOwner, type MediaProvider } from '../../sdk/index.ts';

const HOME = 'https://api.anthropic.com/v1';
const MAX_TOKENS = 4096;

/** Configurations name the host, as Anthropic's own libraries do; the version is ours to add. */
export function versioned(baseUrl: string | undefined): string {
  if (!baseUrl) return HOME;
  const clean = baseUrl.replace(/(?<!\/)\/+$/, '');
  return clean.endsWith('/v1') ? clean : `${clean}/v1`;
}

const answer = z.object({
  stop_reason: z.string().nullish(),
  content: z.array(z.object({ type: z.string(), text: z.string().nullish() })),
});

/** `POST {base}/messages` (docs.anthropic.com/en/api/messages). */
export const anthropicMedia = (owner: KeyOwner): MediaProvider => ({
  image: mediaHandler({
    capability: 'image',
    defaultModel: 'claude-opus-4-6',
    rank: 20,
    accepts: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
    owner: () => owner,
    auth: { header: 'x-api-key' },
    answer,
    async ask(request, settings) {
      const { model, prompt, mime } = request;
      const max = settings.models.find(({ id }) => id === model)?.maxTokens ?? MAX_TOKENS;
      const body = await jsonBody(request, (data) => ({
        model,
        max_tokens: Math.min(max, MAX_TOKENS),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: prompt },
              { type: 'image', source: { type: 'base64', media_type: mime, data } },
            ],
          },
        ],
      }));
      return {
        url: endpoint(versioned(settings.baseUrl), '/messages'),
        headers: { 'anthropic-version': '2023-06-01' },
        body,
      };
    },
    read: ({ content, stop_reason: reason }) =>
      reason === 'refusal'
        ? { code: 'denied', why: 'Claude refused to describe this image.' }
        : content
            .filter(({ type }) => type === 'text')
            .map(({ text }) => text ?? '')
            .join('\n'),
  }),
});
