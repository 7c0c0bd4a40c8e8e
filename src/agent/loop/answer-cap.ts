/** Limits the size of one answer, because a faulty or hostile model server can send any amount. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';

/** More lines than any window shows, and than a page can lay out. */
const MAX_LINES = 100_000;

export interface AnswerMeter {
  /** False: this part is one too many. */
  takes(part: LanguageModelV4StreamPart): boolean;
  /** For people. */
  readonly why: string;
}

/**
 * Counts what the model writes, thinks and calls with; a part that passes `maxChars` characters or `MAX_LINES` lines is
 * not taken any more.
 */
export function answerMeter(maxChars: number): AnswerMeter {
  let [chars, lines] = [0, 0];
  return {
    takes(part) {
      const written = writtenIn(part);
      chars += written.length;
      lines += linesIn(written);
      return chars <= maxChars && lines <= MAX_LINES;
    },
    get why() {
      return lines > MAX_LINES
        ? `it passed ${MAX_LINES} lines`
        : `it exceeded ${maxChars} characters (agents.defaults.answerMaxChars)`;
    },
  };
}

function writtenIn(part: LanguageModelV4StreamPart): string {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
    case 'tool-input-delta':
      return part.delta;
    default:
      return '';
  }
}

function linesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
