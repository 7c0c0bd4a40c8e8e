/**
 * Every command in one table: parsing, `--help`, did-you-mean and the reference page are derived from it; a command's
 * code loads when it runs.
 */
import { channelCommands } from './channel-commands.ts';
import type { Command } from './command.ts';
import { client, flag, json, number, text } from './options.ts';
import { messageCommands } from './message-commands.ts';
import { pairingCommands, doorCommands } from './gate-commands.ts';
import { approvalCommands, processCommands, systemCommands, toolCommands } from './work-commands.ts';

const showToken = { 'show-token': flag('Print a token where standard output is no terminal, too.') };
const session = { session: text('<key>', 'Session to talk in. Default: the main session of the agent.') };
const agent = { agent: text('<id>', 'Agent to talk to. Default: the configured default agent.') };
const talk = {
  ...session,
  ...agent,
  thinking: text('<level>', 'How much the model thinks: off, minimal, low, medium, high, xhigh.'),
};

const gatewayCommands: readonly Command[] = [
  {
    name: 'gateway run',
    aliases: ['gateway'],
    summary: 'Run the gateway in this terminal.',
    options: {
      port: number('<n>', 'Port of HTTP and WebSocket; 0 lets the system choose.'),
      bind: text('<mode>', 'Addresses to listen on: loopback, lan, tailnet, auto, custom.'),
      token: text('<token>', 'Token that clients must present.'),
      verbose: flag('Show debug lines.'),
    },
    load: async () => (await import('./commands/gateway-run.ts')).gatewayRun,
  },
  {
    name: 'gateway restart',
    summary: 'Restart the running gateway in place and wait until it is back.',
    options: {
      reason: text('<text>', 'What the log says of it.'),
      timeout: number('<seconds>', 'Seconds to wait for it; 60 by default.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/gateway-restart.ts')).gatewayRestart,
  },
  {
    name: 'gateway status',
    summary: 'Is a gateway running, where, and can this machine talk to it?',
    options: { ...client, ...json },
    load: async () => (await import('./commands/gateway-status.ts')).gatewayStatus,
  },
  {
    name: 'gateway call',
    summary: 'Call one gateway method and print what it answers.',
    examples: ['gateway call health', 'gateway call sessions.list --params \'{"limit": 5}\''],
    args: [{ name: 'method', help: 'For example `health` or `sessions.list`.' }],
    options: {
      params: text('<json>', 'Parameters as a JSON object.'),
      timeout: number('<ms>', 'Milliseconds to wait for the answer; 30000 by default.'),
      ...showToken,
      ...client,
    },
    load: async () => (await import('./commands/gateway-call.ts')).gatewayCall,
  },
];

const conversationCommands: readonly Command[] = [
  {
    name: 'agent',
    summary: 'Give the agent one message and print its answer.',
    args: [
      {
        name: 'message',
        or: 'message',
        rest: true,
        help: 'What to say; quotes are needed only for what the shell would take.',
      },
    ],
    examples: [
      'agent hello',
      'agent -m "what is on my list today?"',
      'agent --attach invoice.pdf "what is the total?"',
      'agent --session agent:main:main --json -m status',
    ],
    options: {
      message: { ...text('<text>', 'What to say, as an option; `-` reads it from standard input.'), short: 'm' },
      ...talk,
      attach: text('<file>', 'A file to send along: a picture, a recording, a document.'),
      model: text('<provider/model>', 'Model for this turn only.'),
      timeout: number('<seconds>', 'Seconds to wait for the answer; 600 by default.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/agent.ts')).agent,
  },
  {
    name: 'agents list',
    aliases: ['agents'],
    summary: 'The agents there are, their models, and which one answers by default.',
    options: { ...json, ...client },
    load: async () => (await import('./commands/agents.ts')).agentsList,
  },
  {
    name: 'chat',
    summary: 'Talk with the agent in this terminal.',
    options: { ...talk, ...client },
    load: async () => (await import('./commands/chat.ts')).chat,
  },
];

const stateCommands: readonly Command[] = [
  {
    name: 'status',
    summary: 'The gateway, its model, channels and sessions at a glance.',
    options: { deep: flag('Also ask every channel and the journal.'), ...json, ...client },
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'health',
    summary: 'Whether the running gateway and its channels are well.',
    options: { probe: flag('Ask the platforms whether they really answer.'), ...json, ...client },
    load: async () => (await import('./commands/health.ts')).health,
  },
  {
    name: 'onboard',
    summary: 'The few choices of a new user: links, channels, media, model.',
    options: { links: text('<on|off>', 'Read links in messages; asked when absent.') },
    load: async () => (await import('./commands/onboard.ts')).onboard,
  },
  {
    name: 'security audit',
    summary: 'What this configuration opens, to whom, and how to close it.',
    options: { ...json },
    load: async () => (await import('./commands/security-audit.ts')).securityAudit,
  },
  {
    name: 'doctor',
    summary: 'Check this installation and say how to mend it.',
    options: { repair: flag('Mend what can be mended without asking.'), ...json },
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'logs',
    summary: 'The newest lines of the log.',
    options: {
      follow: flag('Keep printing new lines.'),
      limit: number('<n>', 'Lines to begin with; 200 by default.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  {
    name: 'version',
    summary: 'The version of this program, of its Node, and where it lies.',
    options: { ...json },
    load: async () => (await import('./commands/version.ts')).version,
  },
  {
    name: 'completion',
    summary: 'Print what makes a shell complete commands and options.',
    args: [{ name: 'shell', help: 'bash, zsh or fish.' }],
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/clawdbot',
      'completion zsh > "${fpath[1]}/_clawdbot"',
      'completion fish > ~/.config/fish/completions/clawdbot.fish',
    ],
    load: async (table) => (await import('./commands/completion.ts')).completion(table),
  },
  {
    name: 'backup',
    summary: 'Copy the state directory into a new folder, also while the gateway runs.',
    args: [{ name: 'folder', help: 'A folder that is not there yet.' }],
    examples: ['backup ~/backups/clawdbot-$(date +%F)'],
    options: { ...client, ...json },
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'dashboard',
    summary: 'Open the Control UI in a browser, or print its address with the token that opens it.',
    options: { 'no-open': flag('Only print the address.'), ...showToken, ...json },
    load: async () => (await import('./commands/dashboard.ts')).dashboard,
  },
];

const path = { name: 'path', help: 'Dotted, for example `agents.defaults.model.primary`.' };

const configCommands: readonly Command[] = [
  {
    name: 'config get',
    summary: 'Print a value of the configuration, or all of it; secrets are masked.',
    args: [{ ...path, optional: true }],
    options: json,
    load: async () => (await import('./commands/config.ts')).configGet,
  },
  {
    name: 'config set',
    summary: 'Change one value; comments and everything else stay as they are.',
    examples: ['config set gateway.port 18790', 'config set agents.defaults.model \'{ primary: "ollama/qwen3" }\''],
    args: [path, { name: 'value', help: 'JSON5, or plain text when it is not JSON5.' }],
    options: {
      force: flag('Also a setting that this version does not know, or a secret its platform did not accept.'),
    },
    load: async () => (await import('./commands/config.ts')).configSet,
  },
  {
    name: 'config unset',
    summary: 'Remove one value, so that its default counts.',
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
    summary: 'Say where a value comes from and what it does.',
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

const key = { name: 'key', help: 'Session key, for example `agent:main:main`; `main` is short for it.' };

const sessionCommands: readonly Command[] = [
  {
    name: 'sessions list',
    aliases: ['sessions'],
    summary: 'The sessions, newest first.',
    options: {
      agent: text('<id>', 'Only of this agent.'),
      active: number('<minutes>', 'Only those active in the last minutes.'),
      limit: number('<n>', 'At most so many; 50 by default.'),
      offset: number('<n>', 'Leave out so many of the newest.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/sessions.ts')).sessionsList,
  },
  {
    name: 'sessions show',
    summary: 'One session with its newest messages.',
    examples: ['sessions show main --limit 50'],
    args: [key],
    options: {
      limit: number('<n>', 'Messages to show, at most 1000; 20 by default.'),
      offset: number('<n>', 'Leave out so many of the newest.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/sessions.ts')).sessionsShow,
  },
  {
    name: 'sessions file',
    summary: 'Save a file the agent gave in a conversation.',
    examples: ['sessions file main 0123456789abcdef0123456789abcdef.png --out chart.png'],
    args: [key, { name: 'id', help: 'Id of the file, as `agent` and `sessions show` name it.' }],
    options: {
      out: text('<path>', 'Where to; by default here, under its id.'),
      force: flag('Replace a file that is there.'),
      ...json,
      ...client,
    },
    load: async () => (await import('./commands/session-file.ts')).sessionsFile,
  },
  {
    name: 'sessions reset',
    summary: 'Begin the session anew; its transcript is kept on disk.',
    args: [key],
    options: { ...json, ...client },
    load: async () => (await import('./commands/sessions.ts')).sessionsReset,
  },
  {
    name: 'sessions delete',
    aliases: ['sessions rm'],
    summary: 'Remove a session; its transcript is archived beside the others.',
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
    summary: 'The models the gateway can use.',
    options: { ...json, ...client },
    load: async () => (await import('./commands/models.ts')).modelsList,
  },
  {
    name: 'models status',
    summary: 'The model in use and why it was chosen.',
    options: { ...json, ...client },
    load: async () => (await import('./commands/models.ts')).modelsStatus,
  },
];

const understandingCommands: readonly Command[] = [
  {
    name: 'links explain',
    summary: 'Say for each link in a text whether it would be read, by what, and why not.',
    examples: ['links explain "have a look at https://example.com"'],
    args: [{ name: 'text', help: 'A message as a person would write it.' }],
    options: {
      channel: text('<id>', 'Channel it comes from; webchat by default.'),
      'chat-type': text('<type>', 'direct, group or channel; direct by default.'),
      agent: text('<id>', 'Agent it is for; the default agent by default.'),
      session: text('<key>', 'Session key, for rules that go by it.'),
      ...json,
    },
    load: async () => (await import('./commands/links-explain.ts')).linksExplain,
  },
  {
    name: 'fetch check',
    summary: 'Say step by step whether an address may be fetched.',
    args: [{ name: 'url', help: 'A URL or a host.' }],
    options: json,
    load: async () => (await import('./commands/fetch-check.ts')).fetchCheck,
  },
];

export const COMMANDS: readonly Command[] = [
  ...gatewayCommands,
  ...conversationCommands,
  ...stateCommands,
  ...configCommands,
  ...sessionCommands,
  ...modelCommands,
  ...understandingCommands,
  ...approvalCommands,
  ...processCommands,
  ...systemCommands,
  ...toolCommands,
  ...channelCommands,
  ...pairingCommands,
  ...doorCommands,
  ...messageCommands,
];
