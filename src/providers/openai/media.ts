/**
 * Pictures through the Responses API, or Chat Completions where `api` asks for it; recordings through transcriptions.
 */
import { z } from 'zod';
import {
  endpoint,
  jsonBody,
  mediaHandler,
  pictureInChat,
  SPEECH_TYPES,
  transcription,
  type KeyOwner,
  type MediaProvider,
  type ProviderSettings,
  type Refusal,
} from '../../sdk/index.ts';

export const HOME = 'https://api.openai.com/v1';

const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

const baseUrl = (settings: ProviderSettings): string => settings.baseUrl ?? HOME;

export function openaiMedia(owner: KeyOwner): MediaProvider {
  const seeing = { defaultModel: 'gpt-5-mini', rank: 10, accepts: PICTURES, owner: () => owner };
  const responses = pictureInResponses(seeing);
  const chat = pictureInChat({ ...seeing, baseUrl });
  return {
    image: {
      ...responses,
      run: (request, settings) => (settings.api === 'openai-completions' ? chat : responses).run(request, settings),
    },
    audio: transcription({
      baseUrl,
      defaultModel: 'gpt-4o-transcribe',
      rank: 10,
      accepts: SPEECH_TYPES,
      owner: () => owner,
    }),
  };
}

const part = z.object({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() });
const responsesAnswer = z.object({
  status: z.string().nullish(),
  error: z.object({ message: z.string() }).nullish(),
  incomplete_details: z.object({ reason: z.string().nullish() }).nullish(),
  output: z.array(z.object({ type: z.string(), content: z.array(part).nullish() })),
});

/** `POST {base}/responses` (platform.openai.com/docs/api-reference/responses/create); nothing is kept there. */
const pictureInResponses = (seeing: {
  defaultModel: string;
  rank: number;
  accepts: readonly string[];
  owner(): KeyOwner;
}) =>
  mediaHandler({
    ...seeing,
    capability: 'image',
    auth: { header: 'authorization', scheme: 'Bearer' },
    answer: responsesAnswer,
    read: spoken,
    async ask(request, settings) {
      const { model, prompt, mime } = request;
      const body = await jsonBody(request, (base64) => ({
        model,
        store: false,
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: prompt },
              { type: 'input_image', image_url: `data:${mime};base64,${base64}` },
            ],
          },
        ],
      }));
      return { url: endpoint(baseUrl(settings), '/responses'), body };
    },
  });

function spoken({ output, error, incomplete_details: incomplete }: z.output<typeof responsesAnswer>): string | Refusal {
  if (error) return { code: 'bad_response', why: error.message };
  const parts = output.filter(({ type }) => type === 'message').flatMap(({ content }) => content ?? []);
  const refusal = parts.find((one) => one.refusal)?.refusal;
  if (refusal) return { code: 'denied', why: refusal };
  const text = parts
    .filter(({ type }) => type === 'output_text')
    .map((one) => one.text ?? '')
    .join('\n')
    .trim();
  if (!text && incomplete?.reason)
    return {
      code: incomplete.reason === 'content_filter' ? 'denied' : 'bad_response',
      why: `the answer ended before it began: ${incomplete.reason}.`,
    };
  return text;
}
