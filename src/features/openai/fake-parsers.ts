/** What reads outside text here on the event loop, for the test that tries every such parser on hostile text. */
import { readArguments } from './chat-request.ts';
import { agentOfModel } from './target.ts';

export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'model of a request': agentOfModel,
  'arguments of a call': readArguments,
};
