/**
 * The event stream of `POST /v1/responses`, as the Open Responses specification orders it (openresponses.org, "Items
 * are streamable").
 */
import type { AppError } from '../../core/errors.ts';
import {
  failedResponse,
  finishedResponse,
  messageId,
  messageItem,
  outputOf,
  startedResponse,
  textPart,
  type FunctionCallItem,
  type ResponseFacts,
} from './response-resource.ts';
import type { TurnAnswer } from './run-turn.ts';

export interface ResponseFrames {
  readonly preamble: () => string;
  readonly text: (delta: string) => string;
  /** Everything after the last text, ending in `[DONE]`. */
  readonly closing: (answer: TurnAnswer, now: number) => string;
  readonly failure: (error: AppError) => string;
}

/** Each frame carries the next sequence number; the message item opens with the first text. */
export function responseFrames(facts: ResponseFacts): ResponseFrames {
  const itemId = messageId(facts.runId);
  const place = { item_id: itemId, output_index: 0, content_index: 0 };
  const deltaTail = `,"item_id":${JSON.stringify(itemId)},"output_index":0,"content_index":0,"logprobs":[],"delta":`;
  let sequence = 0;
  let messageOpen = false;

  const frame = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`;

  function openMessage(): string {
    if (messageOpen) return '';
    messageOpen = true;
    return (
      frame('response.output_item.added', {
        output_index: 0,
        item: { ...messageItem(facts.runId, '', 'in_progress'), content: [] },
      }) + frame('response.content_part.added', { ...place, part: textPart('') })
    );
  }
  function closeMessage(item: object, text: string): string {
    return (
      openMessage() +
      frame('response.output_text.done', { ...place, text, logprobs: [] }) +
      frame('response.content_part.done', { ...place, part: textPart(text) }) +
      frame('response.output_item.done', { output_index: 0, item })
    );
  }
  function wholeCall(item: FunctionCallItem, index: number): string {
    const at = { item_id: item.id, output_index: index };
    return (
      frame('response.output_item.added', {
        output_index: index,
        item: { ...item, arguments: '', status: 'in_progress' },
      }) +
      frame('response.function_call_arguments.delta', { ...at, delta: item.arguments }) +
      frame('response.function_call_arguments.done', { ...at, name: item.name, arguments: item.arguments }) +
      frame('response.output_item.done', { output_index: index, item })
    );
  }

  return {
    preamble: () => {
      const response = startedResponse(facts);
      return frame('response.created', { response }) + frame('response.in_progress', { response });
    },
    // Written by hand: this runs once per token.
    text: (delta) =>
      `${openMessage()}event: response.output_text.delta\ndata: ` +
      `{"type":"response.output_text.delta","sequence_number":${sequence++}${deltaTail}${JSON.stringify(delta)}}\n\n`,
    closing(answer, now) {
      const items = outputOf(facts, answer).map((item, index) =>
        item.type === 'message' ? closeMessage(item, answer.text) : wholeCall(item, index),
      );
      const response = finishedResponse(facts, answer, now);
      const last =
        answer.ended === 'length' || answer.ended === 'aborted' ? 'response.incomplete' : 'response.completed';
      return `${items.join('')}${frame(last, { response })}data: [DONE]\n\n`;
    },
    failure: (error) => `${frame('response.failed', { response: failedResponse(facts, error) })}data: [DONE]\n\n`,
  };
}
