/** The two OpenAI requests that many servers support: transcription, and a picture in a chat. */
import { z } from 'zod';
import type { MediaHandler } from '../core/media-provider.ts';
import type { ProviderSettings } from '../core/provider.ts';
import { mediaHandler, type MediaWire } from './media-handler.ts';
import { endpoint, formBody, jsonBody } from './media-body.ts';

/** The vendor's address and its default models. */
export interface OpenAiPlace extends Pick<MediaWire<unknown>, 'owner' | 'defaultModel' | 'rank' | 'accepts'> {
  /** With the version, e.g. `https://api.openai.com/v1`. */
  baseUrl(settings: ProviderSettings): string;
}

const auth = { header: 'authorization', scheme: 'Bearer' } as const;

const segment = z.object({ no_speech_prob: z.number().nullish(), avg_logprob: z.number().nullish() });
const transcript = z.object({ text: z.string(), segments: z.array(segment).nullish() });

/**
 * Where segments come along (`response_format: verbose_json`): the test Whisper itself makes before it calls a stretch
 * silent.
 */
const isSilence = ({ no_speech_prob: silent, avg_logprob: sure }: z.output<typeof segment>): boolean =>
  (silent ?? 0) > 0.6 && (sure ?? 0) < -1;

/** `POST {base}/audio/transcriptions` (platform.openai.com/docs/api-reference/audio/createTranscription). */
export function transcription({ baseUrl, ...place }: OpenAiPlace): MediaHandler {
  return mediaHandler({
    ...place,
    auth,
    capability: 'audio',
    ask: ({ model, language, prompt, query, ...file }, settings) => ({
      url: endpoint(baseUrl(settings), '/audio/transcriptions'),
      body: formBody(file, { ...query, model, language, prompt }),
    }),
    answer: transcript,
    read: ({ text, segments }) => (segments?.length && segments.every(isSilence) ? '' : text),
  });
}

const chatAnswer = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.union([z.string(), z.array(z.object({ text: z.string().nullish() }))]).nullish(),
          refusal: z.string().nullish(),
        }),
      }),
    )
    .min(1),
});

/**
 * `POST {base}/chat/completions` with the picture as a data URL (platform.openai.com/docs/api-reference/chat/create).
 */
export function pictureInChat({ baseUrl, ...place }: OpenAiPlace): MediaHandler {
  return mediaHandler({
    ...place,
    auth,
    capability: 'image',
    async ask(request, settings) {
      const { model, prompt, mime } = request;
      const body = await jsonBody(request, (base64) => ({
        model,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: prompt },
              { type: 'image_url', image_url: { url: `data:${mime || 'image/jpeg'};base64,${base64}` } },
            ],
          },
        ],
      }));
      return { url: endpoint(baseUrl(settings), '/chat/completions'), body };
    },
    answer: chatAnswer,
    read({ choices: [choice] }) {
      const { message, finish_reason: reason } = choice!;
      if (message.refusal || reason === 'content_filter')
        return { code: 'denied', why: message.refusal ?? 'the provider filtered the answer.' };
      return typeof message.content === 'string'
        ? message.content
        : (message.content ?? []).map(({ text }) => text ?? '').join('\n');
    },
  });
}
