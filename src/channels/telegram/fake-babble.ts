/** Updates that no Telegram sends: without what every message has, or with it in another form. */
const chat = { id: 501, type: 'private' };

export const BABBLE: readonly object[] = [
  {},
  { message: null },
  { message: { text: 'no chat' } },
  { message: { message_id: 'x', chat: 'somewhere', text: 7 } },
  { message: { message_id: 1, date: -1, chat: { id: null }, from: null, text: {} } },
  { message: { message_id: 2, date: 'soon', chat, from: { id: 501 }, entities: 'bold', text: null } },
  { edited_message: 5 },
  { message_reaction: { chat, new_reaction: null } },
  { callback_query: { id: 1 } },
  { something_new: { chat } },
];
