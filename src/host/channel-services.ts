/**
 * The channel services for the gateway and features: status, sends, actions, pairing requests, and access explanations.
 */
import type { WrittenBinding } from '../protocol/access.ts';
import type { SeenMessage } from '../protocol/answers/access.ts';
export type { SeenMessage } from '../protocol/answers/access.ts';
import type { TargetRequest } from '../core/target-request.ts';
import type { AdmissionStep } from '../core/admission.ts';
import type { Authority } from '../core/authority.ts';
import type { AccessAnswer, AccessExtent, RequesterView } from '../core/explain-access.ts';
import type { ActionReach, Poll } from '../core/channel.ts';
import type { LoginMethod, LoginPrompt } from '../core/channel-login.ts';
import type { ChatAddress, ChatKind, PlaceNames } from '../core/message.ts';
import type { MediaRef } from '../core/reply.ts';
import type { Route } from '../core/route.ts';
import type { AccountStatus } from '../protocol/answers/channels.ts';

export type { AccountStatus } from '../protocol/answers/channels.ts';

/** What features and the gateway ask of channels. Errors are `AppError`s, with the codes each method names. */
export interface ChannelService {
  /** Every channel there is, configured or not, in display order; surfaces inside the product are not among them. */
  registry(): Promise<readonly ChannelMeta[]>;
  /** In display order, the configured ones first. */
  status(options: { probe: boolean; timeoutMs: number }): Promise<readonly ChannelStatus[]>;
  /** Tells of accounts whose state changed, or for which messages came. Returns how to stop. */
  subscribe(listener: (account: KnownAccount) => void): () => void;
  /**
   * A target a person or the agent wrote → the chat it means. `invalid` says which channels there are and how targets
   * are written.
   */
  resolve(target: TargetRequest): ChatAddress;
  /**
   * Sends without a turn, through the outbox; resolves when the platform took it. The same `runId` again sends nothing.
   */
  send(request: SendRequest): Promise<Sent>;
  /**
   * Does one action of a channel: `react`, `edit`, `poll`, `read` … Unknown or turned off: `unsupported` with what
   * there is.
   */
  act(request: ActRequest): Promise<unknown>;
  /** What such a call would be, without doing it; rejects as `act` does for what is not there. */
  lookup(request: Omit<ActRequest, 'signal' | 'requesters' | 'requestedBy'>): ResolvedAction;
  /** Reconnects with the current configuration; settles after one attempt. */
  restart(account: AccountName): Promise<void>;
  /**
   * Begins a login that a person confirms on another device; resolves with what to show, at the latest after
   * `timeoutMs`. `unsupported`: the channel has none.
   */
  login(request: LoginRequestOf, timeoutMs: number): Promise<LoginView>;
  /** Resolves when it is over, a prompt after number `after` is to be shown, or `timeoutMs` went by. */
  loginWait(
    account: LoginAccountName,
    how: { readonly after?: number | undefined; readonly timeoutMs: number },
  ): Promise<LoginView>;
  /** The account connects again as it was. */
  loginCancel(account: LoginAccountName): Promise<LoginView>;
  /** Closes it until it is restarted. */
  stop(account: AccountName): Promise<void>;
  /**
   * `cleared`: there was something to forget. `kept`: secrets outside the configuration, by the name of their variable
   * or setting; `loggedOut` is false then.
   */
  logout(account: AccountName): Promise<{
    readonly cleared: boolean;
    readonly loggedOut: boolean;
    readonly envToken?: boolean;
    readonly kept?: readonly string[];
  }>;
}

/** The account that logs in. `channel` absent: the only one that offers a login. */
export interface LoginAccountName {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
}

/** A login to begin: by which method, and whether it takes the place of one that is there. */
export interface LoginRequestOf extends LoginAccountName {
  readonly method?: LoginMethod | undefined;
  /** Of the other device, for a code. */
  readonly phone?: string | undefined;
  readonly force?: boolean | undefined;
}

/** How a login stands, and what the person needs for it now. */
export interface LoginView {
  readonly channel: string;
  readonly label: string;
  readonly accountId: string;
  /** `none`: none is running. */
  readonly state: 'none' | 'waiting' | 'linked' | 'failed';
  readonly message: string;
  readonly connected: boolean;
  readonly steps: readonly string[];
  readonly prompt?: LoginPrompt;
  /** Number of the prompt, counted from 1. */
  readonly nth?: number;
}

/** An account of a channel. `accountId` absent: the channel's default account. */
export interface AccountName {
  readonly channel: string;
  readonly accountId?: string | undefined;
}

/** One there is. */
export interface KnownAccount {
  readonly channel: string;
  readonly accountId: string;
}

/** A message to send without a turn: text, media, files or a poll. */
export interface SendRequest extends TargetRequest {
  /** Where it goes, when that is known already; `to` and its kin then say nothing. */
  readonly address?: ChatAddress | undefined;
  readonly text?: string | undefined;
  readonly media?: readonly MediaRef[] | undefined;
  /** Bytes that are kept before they are sent, after `media`. */
  /** What kind of file it is, its bytes say; `mime` is a claim. */
  readonly files?: readonly { readonly data: Uint8Array; readonly mime?: string; readonly name?: string }[] | undefined;
  readonly asVoice?: boolean | undefined;
  readonly replyTo?: string | undefined;
  readonly poll?: Poll | undefined;
  readonly runId: string;
  /** The session whose transcript notes what was sent; absent: the one of the chat. */
  readonly sessionKey?: string | undefined;
  /** The session whose turn sends: it knows what it did, so nothing is noted there. */
  readonly fromSession?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
/** What was sent, and the platform's ids of it; `messageId` is the first of `messageIds`. */
export interface Sent {
  readonly messageId: string;
  readonly channel: string;
  readonly address: ChatAddress;
  readonly messageIds: readonly string[];
  readonly pollId?: string;
}

/** An action of a channel to run: a reaction, an edit, a lookup. `parameters` are those of the `message` tool. */
export interface ActRequest {
  readonly action: string;
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  /** The chat of the turn, when the parameters name no target. */
  readonly here?: ChatAddress | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * People whose words asked for it, by the platform's ids: each needs the right for it there. Absent: an operator
   * asked.
   */
  readonly requesters?: readonly string[] | undefined;
  /** Who asked, whatever they may: for the platform's own log. */
  readonly requestedBy?: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** What an action would touch, found out before it runs, so that rights can be checked. */
export interface ResolvedAction {
  readonly channel: string;
  /** The chat it is about. */
  readonly to?: ChatAddress;
  readonly readOnly: boolean;
  /** How far what it reads or changes goes. */
  readonly reach: ActionReach;
  /** It acts on people, or on the settings of a place. */
  readonly moderates: boolean;
  /** The platform is asked whether everybody who asked may do it themselves. */
  readonly asksPlatform: boolean;
}

/** A channel's description: its names, settings, kinds of chat and actions, configured or not. */
export interface ChannelMeta {
  readonly id: string;
  readonly label: string;
  readonly blurb?: string;
  readonly aliases: readonly string[];
  readonly configured: boolean;
  readonly chats: readonly ChatKind[];
  readonly targetHint?: string;
  readonly actions: readonly { readonly name: string; readonly summary: string; readonly enabled: boolean }[];
  /** A login that is confirmed on another device: by which methods, and what to do there. */
  readonly login?: { readonly methods: readonly LoginMethod[]; readonly steps: readonly string[] };
  /** `needed`: it cannot connect without it, as long as nothing else is set. */
  readonly credentials: readonly {
    readonly key: string;
    readonly label: string;
    readonly needed: boolean;
    readonly fileKey?: string;
    readonly env?: string;
  }[];
  /** Settings that are no secret and are asked for when an account is set up. */
  readonly setup: readonly { readonly key: string; readonly label: string; readonly list: boolean }[];
  /** What the id of a sender is called there. */
  readonly senderIdLabel?: string;
}

/** A channel with the state of each of its accounts. */
export interface ChannelStatus {
  readonly id: string;
  readonly label: string;
  readonly accounts: readonly AccountStatus[];
}

/** Pairing requests of unknown people: listed, approved, rejected and revoked. */
export interface PairingService {
  /** Oldest first. */
  list(channel?: string): Promise<readonly PairingRequestView[]>;
  /** Lets the person write in direct chats, and tells them. Unknown or expired: `not_found`. Never opens a group. */
  /** `owner`: they become the owner, too. */
  approve(channel: string, code: string, as?: { readonly owner?: boolean | undefined }): Promise<PairingRequestView>;
  reject(channel: string, code: string): Promise<PairingRequestView>;
  /** Approved people by channel. */
  approved(channel: string): Promise<readonly { readonly id: string; readonly name?: string; readonly at?: number }[]>;
  revoke(channel: string, id: string): Promise<boolean>;
  subscribe(
    listener: (
      news:
        | { readonly requested: PairingRequestView }
        | { readonly resolved: PairingRequestView; readonly decision: 'approved' | 'rejected' },
    ) => void,
  ): () => void;
}

/** One open request. Times in milliseconds since the epoch; `code` is what the operator approves by. */
export interface PairingRequestView {
  readonly channel: string;
  readonly accountId: string;
  readonly id: string;
  readonly code: string;
  readonly name?: string;
  readonly handle?: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** A message nobody sent: everything absent is as for an ordinary one. */
export interface Hypothetical {
  readonly channel: string;
  readonly accountId?: string | undefined;
  readonly chatKind?: ChatKind | undefined;
  readonly chatId?: string | undefined;
  readonly threadId?: string | undefined;
  readonly spaceId?: string | undefined;
  readonly senderId?: string | undefined;
  /** Roles of the sender, by id. */
  readonly roles?: readonly string[] | undefined;
  readonly names?: PlaceNames | undefined;
  readonly text?: string | undefined;
  readonly mentioned?: boolean | undefined;
}

/** Which agent and session a message would reach, and why. */
export interface RouteExplanation {
  readonly route: Route;
  /** Every binding of the channel, in file order: why it does or does not match. */
  readonly bindings: readonly {
    readonly path: string;
    readonly agentId: string;
    readonly matches: boolean;
    readonly tier?: string;
    readonly chosen: boolean;
    readonly why: string;
  }[];
  /** Agents that would answer one after the other or all at once. */
  readonly broadcast?: {
    readonly agents: readonly string[];
    readonly strategy: 'parallel' | 'sequential';
    readonly path: string;
  };
  readonly sessionKeys: readonly string[];
}

/** Whether a message would be admitted, with every step of the decision and the rights of its sender. */
export interface AccessExplanation extends RouteExplanation {
  readonly allowed: boolean;
  readonly reason: string;
  readonly steps: readonly AdmissionStep[];
  readonly commands: boolean;
  /** Who would ask, with which rights. */
  readonly requester: RequesterView;
  /** What they may, row by row of the table. */
  readonly reaches: readonly AccessExtent[];
  /** What was asked about, step by step. */
  readonly acts?: readonly AccessAnswer[];
}

/** What somebody might do, and in whose name. */
export interface ActQuestion {
  readonly verb?: string | undefined;
  /** `<kind>[:<id>]` */
  readonly resource?: string | undefined;
  /** At the gateway's own surface: a device with these scopes in place of the owner. */
  readonly scopes?: readonly string[] | undefined;
  /** Through whom it would come, the first first: `job:<id>`. */
  readonly hands?: readonly string[] | undefined;
}

/** Explains routing and access for messages that came and for hypothetical ones. */
export interface AccessService {
  /** `bindings`: tried instead of those of the configuration. */
  route(message: Hypothetical, bindings?: readonly WrittenBinding[]): Promise<RouteExplanation>;
  /** Decides as the access gate would now, and does nothing: no code is made, nothing is kept. */
  access(message: Hypothetical & ActQuestion): Promise<AccessExplanation>;
  /** Who would ask if this message came, in the conversation of `route`. */
  asker(message: Hypothetical, route: Route): Promise<Authority>;
  /** Bindings that can never match, with what the channels can do. */
  review(): Promise<readonly { readonly path: string; readonly problem: string; readonly fix?: string }[]>;
  /** Why a message that came was or was not answered, as it was decided then. Unknown: `not_found`. */
  recent(filter: {
    readonly channel?: string | undefined;
    readonly refusedOnly?: boolean | undefined;
    readonly limit: number;
  }): Promise<readonly SeenMessage[]>;
}
