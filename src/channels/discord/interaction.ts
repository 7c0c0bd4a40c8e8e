/** Converts slash commands, buttons and menus to message facts. Pure. */
import type { APIInteraction } from '@discordjs/core';
import type { InboundMessage, NativeCommand, Quoted, Sender } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import { addressOf, defined, namesOf, text, timeOf, type ProcessScanner } from './place.ts';
import { list, nameOf } from './words.ts';
import type { Self } from './inbound.ts';

export const INTERACTION = { command: 2, component: 3 } as const;
const CHAT_INPUT = 1;
/** Discord takes answers to an interaction for a quarter of an hour. */
const ANSWERS_FOR_MS = 15 * 60_000;

export interface Interacted extends ProcessScanner {
  readonly accountId: string;
  readonly self: Self;
  readonly commands: readonly NativeCommand[];
  /** It was told to Discord in time that an answer comes. */
  readonly deferred: boolean;
}

/** Undefined for those we do not take: autocompletion, forms, commands on people and messages. */
export function normaliseInteraction(raw: APIInteraction, where: Interacted): InboundMessage | undefined {
  const interaction = raw as Loose;
  const person = interaction.member?.user ?? interaction.user;
  const said =
    interaction.type === INTERACTION.command
      ? commandText(interaction, where.commands)
      : interaction.type === INTERACTION.component
        ? pressed(interaction)
        : undefined;
  if (said === undefined || text(interaction.id) === undefined || text(person?.id) === undefined) return undefined;
  const address = addressOf(where.place, { accountId: where.accountId, peer: person!.id! });
  const via = interaction.type === INTERACTION.command && where.deferred ? viaOf(interaction) : undefined;
  const shown = interaction.message;
  return defined<InboundMessage>({
    id: interaction.id!,
    key: `interaction:${interaction.id}`,
    address: via === undefined ? address : { ...address, via },
    sender: defined<Sender>({
      id: person!.id!,
      name: nameOf({ ...person, member: interaction.member }),
      handle: text(person!.username),
      isBot: person!.bot ? true : undefined,
    }),
    text: said,
    said: interaction.type === INTERACTION.command ? typed(said) : NOTHING_SAID,
    native: interaction.type === INTERACTION.command ? true : undefined,
    pressed: interaction.type === INTERACTION.component ? dataOf(interaction) : undefined,
    attachments: [],
    quoted: shown?.id
      ? defined<Quoted>({
          id: shown.id,
          text: text(shown.content),
          sender: where.self.name,
          senderId: where.self.id,
          media: undefined,
          partial: undefined,
        })
      : undefined,
    addressesBot: true,
    spaceId: where.place.guildId,
    roles: Array.isArray(interaction.member?.roles) ? interaction.member.roles : undefined,
    place: namesOf(where),
    receivedAt: timeOf(interaction.id!) ?? 0,
    editVersion: undefined,
    system: undefined,
    quiet: undefined,
    forwarded: undefined,
    location: undefined,
    contacts: undefined,
    mentionsOthers: undefined,
    threadStarter: undefined,
  });
}

interface User {
  readonly id?: string;
  readonly username?: string;
  readonly global_name?: string | null;
  readonly bot?: boolean;
}
interface Option {
  readonly name?: string;
  readonly value?: unknown;
  readonly options?: readonly Option[];
}
interface Loose {
  readonly id?: string;
  readonly type?: number;
  readonly token?: string;
  readonly application_id?: string;
  readonly member?: { readonly user?: User; readonly nick?: string | null; readonly roles?: readonly string[] };
  readonly user?: User;
  readonly data?: {
    readonly name?: string;
    readonly type?: number;
    readonly options?: readonly Option[];
    readonly custom_id?: string;
    readonly values?: readonly unknown[];
  };
  readonly message?: { readonly id?: string; readonly content?: string };
}

/** In the order the command declares its arguments, whatever order they were filled in. */
function commandText({ data }: Loose, commands: readonly NativeCommand[]): string | undefined {
  const name = text(data?.name);
  if (name === undefined || (data!.type ?? CHAT_INPUT) !== CHAT_INPUT) return undefined;
  const options = new Map(list(data!.options).map((option) => [option.name, option.value]));
  const order = commands.find((command) => command.name === name)?.args.map((arg) => arg.name) ?? [...options.keys()];
  const values = order.flatMap((key) => {
    const value = options.get(key);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [String(value).trim()]
      : [];
  });
  return [`/${name}`, ...values.filter((value) => value !== '')].join(' ');
}

/** Of a menu the one value that was chosen. */
const dataOf = ({ data }: Loose): string | undefined =>
  Array.isArray(data?.values) && data.values.length === 1 ? text(data.values[0]) : text(data?.custom_id);

function pressed({ data }: Loose): string | undefined {
  const values = Array.isArray(data?.values) ? data.values.filter((value) => typeof value === 'string') : [];
  const value = values.length > 0 ? values.join(',') : text(data?.custom_id);
  return value === undefined ? undefined : `callback_data: ${value}`;
}

export interface Via {
  readonly applicationId: string;
  readonly token: string;
  readonly expiresAt: number;
}

const viaOf = ({ application_id, token, id }: Loose): string =>
  `interaction:${application_id}:${token}:${(timeOf(id!) ?? 0) + ANSWERS_FOR_MS}`;

/** Another way for answers, out of `ChatAddress.via`. */
export function readVia(via: string | undefined): Via | undefined {
  const found = /^interaction:(\d+):(.+):(\d+)$/.exec(via ?? '');
  return found ? { applicationId: found[1]!, token: found[2]!, expiresAt: Number(found[3]) } : undefined;
}
