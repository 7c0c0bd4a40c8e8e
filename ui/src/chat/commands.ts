/** The slash commands a person can type, for completion, and the words that stop a run. Pure. */

export interface Command { readonly name: string; readonly args?: string; readonly help: string }

export const COMMANDS: readonly Command[] = [
  { name: '/help', help: 'What this assistant understands' },
  { name: '/status', help: 'Model, context and queue of this conversation' },
  { name: '/new', args: '[model]', help: 'Forget this conversation and start afresh' },
  { name: '/reset', help: 'Same as /new' },
  { name: '/stop', help: 'Stop the answer and empty the queue' },
  { name: '/compact', args: '[instructions]', help: 'Summarise what was said to free context' },
  { name: '/model', args: '<provider/model>', help: 'Show or choose the model' },
  { name: '/think', args: '<off|low|medium|high>', help: 'How much the model thinks first' },
  { name: '/verbose', args: '<on|off>', help: 'Show tool work in other channels' },
  { name: '/reasoning', args: '<on|off|stream>', help: 'Show the thinking in answers' },
  { name: '/queue', args: '<steer|followup|collect|interrupt>', help: 'What a message does while an answer runs' },
  { name: '/usage', args: '<off|tokens|full>', help: 'Show token use under answers' },
  { name: '/whoami', help: 'How the gateway knows you' },
];

/** Commands that fit what is typed; none once a space follows, for then the arguments are being written. */
export function completions(text: string): readonly Command[] {
  if (!/^\/[a-z]*$/i.test(text)) return [];
  const typed = text.toLowerCase();
  const fitting = COMMANDS.filter((command) => command.name.startsWith(typed));
  return fitting.length === 1 && fitting[0]?.name === typed && !fitting[0].args ? [] : fitting;
}

const STOP_WORDS = new Set(['stop', '/stop', 'abort', '/abort', 'esc', 'cancel', 'exit', 'interrupt', 'halt', 'please stop', 'stop please']);

/** A message that means "stop" when an answer is running; it is then obeyed, not sent. */
export const isStopWord = (text: string): boolean => STOP_WORDS.has(text.trim().toLowerCase().replace(/[.!]+$/, ''));
