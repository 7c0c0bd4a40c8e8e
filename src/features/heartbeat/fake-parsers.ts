/** What reads outside text here on the event loop, for the test that tries every such parser on hostile text. */
import { hasNoTasks } from './empty-file.ts';

export const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'empty file': hasNoTasks,
};
