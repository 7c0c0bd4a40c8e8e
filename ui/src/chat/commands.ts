/** The slash commands the gateway knows, for completion, and the words that stop a run. Pure. */

export interface Command { readonly name: string; readonly args?: string; readonly help: string }

export const COMMANDS: readonly Command[] = [
  { name: '/help', help: 'What can be typed' },
  { name: '/status', help: 'Model, tokens and queue' },
  { name: '/new', args: '[model] [message]', help: 'Start afresh; the transcript stays on disk' },
  { name: '/reset', args: '[model] [message]', help: 'The same as /new' },
  { name: '/compact', args: '[what to keep]', help: 'Summarise what was said to free context' },
  { name: '/approve', args: '<id> allow-once|allow-always|deny', help: 'Answer a command that waits' },
  { name: '/elevated', args: '[off|on|ask|full]', help: 'How far commands of this conversation go' },
  { name: '/stop', help: 'Stop the answer and forget what waits' },
];

/** Commands that fit what is typed; none once a space follows, for then the arguments are being written. */
export function completions(text: string): readonly Command[] {
  if (!/^\/[a-z]*$/i.test(text)) return [];
  const typed = text.toLowerCase();
  const fitting = COMMANDS.filter((command) => command.name.startsWith(typed));
  return fitting.length === 1 && fitting[0]?.name === typed && !fitting[0].args ? [] : fitting;
}

const STOP_WORDS = new Set(['stop', '/stop', 'abort', 'esc', 'wait', 'cancel', 'exit', 'interrupt', 'halt', 'please stop', 'stop please']);

/** A message that means "stop" when an answer is running; it is then obeyed, not sent. */
export const isStopWord = (text: string): boolean => STOP_WORDS.has(text.trim().toLowerCase().replace(/[.!]+$/, ''));
