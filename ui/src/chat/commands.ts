/** The slash commands the gateway knows, for completion; fetched after the page. Pure. */

export interface Command {
  readonly name: string;
  readonly args?: string;
  readonly help: string;
}

export const COMMANDS: readonly Command[] = [
  { name: '/help', help: 'What can be typed' },
  { name: '/commands', args: '[page]', help: 'Every command, page by page' },
  { name: '/status', help: 'Model, tokens and queue' },
  { name: '/whoami', help: 'Your sender id and this chat' },
  { name: '/context', help: 'What fills the context' },
  { name: '/cost', help: 'What this conversation has taken' },
  { name: '/new', args: '[model] [message]', help: 'Start afresh; the transcript stays on disk' },
  { name: '/reset', args: '[model] [message]', help: 'The same as /new' },
  { name: '/compact', args: '[what to keep]', help: 'Summarise what was said to free context' },
  { name: '/stop', help: 'Stop the answer and forget what waits' },
  {
    name: '/queue',
    args: '[mode] [debounce:2s] [cap:25] [drop:summarize]',
    help: 'What happens to messages that come meanwhile',
  },
  { name: '/subagents', args: '[list|stop <number>|stop all]', help: 'What works for this conversation beside it' },
  { name: '/skill', args: '[name] [what for]', help: 'The skills of the agent, or have it use one' },
  { name: '/model', args: '[number|name|list|status|default]', help: 'Show or choose the model' },
  { name: '/models', args: '[page]', help: 'The models there are' },
  { name: '/think', args: '[off|minimal|low|medium|high|xhigh|default]', help: 'How hard the model thinks' },
  { name: '/verbose', args: '[off|on|full|default]', help: 'Tell of each tool' },
  { name: '/reasoning', args: '[off|on|stream|default]', help: 'Show the model’s thoughts' },
  { name: '/usage', args: '[off|tokens|full|cost]', help: 'What an answer took, under it' },
  { name: '/tts', help: 'Whether answers are spoken' },
  { name: '/approve', args: '<id> allow-once|allow-always|deny', help: 'Answer a command that waits' },
  { name: '/elevated', args: '[off|on|ask|full]', help: 'How far commands of this conversation go' },
  { name: '/exec', args: '[host=] [security=] [ask=]', help: 'Hold commands to stricter rules' },
  { name: '/activation', args: '[mention|always]', help: 'In a group: when to answer' },
  { name: '/send', args: '[on|off|inherit]', help: 'Whether to answer at all' },
  { name: '/allowlist', args: '[list|add|remove] [group] [id]', help: 'Who may write, by sender id' },
  { name: '/config', args: 'show|get|set|unset [path][=value]', help: 'Read or change the configuration' },
  { name: '/debug', args: 'show|set|unset|reset [path][=value]', help: 'Settings until the next start' },
  { name: '/bash', args: '<command>', help: 'Run a command as the agent would' },
  { name: '/restart', help: 'Restart the gateway' },
];

/** Commands that fit what is typed; none once a space follows, for then the arguments are being written. */
export function completions(text: string): readonly Command[] {
  if (!/^\/[a-z]*$/i.test(text)) return [];
  const typed = text.toLowerCase();
  const fitting = COMMANDS.filter((command) => command.name.startsWith(typed));
  return fitting.length === 1 && fitting[0]?.name === typed && !fitting[0].args ? [] : fitting;
}
