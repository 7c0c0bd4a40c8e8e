/**
 * The table of all commands, from which parsing, `--help`, suggestions and the reference page are derived. The code of
 * a command is loaded when it runs.
 */
import { channelCommands } from './channel-commands.ts';
import type { Command } from './command.ts';
import { client, flag, json, number, text } from './options.ts';
import { messageCommands } from './message-commands.ts';
import { nodeHostCommands } from './node-commands.ts';
import { pairingCommands, accessCommands } from './gate-commands.ts';
import { systemCommands, toolCommands } from './work-commands.ts';

const showToken = { 'show-token': flag('Print the token even if standard output is not a terminal.') };
const session = { session: text('<key>', 'Session key. Default: the main session of the agent.') };
const agent = { agent: text('<id>', 'Agent id. Default: the configured default agent.') };
const talk = {
  ...session,
  ...agent,
  thinking: text('<level>', 'Thinking level: off, minimal, low, medium, high, xhigh.'),
};

const gatewayCommands: readonly Command[] = [
  {
    name: 'gateway run',
    aliases: ['gateway'],
    summary: 'Run the gateway in this terminal.',
    options: {
      port: number('<n>', 'Port for HTTP and WebSocket; 0 picks a free port.'),
      bind: text('<mode>', 'Addresses to listen on: loopback, lan, tailnet, auto, custom.'),
      token: text('<token>', 'Token that clients must send.'),
      verbose: flag('Print debug messages.'),
    },
    load: async () => (await import('./commands/gateway-run.ts')).gatewayRun,
  },
  {
    name: 'gateway restart',
    summary: 'Restart the running gateway and wait until it is ready.',
    options: {
      reason: text('<text>', 'Reason to write to the log.'),
      timeout: number('<seconds>', 'Seconds to wait until it is ready. Default: 60.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/gateway-restart.ts')).gatewayRestart,
  },
  {
    name: 'gateway status',
    summary: 'Show whether a gateway is running, where, and whether this machine can connect to it.',
    options: { ...client, ...json },
    load: async () => (await import('./commands/gateway-status.ts')).gatewayStatus,
  },
  {
    name: 'gateway call',
    summary: 'Call a gateway method and print its result.',
    examples: ['gateway call health', 'gateway call sessions.list --params \'{"limit": 5}\''],
    args: [{ name: 'method', help: 'Method name, for example `health` or `sessions.list`.' }],
    options: {
      params: text('<json>', 'Parameters as a JSON object.'),
      timeout: number('<ms>', 'Milliseconds to wait for the result. Default: 30000.'),
      ...showToken,
      ...client,
    },
    load: async () => (await import('./commands/gateway-call.ts')).gatewayCall,
  },
];

const conversationCommands: readonly Command[] = [
  {
    name: 'agent',
    summary: 'Send one message to the agent and print its answer.',
    args: [
      {
        name: 'message',
        or: 'message',
        rest: true,
        help: 'The message. Quotes are needed only for characters the shell interprets.',
      },
    ],
    examples: [
      'agent hello',
      'agent -m "what is on my list today?"',
      'agent --attach invoice.pdf "what is the total?"',
      'agent --session agent:main:main --json -m status',
    ],
    options: {
      message: { ...text('<text>', 'The message as an option; `-` reads it from standard input.'), short: 'm' },
      ...talk,
      attach: text('<file>', 'File to attach: an image, a recording or a document.'),
      model: text('<provider/model>', 'Model for this turn only.'),
      timeout: number('<seconds>', 'Seconds to wait for the answer. Default: 600.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/agent.ts')).agent,
  },
  {
    name: 'agents list',
    aliases: ['agents'],
    summary: 'List the agents, their models, and which agent is the default.',
    options: { ...json, ...client },
    load: async () => (await import('./commands/agents.ts')).agentsList,
  },
  {
    name: 'chat',
    summary: 'Chat with the agent in this terminal.',
    options: { ...talk, ...client },
    caps: ['tool-events'],
    load: async () => (await import('./commands/chat.ts')).chat,
  },
];

const stateCommands: readonly Command[] = [
  {
    name: 'status',
    summary: 'Show an overview of the gateway, its model, channels and sessions.',
    options: {
      deep: flag('Also check every channel and the journal.'),
      perf: flag('Show how fast the gateway was in the last hour instead.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'health',
    summary: 'Check whether the running gateway and its channels are healthy.',
    options: { probe: flag('Also send a test request to each platform.'), ...json, ...client },
    load: async () => (await import('./commands/health.ts')).health,
  },
  {
    name: 'onboard',
    summary: 'Set up a new installation: links, channels, media and model.',
    options: { links: text('<on|off>', 'Turn link reading on or off. Default: ask.') },
    load: async () => (await import('./commands/onboard.ts')).onboard,
  },
  {
    name: 'security audit',
    summary: 'List what this configuration exposes, to whom, and how to restrict it.',
    options: { ...json },
    load: async () => (await import('./commands/security-audit.ts')).securityAudit,
  },
  {
    name: 'doctor',
    summary: 'Check this installation and suggest fixes.',
    options: { repair: flag('Apply the fixes that need no decision.'), ...json },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'logs',
    summary: 'Print the newest lines of the log.',
    options: {
      follow: flag('Keep printing new lines.'),
      limit: number('<n>', 'Number of existing lines to print first. Default: 200.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'version',
    summary: 'Print the version, the Node version and the installation path.',
    options: { ...json },
    load: async () => (await import('./commands/version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'Print the shell completion script.',
    args: [{ name: 'shell', help: 'Shell: bash, zsh or fish.' }],
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/clawdbot',
      'completion zsh > "${fpath[1]}/_clawdbot"',
      'completion fish > ~/.config/fish/completions/clawdbot.fish',
    ],
    load: async (table) => (await import('./commands/completion.ts')).completion(table),
  },
  {
    name: 'backup',
    summary: 'Copy the state directory to a new folder. Works while the gateway runs.',
    args: [{ name: 'folder', help: 'Folder to create; it must not exist.' }],
    examples: ['backup ~/backups/clawdbot-$(date +%F)'],
    options: { ...client, ...json },
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'dashboard',
    summary: 'Open the Control UI in a browser, or print its address and token.',
    options: { 'no-open': flag('Only print the address.'), ...showToken, ...json },
    load: async () => (await import('./commands/dashboard.ts')).dashboard,
  },
];

const path = { name: 'path', help: 'Dotted path, for example `agents.defaults.model.primary`.' };

const configCommands: readonly Command[] = [
  {
    name: 'config get',
    summary: 'Print one configuration value, or all of them; secrets are masked.',
    args: [{ ...path, optional: true }],
    options: json,
    load: async () => (await import('./commands/config.ts')).configGet,
  },
  {
    name: 'config set',
    summary: 'Change one value; comments and other values are kept.',
    examples: ['config set gateway.port 18790', 'config set agents.defaults.model \'{ primary: "ollama/qwen3" }\''],
    args: [path, { name: 'value', help: 'The value as JSON5; anything else is taken as text.' }],
    options: {
      force: flag('Also write a setting this version does not know, or a secret the platform rejected.'),
    },
    load: async () => (await import('./commands/config.ts')).configSet,
  },
  {
    name: 'config unset',
    summary: 'Remove one value; its default applies again.',
    args: [path],
    load: async () => (await import('./commands/config.ts')).configUnset,
  },
  {
    name: 'config validate',
    summary: 'Check the configuration file.',
    options: json,
    load: async () => (await import('./commands/config.ts')).configValidate,
  },
  {
    name: 'config schema',
    summary: 'Print the JSON Schema of the configuration.',
    load: async () => (await import('./commands/config.ts')).configSchema,
  },
  {
    name: 'config explain',
    summary: 'Explain what a setting does and where its value comes from.',
    examples: ['config explain gateway.port'],
    args: [path],
    options: json,
    load: async () => (await import('./commands/config.ts')).configExplain,
  },
  {
    name: 'config path',
    summary: 'Print the path of the configuration file.',
    load: async () => (await import('./commands/config.ts')).configPath,
  },
];

const key = { name: 'key', help: 'Session key, for example `agent:main:main`, or `main` for short.' };

const sessionCommands: readonly Command[] = [
  {
    name: 'sessions list',
    aliases: ['sessions'],
    summary: 'List sessions, newest first.',
    options: {
      agent: text('<id>', 'Only this agent.'),
      active: number('<minutes>', 'Only sessions active in the last <minutes> minutes.'),
      limit: number('<n>', 'Maximum number of entries. Default: 50.'),
      offset: number('<n>', 'Skip this many of the newest.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/sessions.ts')).sessionsList,
  },
  {
    name: 'sessions show',
    summary: 'Show a session and its newest messages.',
    examples: ['sessions show main --limit 50'],
    args: [key],
    options: {
      limit: number('<n>', 'Number of messages, at most 1000. Default: 20.'),
      offset: number('<n>', 'Skip this many of the newest.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/sessions.ts')).sessionsShow,
  },
  {
    name: 'sessions file',
    summary: 'Save a file the agent sent in a session.',
    examples: ['sessions file main 0123456789abcdef0123456789abcdef.png --out chart.png'],
    args: [key, { name: 'id', help: 'File id, as printed by `agent` and `sessions show`.' }],
    options: {
      out: text('<path>', 'Output path. Default: its id in the current directory.'),
      force: flag('Overwrite an existing file.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/session-file.ts')).sessionsFile,
  },
  {
    name: 'sessions reset',
    summary: 'Reset a session; the old transcript is kept on disk.',
    args: [key],
    options: { ...json, ...client },
    load: async () => (await import('./commands/sessions.ts')).sessionsReset,
  },
  {
    name: 'sessions delete',
    aliases: ['sessions rm'],
    summary: 'Delete a session; its transcript is archived.',
    examples: ['sessions delete agent:main:scratch'],
    args: [key],
    options: { ...json, ...client },
    load: async () => (await import('./commands/sessions.ts')).sessionsDelete,
  },
];

const modelCommands: readonly Command[] = [
  {
    name: 'models list',
    aliases: ['models'],
    summary: 'List the models the gateway can use.',
    options: { ...json, ...client },
    load: async () => (await import('./commands/models.ts')).modelsList,
  },
  {
    name: 'models status',
    summary: 'Show the model in use and why it was chosen.',
    options: { ...json, ...client },
    load: async () => (await import('./commands/models.ts')).modelsStatus,
  },
];

export const COMMANDS: readonly Command[] = [
  ...nodeHostCommands,
  ...gatewayCommands,
  ...conversationCommands,
  ...stateCommands,
  ...configCommands,
  ...sessionCommands,
  ...modelCommands,
  ...systemCommands,
  ...toolCommands,
  ...channelCommands,
  ...pairingCommands,
  ...accessCommands,
  ...messageCommands,
];
