/** The words that stop a run. Pure. */

const STOP_WORDS = new Set([
  'stop',
  '/stop',
  'abort',
  'esc',
  'wait',
  'cancel',
  'exit',
  'interrupt',
  'halt',
  'please stop',
  'stop please',
]);

/** A message that stops the running answer instead of being sent. */
export const isStopWord = (text: string): boolean =>
  STOP_WORDS.has(
    text
      .trim()
      .toLowerCase()
      .replace(/[.!]+$/, ''),
  );
