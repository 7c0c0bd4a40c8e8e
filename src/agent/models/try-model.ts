/** Requests one short answer from a model, to test its key and name. */
import { AppError } from '../../core/errors.ts';
import { cut } from '../../core/cut.ts';
import type { ModelCandidate } from './candidate.ts';

/** Room for models that think before they answer. */
const MAX_TOKENS = 512;
const MAX_CHARS = 400;

/** Resolves with the beginning of the answer, which may be empty; rejects with the provider's `AppError`. */
export async function tryModel(candidate: Pick<ModelCandidate, 'open'>, signal: AbortSignal): Promise<string> {
  const model = await candidate.open();
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say hello in one short sentence.' }] }],
    maxOutputTokens: MAX_TOKENS,
    abortSignal: signal,
  });
  let text = '';
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') text += part.delta;
    if (part.type === 'finish' || text.length > MAX_CHARS) return cut(text.trim(), MAX_CHARS);
  }
  throw new AppError('bad_response', 'The provider ended the stream before the answer was complete.');
}
