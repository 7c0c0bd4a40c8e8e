/** The fixed sections of the system prompt, one function each. */
import { PRODUCT_LABEL, SILENT_REPLY } from '../../core/product.ts';
import type { PromptInput } from './prompt-input.ts';
import { byPromptOrder } from './tool-order.ts';

export const identity = ({ agent }: PromptInput): string =>
  `You are ${agent.name ? `${agent.name}, ` : ''}a personal assistant running inside ${PRODUCT_LABEL}.`;

export function tooling({ tools }: PromptInput): string {
  if (tools.length === 0)
    return '## Tooling\nYou have no tools in this conversation. Answer from what you know and from what is said here.';
  const list = byPromptOrder(tools).map(({ name, summary }) => `- ${name}: ${summary}`);
  return [
    '## Tooling',
    'These tools are available, and no others. Names are case-sensitive; call them exactly as written.',
    ...list,
    'TOOLS.md explains how this machine is set up; it does not decide which tools exist.',
  ].join('\n');
}

export const toolCallStyle = ({ tools }: PromptInput): string =>
  tools.length === 0
    ? ''
    : `## Tool Call Style
Call ordinary tools without announcing it. Say a few words first when there are many steps, when something is hard, or when it cannot be undone.
Calls that do not depend on each other belong in one answer: they run at the same time.
When a call fails, read the error and change something before you call again. Never claim to have done what no tool confirmed.`;

export function skills({ skills: known, tools }: PromptInput): string {
  if (known.length === 0 || !tools.some((tool) => tool.name === 'read')) return '';
  const list = known.map(({ name, description, path }) => `- ${name}: ${description} (${path})`);
  return [
    '## Skills',
    'Before you answer, look through these descriptions. When one clearly fits, read its file with `read` ' +
      'and follow it. Read one at most; when none fits, read none.',
    ...list,
  ].join('\n');
}

/** Only for an agent that can change its model. */
export function modelAliases({ modelAliases: known = {}, tools }: PromptInput): string {
  const list = Object.entries(known)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([alias, model]) => `- ${alias}: ${model}`);
  if (list.length === 0 || !tools.some((tool) => tool.name === 'session_status')) return '';
  return ['## Model Aliases', 'Where a model is asked for, these names may stand for it.', ...list].join('\n');
}

export const workspace = ({ workspaceDir }: PromptInput): string =>
  `## Workspace\nYour working folder is ${workspaceDir}. Relative paths start there. Keep your files in it ` +
  'unless you are told otherwise.';

const SEEN = {
  none: "It is an empty folder of its own, not the agent's workspace.",
  ro: "It is the agent's workspace; it cannot be changed.",
  rw: "It is the agent's workspace.",
} as const;

export function sandbox({ sandbox: box }: PromptInput): string {
  if (!box) return '';
  const network = box.network ? 'Commands reach the network.' : 'Commands reach no network.';
  const elevation = box.elevated
    ? ' A command that has to run on the machine itself may ask for it with `elevated`.'
    : '';
  return (
    `## Sandbox\nYour tools work in a sandbox. ${SEEN[box.workspaceAccess]} ${network} Time, memory, processes ` +
    `and disk are limited.${elevation} What is missing there is missing on purpose: say so in place of looking for a ` +
    'way out.'
  );
}

export const documentation = ({ docsPath }: PromptInput): string =>
  docsPath
    ? `## Documentation\nHow ${PRODUCT_LABEL} works, is configured and is repaired is written in ${docsPath}. ` +
      'Look there before you answer questions about it.'
    : '';

export const owners = ({ owners: known = [] }: PromptInput): string =>
  known.length ? `## User Identity\nMessages from ${known.join(', ')} come from your owner.` : '';

export const dateTime = ({ timezone }: PromptInput): string => `## Current Date & Time\nTime zone: ${timezone}`;

export const replyTags = ({ replyTags: understood }: PromptInput): string =>
  understood
    ? `## Reply Tags
Begin an answer with [[reply_to_current]] to quote the message you are answering, or with [[reply_to:<id>]] for another one. Tags are removed before sending.`
    : '';

export const messaging = ({ runtime: { channel }, tools }: PromptInput): string =>
  `## Messaging\nWhat you write is sent to the conversation the message came from (${channel}). You do not ` +
  `choose the channel, and you need no tool to answer.${elsewhere(tools)}`;

const elsewhere = (tools: PromptInput['tools']): string =>
  tools.some(({ name }) => name === 'message')
    ? ` With \`message\` you write in other chats, react and send files. What you sent to this chat with it ` +
      `you do not say again: then answer ${SILENT_REPLY}.`
    : '';

export const silence = (): string => `## Silent Replies
When there is nothing to say, answer with ${SILENT_REPLY} and nothing else: it is not sent. Never put it beside other words.`;

export function runtime({ agent, runtime: facts }: PromptInput): string {
  const fields = [
    `agent=${agent.id}`,
    `host=${facts.host}`,
    `os=${facts.os}`,
    `node=${facts.node}`,
    `model=${facts.model}`,
    `channel=${facts.channel}`,
    facts.capabilities?.length ? `capabilities=${[...facts.capabilities].sort().join(',')}` : '',
    facts.thinking && facts.thinking !== 'off' ? `thinking=${facts.thinking}` : '',
  ];
  return `## Runtime\n${fields.filter(Boolean).join(' | ')}`;
}
