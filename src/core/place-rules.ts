/** The configuration of one chat: who may write there, and when the agent answers. */
import type { ChatAddress, PlaceNames } from './message.ts';
import type { IdForms } from './place-key.ts';

/** How strangers get into direct chats: by pairing, by the allowlist alone, freely, or never. */
export const DM_POLICIES = ['pairing', 'allowlist', 'open', 'disabled'] as const;
/** One of `DM_POLICIES`. */
export type DmPolicy = (typeof DM_POLICIES)[number];
/** Which groups are listened to: all, those on the allowlist, or none. */
export const GROUP_POLICIES = ['open', 'allowlist', 'disabled'] as const;
/** One of `GROUP_POLICIES`. */
export type GroupPolicy = (typeof GROUP_POLICIES)[number];

/** The source of a message, as settings of places refer to it. */
export interface PlaceFacts {
  readonly chat: ChatAddress['chat'];
  readonly threadId?: string;
  readonly spaceId?: string;
  /** For settings that name a place by its name, e.g. a channel's slug. */
  readonly names?: PlaceNames;
  /** The channel's own, for keys that are ids in another spelling. */
  readonly ids?: IdForms;
  /** Where the account's settings are, e.g. `channels.telegram`: the beginning of every `path`. */
  readonly settingsPath: string;
}

/**
 * Every `path` names the setting a decision rests on, e.g. `channels.telegram.groups.-100.requireMention`, for
 * explanations.
 */
export interface PlaceRules {
  readonly direct: Setting<DmPolicy> & { readonly allowFrom: Setting<readonly string[]> };
  readonly group: Setting<GroupPolicy> & {
    /** Where places are listed: is this one? Absent: the configuration lists none, and the senders alone decide. */
    readonly listed?: Setting<boolean> & {
      /** The place was found by its name, which others may take. */ readonly byName?: true;
    };
    /** Who may write in this place; absent: everybody who can, as far as the place itself is allowed. */
    readonly senders?: Setting<readonly string[]>;
    readonly requireMention: Setting<boolean>;
  };
  /** For this place beside the agent's own. */
  readonly systemPrompt?: string;
  /** Skills the agent may use here; absent: all. */
  readonly skills?: readonly string[];
}

/** A value that is in force, and the dotted path of the configuration it stands at. */
export interface Setting<T> {
  readonly value: T;
  readonly path: string;
}
