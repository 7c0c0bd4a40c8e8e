/** The slash commands of the gateway, for completion; loaded after the page. Pure. */

export interface Command {
  readonly name: string;
  readonly args?: string;
  readonly help: string;
}

export const COMMANDS: readonly Command[] = [
  { name: '/help', help: 'Show help' },
  { name: '/commands', args: '[page]', help: 'List all commands' },
  { name: '/status', help: 'Show model, tokens and queue' },
  { name: '/whoami', help: 'Show your sender id and this chat' },
  { name: '/context', help: 'Show context usage' },
  { name: '/cost', help: 'Show token usage of this conversation' },
  { name: '/new', args: '[model] [message]', help: 'Start a new session; the transcript stays on disk' },
  { name: '/reset', args: '[model] [message]', help: 'The same as /new' },
  { name: '/compact', args: '[what to keep]', help: 'Summarise the conversation to free context' },
  { name: '/stop', help: 'Stop the answer and clear the queue' },
  {
    name: '/queue',
    args: '[mode] [debounce:2s] [cap:25] [drop:summarize]',
    help: 'Set how messages are queued while the agent is busy',
  },
  { name: '/subagents', args: '[list|stop <number>|stop all]', help: 'List or stop sub-agents of this conversation' },
  { name: '/skill', args: '[name] [task]', help: 'List skills, or use one' },
  { name: '/model', args: '[number|name|list|status|default]', help: 'Show or choose the model' },
  { name: '/models', args: '[page]', help: 'List models' },
  { name: '/think', args: '[off|minimal|low|medium|high|xhigh|default]', help: 'Set the thinking level' },
  { name: '/verbose', args: '[off|on|full|default]', help: 'Show tool calls' },
  { name: '/reasoning', args: '[off|on|stream|default]', help: 'Show the model’s reasoning' },
  { name: '/usage', args: '[off|tokens|full|cost]', help: 'Show token usage under each answer' },
  { name: '/tts', help: 'Turn spoken answers on or off' },
  { name: '/approve', args: '<id> allow-once|allow-always|deny', help: 'Answer an approval' },
  { name: '/elevated', args: '[off|on|ask|full]', help: 'Set elevated access for commands' },
  { name: '/exec', args: '[host=] [security=] [ask=]', help: 'Set stricter rules for commands' },
  { name: '/activation', args: '[mention|always]', help: 'Set when to answer in a group' },
  { name: '/send', args: '[on|off|inherit]', help: 'Turn answers on or off' },
  { name: '/allowlist', args: '[list|add|remove] [group] [id]', help: 'Edit the allowlist of senders' },
  { name: '/config', args: 'show|get|set|unset [path][=value]', help: 'Read or change the configuration' },
  { name: '/debug', args: 'show|set|unset|reset [path][=value]', help: 'Override settings until the gateway restarts' },
  { name: '/bash', args: '<command>', help: 'Run a shell command' },
  { name: '/restart', help: 'Restart the gateway' },
];

/** The possible first arguments of a command, if there are few: `off`, `on` … */
function choicesOf({ args }: Command): readonly string[] {
  const first = /^\[?([\w|-]+)\]?/.exec(args ?? '')?.[1] ?? '';
  return first.includes('|') ? first.split('|') : [];
}

/** Commands that match the input, then the arguments of the command. */
export function completions(text: string): readonly Command[] {
  const typed = text.toLowerCase();
  const [, name, word] = /^(\/[a-z]+) (\S*)$/.exec(typed) ?? [];
  if (name !== undefined && word !== undefined) {
    const command = COMMANDS.find((one) => one.name === name);
    const fitting = command ? choicesOf(command).filter((choice) => choice.startsWith(word)) : [];
    if (fitting.length === 1 && fitting[0] === word) return [];
    return fitting.map((choice) => ({ name: `${name} ${choice}`, help: command!.help }));
  }
  if (!/^\/[a-z]*$/.test(typed)) return [];
  const fitting = COMMANDS.filter((command) => command.name.startsWith(typed));
  return fitting.length === 1 && fitting[0]?.name === typed && !fitting[0].args ? [] : fitting;
}
