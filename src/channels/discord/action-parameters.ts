/** Parameters that several Discord actions share. */

/** Parameters every channel has one meaning for; core describes them. */
export const common = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, '']));

export const guildId = { guildId: 'Server, by its id; absent: that of the chat' };
