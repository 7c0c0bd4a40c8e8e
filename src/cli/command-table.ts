/** Every command in one table: parsing, `--help`, did-you-mean and the reference page are derived from it; a command's code loads when it runs. */
import { channelCommands } from './channel-commands.ts';
import type { Command, Option } from './command.ts';
import { cronCommands } from './cron-commands.ts';
import { messageCommands } from './message-commands.ts';

const flag = (help: string): Option => ({ kind: 'flag', help });
const text = (value: string, help: string): Option => ({ kind: 'text', value, help });
const number = (value: string, help: string): Option => ({ kind: 'number', value, help });

/** For commands that talk to a running gateway. */
const client = {
  url: text('<url>', 'Gateway to talk to. Default: the one the configuration describes.'),
  token: text('<token>', 'Its token. Default: from the environment or the configuration.'),
};
const json = { json: flag('Print JSON and nothing else.') };
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
    name: 'gateway run', aliases: ['gateway'], summary: 'Run the gateway in this terminal.',
    options: {
      port: number('<n>', 'Port of HTTP and WebSocket; 0 lets the system choose.'),
      bind: text('<mode>', 'Addresses to listen on: loopback, lan, tailnet, auto, custom.'),
      token: text('<token>', 'Token that clients must present.'),
      verbose: flag('Show debug lines.'),
    },
    load: async () => (await import('./commands/gateway-run.ts')).gatewayRun,
  },
  {
    name: 'gateway restart', summary: 'Restart the running gateway in place and wait until it is back.',
    options: { reason: text('<text>', 'What the log says of it.'), timeout: number('<seconds>', 'Seconds to wait for it; 60 by default.'), ...json, ...client },
    load: async () => (await import('./commands/gateway-restart.ts')).gatewayRestart,
  },
  { name: 'gateway status', summary: 'Is a gateway running, where, and can this machine talk to it?', options: { ...client, ...json }, load: async () => (await import('./commands/gateway-status.ts')).gatewayStatus },
  {
    name: 'gateway call', summary: 'Call one gateway method and print what it answers.', examples: ['gateway call health', 'gateway call sessions.list --params \'{"limit": 5}\''],
    args: [{ name: 'method', help: 'For example `health` or `sessions.list`.' }],
    options: { params: text('<json>', 'Parameters as a JSON object.'), timeout: number('<ms>', 'Milliseconds to wait for the answer; 30000 by default.'), ...showToken, ...client },
    load: async () => (await import('./commands/gateway-call.ts')).gatewayCall,
  },
];

const conversationCommands: readonly Command[] = [
  {
    name: 'agent', summary: 'Give the agent one message and print its answer.',
    args: [{ name: 'message', or: 'message', rest: true, help: 'What to say; quotes are needed only for what the shell would take.' }],
    examples: ['agent hello', 'agent -m "what is on my list today?"', 'agent --attach invoice.pdf "what is the total?"', 'agent --session agent:main:main --json -m status'],
    options: {
      message: { ...text('<text>', 'What to say, as an option; `-` reads it from standard input.'), short: 'm' },
      ...talk,
      attach: text('<file>', 'A file to send along: a picture, a recording, a document.'),
      model: text('<provider/model>', 'Model for this turn only.'),
      timeout: number('<seconds>', 'Seconds to wait for the answer; 600 by default.'),
      ...json, ...client,
    },
    load: async () => (await import('./commands/agent.ts')).agent,
  },
  { name: 'agents list', aliases: ['agents'], summary: 'The agents there are, their models, and which one answers by default.', options: { ...json, ...client }, load: async () => (await import('./commands/agents.ts')).agentsList },
  { name: 'chat', summary: 'Talk with the agent in this terminal.', options: { ...talk, ...client }, load: async () => (await import('./commands/chat.ts')).chat },
];

const stateCommands: readonly Command[] = [
  { name: 'status', summary: 'The gateway, its model, channels and sessions at a glance.', options: { deep: flag('Also ask every channel and the journal.'), ...json, ...client }, load: async () => (await import('./commands/status.ts')).status },
  { name: 'health', summary: 'Whether the running gateway and its channels are well.', options: { probe: flag('Ask the platforms whether they really answer.'), ...json, ...client }, load: async () => (await import('./commands/health.ts')).health },
  { name: 'onboard', summary: 'The few choices of a new user: links, channels, media, model.', options: { links: text('<on|off>', 'Read links in messages; asked when absent.') }, load: async () => (await import('./commands/onboard.ts')).onboard },
  { name: 'security audit', summary: 'What this configuration opens, to whom, and how to close it.', options: { ...json }, load: async () => (await import('./commands/security-audit.ts')).securityAudit },
  { name: 'doctor', summary: 'Check this installation and say how to mend it.', options: { repair: flag('Mend what can be mended without asking.'), ...json }, load: async () => (await import('./commands/doctor.ts')).doctor },
  { name: 'update', summary: 'Take newer code from git or the registry, build it and restart the gateway with it.', options: { check: flag('Only say whether there is some.'), ...json, ...client }, load: async () => (await import('./commands/update.ts')).update },
  { name: 'logs', summary: 'The newest lines of the log.', options: { follow: flag('Keep printing new lines.'), limit: number('<n>', 'Lines to begin with; 200 by default.'), ...json, ...client }, load: async () => (await import('./commands/logs.ts')).logs },
  { name: 'version', summary: 'The version of this program, of its Node, and where it lies.', options: { ...json }, load: async () => (await import('./commands/version.ts')).version },
  {
    name: 'completion', summary: 'Print what makes a shell complete commands and options.', args: [{ name: 'shell', help: 'bash, zsh or fish.' }],
    examples: ['completion bash > ~/.local/share/bash-completion/completions/clawdbot', 'completion zsh > "${fpath[1]}/_clawdbot"', 'completion fish > ~/.config/fish/completions/clawdbot.fish'],
    load: async (table) => (await import('./commands/completion.ts')).completion(table),
  },
  { name: 'dashboard', summary: 'Open the Control UI in a browser, or print its address with the token that opens it.', options: { 'no-open': flag('Only print the address.'), ...showToken, ...json }, load: async () => (await import('./commands/dashboard.ts')).dashboard },
];

const path = { name: 'path', help: 'Dotted, for example `agents.defaults.model.primary`.' };

const configCommands: readonly Command[] = [
  { name: 'config get', summary: 'Print a value of the configuration, or all of it; secrets are masked.', args: [{ ...path, optional: true }], options: json, load: async () => (await import('./commands/config.ts')).configGet },
  { name: 'config set', summary: 'Change one value; comments and everything else stay as they are.', examples: ['config set gateway.port 18790', 'config set agents.defaults.model \'{ primary: "ollama/qwen3" }\''], args: [path, { name: 'value', help: 'JSON5, or plain text when it is not JSON5.' }], options: { force: flag('Also a setting that this version does not know.') }, load: async () => (await import('./commands/config.ts')).configSet },
  { name: 'config unset', summary: 'Remove one value, so that its default counts.', args: [path], load: async () => (await import('./commands/config.ts')).configUnset },
  { name: 'config validate', summary: 'Check the configuration file.', options: json, load: async () => (await import('./commands/config.ts')).configValidate },
  { name: 'config schema', summary: 'Print the JSON Schema of the configuration.', load: async () => (await import('./commands/config.ts')).configSchema },
  { name: 'config explain', summary: 'Say where a value comes from and what it does.', examples: ['config explain gateway.port'], args: [path], options: json, load: async () => (await import('./commands/config.ts')).configExplain },
  { name: 'config path', summary: 'Print the path of the configuration file.', load: async () => (await import('./commands/config.ts')).configPath },
];

const key = { name: 'key', help: 'Session key, for example `agent:main:main`; `main` is short for it.' };

const sessionCommands: readonly Command[] = [
  { name: 'sessions list', aliases: ['sessions'], summary: 'The sessions, newest first.', options: { agent: text('<id>', 'Only of this agent.'), active: number('<minutes>', 'Only those active in the last minutes.'), limit: number('<n>', 'At most so many; 50 by default.'), offset: number('<n>', 'Leave out so many of the newest.'), ...json, ...client }, load: async () => (await import('./commands/sessions.ts')).sessionsList },
  { name: 'sessions show', summary: 'One session with its newest messages.', examples: ['sessions show main --limit 50'], args: [key], options: { limit: number('<n>', 'Messages to show, at most 1000; 20 by default.'), offset: number('<n>', 'Leave out so many of the newest.'), ...json, ...client }, load: async () => (await import('./commands/sessions.ts')).sessionsShow },
  { name: 'sessions reset', summary: 'Begin the session anew; its transcript is kept on disk.', args: [key], options: { ...json, ...client }, load: async () => (await import('./commands/sessions.ts')).sessionsReset },
  { name: 'sessions delete', aliases: ['sessions rm'], summary: 'Remove a session; its transcript is archived beside the others.', examples: ['sessions delete agent:main:scratch'], args: [key], options: { ...json, ...client }, load: async () => (await import('./commands/sessions.ts')).sessionsDelete },
];

const modelCommands: readonly Command[] = [
  { name: 'models list', aliases: ['models'], summary: 'The models the gateway can use.', options: { ...json, ...client }, load: async () => (await import('./commands/models.ts')).modelsList },
  { name: 'models status', summary: 'The model in use and why it was chosen.', options: { ...json, ...client }, load: async () => (await import('./commands/models.ts')).modelsStatus },
];

const understandingCommands: readonly Command[] = [
  {
    name: 'links explain', summary: 'Say for each link in a text whether it would be read, by what, and why not.', examples: ['links explain "have a look at https://example.com"'],
    args: [{ name: 'text', help: 'A message as a person would write it.' }],
    options: {
      channel: text('<id>', 'Channel it comes from; webchat by default.'), 'chat-type': text('<type>', 'direct, group or channel; direct by default.'),
      agent: text('<id>', 'Agent it is for; the default agent by default.'), session: text('<key>', 'Session key, for rules that go by it.'), ...json,
    },
    load: async () => (await import('./commands/links-explain.ts')).linksExplain,
  },
  {
    name: 'fetch check', summary: 'Say step by step whether an address may be fetched.',
    args: [{ name: 'url', help: 'A URL or a host.' }], options: json,
    load: async () => (await import('./commands/fetch-check.ts')).fetchCheck,
  },
];

const approval = { name: 'id', help: 'Approval id, or the beginning of it, from `approvals list`.' };
const decided = { ...json, ...client };

const approvalCommands: readonly Command[] = [
  { name: 'approvals list', aliases: ['approvals'], summary: 'Commands of agents that wait for your word, each in full.', options: decided, load: async () => (await import('./commands/approvals.ts')).approvalsList },
  { name: 'approvals approve', summary: 'Let a waiting command run.', examples: ['approvals approve 1a2b3c4d', 'approvals approve 1a2b --always'], args: [approval], options: { always: flag('Also from now on, without asking.'), ...decided }, load: async () => (await import('./commands/approvals.ts')).approvalsApprove },
  { name: 'approvals deny', summary: 'Refuse a waiting command.', args: [approval], options: decided, load: async () => (await import('./commands/approvals.ts')).approvalsDeny },
  { name: 'approvals watch', summary: 'Show each command that waits as it comes, and ask here.', options: { json: flag('Print one JSON object per event and ask nothing.'), ...client }, load: async () => (await import('./commands/approvals-watch.ts')).approvalsWatch },
  { name: 'approvals allowlist list', aliases: ['approvals allowlist'], summary: 'Programs agents may run without asking.', options: decided, load: async () => (await import('./commands/approvals-allowlist.ts')).allowlistList },
  {
    name: 'approvals allowlist add', summary: 'Let an agent run a program without asking.',
    args: [{ name: 'pattern', help: 'Real path of the program; `*` stands for anything in one folder, `**` across folders, `?` for one character.' }],
    options: { agent: text('<id>', 'Agent it is for, `*` for all; main by default.'), ...client }, load: async () => (await import('./commands/approvals-allowlist.ts')).allowlistAdd,
  },
  {
    name: 'approvals allowlist remove', summary: 'Take a permission back.', args: [{ name: 'entry', help: 'Pattern or id, from `approvals allowlist`.' }],
    options: { agent: text('<id>', 'Only of this agent.'), ...client }, load: async () => (await import('./commands/approvals-allowlist.ts')).allowlistRemove,
  },
];

const process = { name: 'id', help: 'Two words, from `processes list`.' };

const processCommands: readonly Command[] = [
  { name: 'processes list', aliases: ['processes'], summary: 'Commands that agents left running in the background.', options: { agent: text('<id>', 'Only of this agent.'), ...json, ...client }, load: async () => (await import('./commands/processes.ts')).processesList },
  { name: 'processes log', summary: 'The output of a background command.', args: [process], options: { follow: flag('Keep printing until it ends.'), limit: number('<n>', 'Lines to begin with; 200 by default.'), ...json, ...client }, load: async () => (await import('./commands/processes.ts')).processesLog },
  { name: 'processes kill', summary: 'End a background command with everything it started.', args: [process], options: { ...json, ...client }, load: async () => (await import('./commands/processes.ts')).processesKill },
  {
    name: 'sandbox explain', summary: 'Say whether commands of a session are sandboxed, why, and what they see.',
    options: { agent: text('<id>', 'Agent; the default agent by default.'), session: text('<key>', 'Session key; the main session of the agent by default.'), ...json, ...client },
    load: async () => (await import('./commands/sandbox-explain.ts')).sandboxExplain,
  },
];

const request = { name: 'request', help: 'Request id, from `devices list`.' };

const deviceCommands: readonly Command[] = [
  { name: 'devices list', aliases: ['devices'], summary: 'Paired devices and those that ask to be.', options: { ...json, ...client }, load: async () => (await import('./commands/devices.ts')).devicesList },
  { name: 'devices approve', summary: 'Admit a device.', args: [request], options: { ...json, ...client }, load: async () => (await import('./commands/devices.ts')).devicesApprove },
  { name: 'devices reject', summary: 'Refuse a device.', args: [request], options: { ...json, ...client }, load: async () => (await import('./commands/devices.ts')).devicesReject },
  { name: 'devices revoke', summary: 'Take a device\'s token away.', args: [{ name: 'device', help: 'Device id, from `devices list`.' }], options: { role: text('<role>', 'operator or node; operator by default.'), ...json, ...client }, load: async () => (await import('./commands/devices.ts')).devicesRevoke },
];

const onChannel = { name: 'channel', help: 'Channel id, for example `telegram`.' };
const code = { name: 'code', help: 'The eight characters the person was sent.' };

const pairingCommands: readonly Command[] = [
  { name: 'pairing list', aliases: ['pairing'], summary: 'Who asks to write to you in direct chats; for a channel also who may.', args: [{ ...onChannel, optional: true }], options: { ...json, ...client }, load: async () => (await import('./commands/pairing.ts')).pairingList },
  { name: 'pairing approve', summary: 'Let a person write in direct chats, and tell them. Groups are not affected.', examples: ['pairing approve telegram ABCD2345', 'pairing approve telegram ABCD2345 --owner'], args: [onChannel, code], options: { owner: flag('It is you: they may use the commands of the owner and answer approvals.'), ...json, ...client }, load: async () => (await import('./commands/pairing.ts')).pairingApprove },
  { name: 'pairing reject', summary: 'Drop a request without a word to the person.', args: [onChannel, code], options: { ...json, ...client }, load: async () => (await import('./commands/pairing.ts')).pairingReject },
  { name: 'pairing revoke', summary: 'Take back what an approval gave.', args: [onChannel, { name: 'id', help: 'Sender id, from `pairing list <channel>`.' }], options: { ...json, ...client }, load: async () => (await import('./commands/pairing.ts')).pairingRevoke },
];

const message = {
  channel: text('<id>', 'Channel it comes from.'), account: text('<id>', 'Account it comes to; the default one by default.'),
  kind: text('<kind>', 'direct, group or channel; direct by default.'), chat: text('<id>', 'Chat id.'), thread: text('<id>', 'Thread or topic id.'),
  space: text('<id>', 'Server, workspace or team id.'), sender: text('<id>', 'Who writes, by the id the channel gives.'), roles: text('<ids>', 'Roles of the sender, with commas.'),
  text: text('<text>', 'What they write.'), mentioned: flag('The agent is mentioned.'),
};

const doorCommands: readonly Command[] = [
  { name: 'route explain', summary: 'Say which agent and session a message would reach, and why.', options: { ...message, ...json, ...client }, load: async () => (await import('./commands/route-explain.ts')).routeExplain },
  {
    name: 'access explain', summary: 'Say why a message would be answered or not, who would ask and what they may, or why the newest ones were.',
    options: {
      ...message, verb: text('<verb>', 'What they would do, with --resource: each look at the table of who may what, and what would change it.'),
      resource: text('<kind[:id]>', 'To which thing, for example received-file, or job:<id>.'), scopes: text('<scopes>', 'With --channel webchat: a device with these scopes, with commas.'),
      through: text('<hands>', 'Through whom it would come, with commas, for example job:7.'),
      last: flag('The newest messages that really came.'), refused: flag('Only those that were not answered.'), limit: number('<n>', 'At most so many of them; 5 by default.'), ...json, ...client,
    },
    load: async () => (await import('./commands/access-explain.ts')).accessExplain,
  },
];

const tool = { name: 'tool', help: 'Its name, for example `bash`.' };
const place = {
  agent: text('<id>', 'Agent that would use it; the default agent by default.'), session: text('<key>', 'Session key; the main session by default.'),
  channel: text('<id>', 'Channel the message would come from.'), account: text('<id>', 'Account it would come to.'), group: text('<id>', 'Group on that channel.'), sender: text('<id>', 'Who would write, by the id the channel gives.'),
  model: text('<provider/model>', 'Model that would answer.'), ...json, ...client,
};

const toolCommands: readonly Command[] = [
  { name: 'tools list', aliases: ['tools'], summary: 'The tools an agent may use, and what removed the others.', options: place, load: async () => (await import('./commands/tools.ts')).toolsList },
  { name: 'tools explain', summary: 'Say stage by stage which setting keeps or removes a tool, what its calls may do there, and how to change it.', args: [tool], options: place, load: async () => (await import('./commands/tools.ts')).toolsExplain },
  {
    name: 'tools invoke', summary: 'Run one tool by hand, under the policy of a session.', args: [tool],
    options: { args: text('<json>', 'Its arguments as a JSON object.'), agent: place.agent, session: place.session, ...json, ...client },
    load: async () => (await import('./commands/tools.ts')).toolsInvoke,
  },
];

export const COMMANDS: readonly Command[] = [...gatewayCommands, ...conversationCommands, ...stateCommands, ...configCommands, ...sessionCommands, ...modelCommands, ...understandingCommands, ...approvalCommands, ...processCommands, ...cronCommands, ...toolCommands, ...channelCommands, ...pairingCommands, ...doorCommands, ...messageCommands, ...deviceCommands];
