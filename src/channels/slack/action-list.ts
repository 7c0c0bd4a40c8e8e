/** What can be done on Slack beyond what every channel can; `actions.ts` does it. */
import type { ChannelAction } from '../../sdk/index.ts';

export const ACTIONS: readonly ChannelAction[] = [
  { name: 'read', summary: 'Read messages of a channel or thread', gate: 'messages', reach: 'chat', readOnly: true, parameters: { target: '', threadId: '', limit: '', before: '', after: '' } },
  { name: 'reactions', summary: 'Who reacted to a message, and with what', gate: 'reactions', reach: 'chat', readOnly: true, parameters: { target: '', messageId: '' }, required: ['messageId'] },
  { name: 'pin', summary: 'Pin a message', gate: 'pins', reach: 'chat', parameters: { target: '', messageId: '' }, required: ['messageId'] },
  { name: 'unpin', summary: 'Unpin a message', gate: 'pins', reach: 'chat', parameters: { target: '', messageId: '' }, required: ['messageId'] },
  { name: 'pins', summary: 'List pinned messages', gate: 'pins', reach: 'chat', readOnly: true, parameters: { target: '' } },
  { name: 'member-info', summary: 'Look a person up', gate: 'memberInfo', reach: 'place', readOnly: true, parameters: { userId: '' }, required: ['userId'] },
  { name: 'emoji-list', summary: 'List the emoji of the workspace', gate: 'emojiList', reach: 'place', readOnly: true, parameters: { limit: '' } },
  { name: 'search', summary: 'Search messages of the workspace as the owner of the user token', gate: 'search', reach: 'place', offByDefault: true, readOnly: true, parameters: { query: '', limit: '' }, required: ['query'] },
];
