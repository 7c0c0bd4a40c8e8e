/**
 * What is known of settings beside their schema: by whoever owns a section of the configuration, joined for those who
 * read, check and edit the whole. Data, but for the migrations.
 */
import type { Path } from './paths.ts';

export interface Restriction {
  /** `*` stands for one key or index. */
  readonly at: string;
  readonly limits: string;
  readonly fix: string;
  /** Values that close nothing; absent: what is empty or off. */
  readonly harmless?: (value: unknown) => boolean;
}

/** The configuration while it is being brought up to date, with the record of what moved. */
export interface Draft {
  get(path: Path): unknown;
  set(path: Path, value: unknown): void;
  /** Removes a key, and objects that became empty by it. */
  remove(path: Path): void;
  /** Lays a value that stood at `from` beneath what is at `to`, and warns of the old name. */
  put(to: Path, value: unknown, from: Path, advice?: string): void;
}

/** In patterns `*` stands for one key or index. */
export interface SettingRules {
  /** What a turn may not change, and why; the first matching one is reported. */
  readonly guards?: readonly (readonly [pattern: string, why: string])[];
  /** What a turn may change: it may do nothing afterwards that it could not do before. */
  readonly open?: readonly string[];
  /** Sections that are wholly ours although the product family has them too: an unknown name there is a slip. */
  readonly own?: readonly string[];
  /** What others of the family have within them all the same. */
  readonly withinOwn?: readonly string[];
  /** What limits somebody in files of the family, and is read by nobody here. */
  readonly unread?: readonly Restriction[];
  /** Names that limit somebody, by where they stand: something near one of them was meant to be it. */
  readonly limiting?: readonly (readonly [at: string, names: readonly string[]])[];
  /** Variables of the environment that are numbers, and the setting each stands for where the file says nothing. */
  readonly environment?: readonly (readonly [variable: string, path: string])[];
  /** Old place → present place. */
  readonly renamed?: readonly (readonly [from: string, to: string])[];
  /** Brings other old spellings up to date, once everything stands in its present place. */
  readonly migrations?: readonly ((draft: Draft) => void)[];
}

/** All of them, as one. */
export type JoinedRules = Required<SettingRules>;

export const joinRules = (all: readonly SettingRules[]): JoinedRules => ({
  guards: all.flatMap(({ guards = [] }) => guards),
  open: all.flatMap(({ open = [] }) => open),
  own: all.flatMap(({ own = [] }) => own),
  withinOwn: all.flatMap(({ withinOwn = [] }) => withinOwn),
  unread: all.flatMap(({ unread = [] }) => unread),
  limiting: all.flatMap(({ limiting = [] }) => limiting),
  environment: all.flatMap(({ environment = [] }) => environment),
  renamed: all.flatMap(({ renamed = [] }) => renamed),
  migrations: all.flatMap(({ migrations = [] }) => migrations),
});

/** Where nobody owns more than the core does. */
export const NO_RULES: JoinedRules = joinRules([]);
