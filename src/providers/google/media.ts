/** Pictures, recordings and films through Gemini's `generateContent`. */
import { z } from 'zod';
import {
  endpoint,
  jsonBody,
  mediaHandler,
  type KeyOwner,
  type MediaHandler,
  type MediaProvider,
  type MediaRequest,
  type Refusal,
} from '../../sdk/index.ts';

export const HOME = 'https://generativelanguage.googleapis.com/v1beta';

type Kind = keyof MediaProvider;

/** Short names people write, and what the vendor calls them. */
const ALIASES: Readonly<Record<string, string>> = {
  'gemini-3-pro': 'gemini-3-pro-preview',
  'gemini-3-flash': 'gemini-3-flash-preview',
};
const UNKNOWN: Readonly<Record<Kind, string>> = { image: 'image/jpeg', audio: 'audio/wav', video: 'video/mp4' };
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'];

export function googleMedia(owner: KeyOwner): MediaProvider {
  return {
    image: gemini('image', { owner, rank: 30, accepts: PICTURES }),
    audio: gemini('audio', { owner, rank: 40 }),
    video: gemini('video', { owner, rank: 10 }),
  };
}

const answerShape = z.object({
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish(),
  candidates: z
    .array(
      z.object({
        finishReason: z.string().nullish(),
        content: z
          .object({
            parts: z.array(z.object({ text: z.string().nullish(), thought: z.boolean().nullish() })).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});

/** `POST {base}/models/{model}:generateContent` (ai.google.dev/api/generate-content). */
const gemini = (
  capability: Kind,
  { owner, ...place }: { owner: KeyOwner; rank: number; accepts?: readonly string[] },
): MediaHandler =>
  mediaHandler({
    ...place,
    capability,
    defaultModel: 'gemini-3-flash-preview',
    owner: () => owner,
    auth: { header: 'x-goog-api-key' },
    answer: answerShape,
    read: spoken,
    modelName: (model) => ALIASES[model] ?? model,
    async ask(request, settings) {
      const { model, mime } = request;
      const body = await jsonBody(request, (data) => ({
        contents: [
          {
            role: 'user',
            parts: [
              { text: request.prompt ?? dictation(request) },
              { inline_data: { mime_type: mime || UNKNOWN[capability], data } },
            ],
          },
        ],
      }));
      return {
        url: endpoint(
          settings.baseUrl ?? HOME,
          `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
        ),
        body,
      };
    },
  });

/** A model that talks has to be told that it should write down what it hears, or it answers the recording. */
const dictation = ({ language }: MediaRequest): string =>
  'Write down what is said in this recording, word for word and in its own ' +
  `language${language ? ` (${language})` : ''}. Give the transcript and nothing else; where nobody speaks, ` +
  'give nothing.';

/** Finish reasons that say why there is no text. */
const BLOCKED = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII|LANGUAGE/;

function spoken({ promptFeedback, candidates }: z.output<typeof answerShape>): string | Refusal {
  const [first] = candidates ?? [];
  const text = (first?.content?.parts ?? [])
    .flatMap(({ text: said, thought }) => (thought ? [] : said?.trim() || []))
    .join('\n');
  if (text) return text;
  const reason = promptFeedback?.blockReason ?? first?.finishReason;
  if (!reason || reason === 'STOP') return '';
  return promptFeedback?.blockReason || BLOCKED.test(reason)
    ? { code: 'denied', why: `Gemini refused to process this file (${reason}).` }
    : { code: 'bad_response', why: `Gemini returned no text (${reason}).` };
}
