/** Replaces the older part of a conversation with a summary, written by the model of the conversation. */
import { AppError, asAppError } from '../../core/errors.ts';
import type { CompactRequest } from './compact-request.ts';
import { estimateTextTokens, estimateTokens } from './estimate-tokens.ts';
import { chunksOf, firstKept } from './split.ts';
import { summarise } from './summarise.ts';

/** `failed`: nothing was changed; `error.message` may be shown to the person. */
export type Compaction =
  | {
      readonly kind: 'compacted';
      readonly summary: string;
      readonly firstKeptIndex: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | { readonly kind: 'nothing'; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: AppError };

/** Prompt and answer of a summary, tokens. */
const OVERHEAD = 6_000;
const DEFAULT_WINDOW = 32_000;

/**
 * Never throws. A history larger than the window is summarised piece by piece, each summary building on the one before.
 */
export async function compact(request: CompactRequest): Promise<Compaction> {
  const { messages, keepRecentTokens, candidate } = request;
  const tokensBefore = estimateTokens(messages);
  const window = candidate.info.contextWindow ?? DEFAULT_WINDOW;
  const firstKeptIndex = firstKept(messages, Math.min(keepRecentTokens, Math.floor(window / 3)));
  if (firstKeptIndex === 0) return { kind: 'nothing', reason: 'The conversation is too short to compact.' };
  const pieceTokens = Math.max(1_000, Math.floor((window - Math.min(OVERHEAD, window / 2)) * 0.8));
  let summary: string;
  try {
    summary = await summariseAll({ ...request, messages: messages.slice(0, firstKeptIndex) }, pieceTokens);
  } catch (error) {
    const failure = asAppError(error);
    request.log.warn('compaction.failed', { code: failure.code, error: failure.message });
    return {
      kind: 'failed',
      error: new AppError(
        failure.code,
        `The conversation could not be summarised and is unchanged: ${failure.message}`,
        { cause: failure },
      ),
    };
  }
  const tokensAfter = estimateTextTokens(summary) + estimateTokens(messages.slice(firstKeptIndex));
  return { kind: 'compacted', summary: summary, firstKeptIndex, tokensBefore, tokensAfter };
}

/** Our estimate of tokens can be too low; pieces the model refuses as too long are halved. */
async function summariseAll(request: CompactRequest, pieceTokens: number): Promise<string> {
  let summary: string | undefined;
  try {
    for (const piece of chunksOf(request.messages, pieceTokens))
      summary = await summarise({ ...request, piece, earlier: summary, pieceTokens });
    return summary ?? '';
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'context_overflow') || pieceTokens < 1_000) throw error;
    return summariseAll(request, Math.floor(pieceTokens / 2));
  }
}
