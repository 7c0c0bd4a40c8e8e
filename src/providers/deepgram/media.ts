/** `POST {base}/listen` with the bytes of the recording (developers.deepgram.com/reference/listen-file). */
import { z } from 'zod';
import {
  AppError,
  endpoint,
  fileBody,
  mediaHandler,
  type KeyOwner,
  type MediaHandler,
  type MediaRequest,
} from '../../sdk/index.ts';

const HOME = 'https://api.deepgram.com/v1';

const answer = z.object({
  results: z.object({
    channels: z.array(z.object({ alternatives: z.array(z.object({ transcript: z.string().nullish() })).nullish() })),
  }),
});

export const listening = (owner: () => KeyOwner): MediaHandler =>
  mediaHandler({
    capability: 'audio',
    defaultModel: 'nova-3',
    rank: 30,
    owner,
    auth: { header: 'authorization', scheme: 'Token' },
    answer,
    spellings: { detectLanguage: 'detect_language', smartFormat: 'smart_format' },
    ask(request, { baseUrl }) {
      if (request.model.startsWith('flux-'))
        throw new AppError(
          'unsupported',
          `Deepgram's ${request.model} supports live audio only. Use nova-3 for recordings.`,
        );
      const url = endpoint(baseUrl ?? HOME, '/listen');
      for (const [name, value] of options(request)) url.searchParams.set(name, value);
      return { url, body: fileBody(request, request.mime || 'application/octet-stream') };
    },
    /** Each channel is a speaker of its own. */
    read: ({ results }) =>
      results.channels.flatMap(({ alternatives }) => alternatives?.[0]?.transcript?.trim() || []).join('\n\n'),
  });

/** The model, the language, then the options in their order; an option of the same name replaces what came before. */
function options({ model, language, query }: MediaRequest): readonly (readonly [string, string])[] {
  const more = Object.entries(query ?? {}).map(([name, value]) => [name, String(value)] as const);
  return [['model', model], ...(language ? [['language', language] as const] : []), ...more];
}
