/** The parameters of the `discord` tool as one flat object; `calls.ts` says which action uses which. */
import { z } from 'zod';

const text = (help: string) => z.string().optional().describe(help);
const number = (help: string) => z.number().optional().describe(help);
const flag = (help: string) => z.boolean().optional().describe(help);
const texts = (help: string) => z.array(z.string()).optional().describe(help);

const PARAMETERS = {
  accountId: text('Account of Discord, where there are several'),
  guildId: text('Server, by its id; absent: that of this chat'),
  channelId: text('Channel or thread, by its id; absent: this chat, where nothing is changed in the channel itself'),
  channelIds: texts('Several channels to look in'),
  messageId: text('Message, by its id'),
  messageLink: text('Link to a message, in place of channelId and messageId'),
  to: text('Who gets it: channel:<id> or user:<id>; absent: this chat'),
  content: text('The words: of a message, or what is searched for'),
  mediaUrl: text('File to send or upload: a path you may read, or a public https address'),
  replyTo: text('Id of the message this one answers'),
  embeds: text('Embeds as JSON: [{"title":"…","description":"…"}]'),
  emoji: text('Emoji, or <:name:id>; empty takes away all reactions of the bot'),
  remove: flag('Take this reaction of the bot away'),
  stickerIds: texts('One to three sticker ids'),
  question: text('Question of the poll'),
  answers: texts('2 to 10 answers'),
  allowMultiselect: flag('More than one answer may be chosen'),
  durationHours: number('Hours the poll is open, 1 to 768; absent: 24'),
  limit: number('At most so many: 100; a search 25'),
  before: text('Messages before this id; threads archived before this ISO time'),
  after: text('Messages after this id'),
  around: text('Messages around this id'),
  name: text('Name of what is made or changed'),
  autoArchiveMinutes: number('60, 1440, 4320 or 10080'),
  includeArchived: flag('Archived threads of the channel instead of open ones'),
  authorId: text('Only what this person wrote'),
  authorIds: texts('Only what these people wrote'),
  userId: text('Person, by id'),
  roleId: text('Role, by id'),
  roleIds: texts('Roles that may use the emoji'),
  description: text('What it shows or is about'),
  tags: text('Name of an emoji that goes with the sticker'),
  type: text('Kind of channel: text, voice, announcement, stage or forum'),
  topic: text('What the channel is about'),
  position: number('Place in the list'),
  parentId: text('Category the channel belongs to'),
  clearParent: flag('Out of its category'),
  nsfw: flag('For adults only'),
  rateLimitPerUser: number('Seconds between messages of one person'),
  categoryId: text('Category, by id'),
  targetId: text('Role or member whose permissions in the channel are meant'),
  targetType: z.enum(['role', 'member']).optional().describe('What targetId is; absent: role'),
  allow: texts('Permissions by name, like ViewChannel'),
  deny: texts('Permissions by name'),
  startTime: text('ISO time'),
  endTime: text('ISO time; external events need one'),
  entityType: z.enum(['stage', 'external', 'voice']).optional().describe('Kind of event; absent: voice'),
  location: text('Where an external event is'),
  durationMinutes: number('How long a member is silenced, at most 40320; without it and until: no longer'),
  until: text('ISO time, in place of the minutes'),
  reason: text('Why, for the audit log'),
  deleteMessageDays: number('Also delete what they wrote in the last days, 0 to 7'),
} as const;

export type DiscordParameter = keyof typeof PARAMETERS;
/** What the schema lets through. */
export type DiscordInput = { readonly action: string } & Readonly<Partial<Record<DiscordParameter, unknown>>>;

/** `actions`: those that are turned on, each with its parameters; a star marks what it cannot do without. */
export function discordInput(
  actions: ReadonlyMap<
    string,
    { readonly takes: readonly DiscordParameter[]; readonly required: readonly DiscordParameter[] }
  >,
): z.ZodType<DiscordInput> {
  const used = new Set([...actions.values()].flatMap(({ takes }) => takes));
  const manual = [...actions].map(
    ([name, { takes, required }]) =>
      `${name} (${takes.map((one) => `${one}${required.includes(one) ? '*' : ''}`).join(', ')})`,
  );
  const shape = {
    action: z.enum([...actions.keys()] as [string, ...string[]]).describe(`What to do: ${manual.join('; ')}`),
    ...Object.fromEntries(
      Object.entries(PARAMETERS).filter(([name]) => name === 'accountId' || used.has(name as DiscordParameter)),
    ),
  };
  return z.object(shape) as unknown as z.ZodType<DiscordInput>;
}
