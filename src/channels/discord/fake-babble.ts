/** Events that no Discord sends: without what every message has, or with it in another form. */
export const BABBLE: readonly (readonly [string, unknown])[] = [
  ['MESSAGE_CREATE', null],
  ['MESSAGE_CREATE', {}],
  ['MESSAGE_CREATE', { id: '1', channel_id: '2' }],
  ['MESSAGE_CREATE', { id: 1, channel_id: [], author: 'ann', content: 7, attachments: 'none' }],
  ['MESSAGE_UPDATE', { id: '1' }],
  ['MESSAGE_REACTION_ADD', { emoji: null }],
  ['INTERACTION_CREATE', { id: '1', type: 99 }],
  ['CHANNEL_UPDATE', { id: null, name: 3 }],
  ['SOMETHING_NEW', { a: 1 }],
];
