/** What the agent and `clawdbot message` can do on Telegram beyond what every channel can, as data. */
import type { ChannelAction } from '../../sdk/index.ts';

export const ACTIONS: readonly ChannelAction[] = [
  { name: 'buttons', summary: 'Send text with buttons under it; a press comes back as `callback_data: <data>`', gate: 'buttons', reach: 'chat', parameters: { target: '', threadId: '', message: '', replyTo: '', buttons: '' }, required: ['message', 'buttons'] },
  { name: 'pin', summary: 'Pin a message', gate: 'pins', reach: 'chat', moderates: 'can_pin_messages', parameters: { target: '', messageId: '' }, required: ['messageId'] },
  { name: 'unpin', summary: 'Unpin a message; without an id the newest one', gate: 'pins', reach: 'chat', moderates: 'can_pin_messages', parameters: { target: '', messageId: '' } },
  { name: 'sticker', summary: 'Send a sticker', gate: 'sticker', reach: 'chat', offByDefault: true, parameters: { target: '', threadId: '', replyTo: '', stickerId: 'File id of a sticker, or an https address of a .webp' }, required: ['stickerId'] },
  { name: 'thread-create', summary: 'Open a topic in a forum', gate: 'topics', reach: 'chat', moderates: 'can_manage_topics', parameters: { target: '', name: '' }, required: ['name'] },
  { name: 'thread-edit', summary: 'Rename a topic, close it or open it again', gate: 'topics', reach: 'chat', moderates: 'can_manage_topics', parameters: { target: '', threadId: '', name: '', closed: 'true closes the topic, false opens it' }, required: ['threadId'] },
  { name: 'member-info', summary: 'What a member of the chat is: name, status', gate: 'memberInfo', reach: 'chat', readOnly: true, parameters: { target: '', userId: '' }, required: ['userId'] },
];
