/** The live configuration: read, watched, edited, explained; each reload is a new frozen value. */
import type { JoinedRules } from './setting-rules.ts';

export interface Issue {
  readonly path: string;
  readonly problem: string;
  readonly fix?: string;
}

export interface ConfigSnapshot<C> {
  readonly path: string;
  readonly exists: boolean;
  /** The file as it stands, byte for byte; empty when missing. */
  readonly raw: string;
  /** sha256 of `raw`; empty when the file is missing. Edits must name it as `baseHash`. */
  readonly hash: string;
  /** After JSON5 and includes, before `${ENV}`, defaults and migration: what the person wrote. */
  readonly parsed: unknown;
  /** The file is in force. */
  readonly valid: boolean;
  /** What the gateway runs on. */
  readonly config: C;
  /** `last-good`: the file is invalid and an earlier good one is in force; `defaults`: safe mode or no file. */
  readonly source: 'file' | 'last-good' | 'defaults';
  readonly safeMode: boolean;
  /** Errors. Of a file in force: what they name is shut until it is corrected. */
  readonly issues: readonly Issue[];
  readonly warnings: readonly Issue[];
}

/** One state of the files, for those who judge a change before it is written. */
export interface ConfigReading {
  /** Defaults filled in, variables replaced; undefined when the file is refused. */
  readonly config: unknown;
  /** What was written, includes joined, in present names, before variables. */
  readonly written: unknown;
  /** The same under the names the files use; and which of them became which. */
  readonly parsed: unknown;
  readonly moves: readonly { readonly from: readonly string[]; readonly to: readonly string[] }[];
  /** The first file alone, byte for byte. */
  readonly raw: string;
}

/** Judges a change between check and write; throws to refuse it, and nothing is written. */
export type ChangeGuard = (change: { readonly before: ConfigReading; readonly after: ConfigReading }) => void;

/** Checks an otherwise valid change last, with what lies outside the configuration; rejects to refuse it. */
export type ChangeCheck<C> = (change: { readonly before: C | undefined; readonly after: C }) => Promise<void>;

export interface ConfigStore<C> {
  /** What is known of its settings beside the schema. */
  readonly rules: JoinedRules;
  current(): C;
  snapshot(): ConfigSnapshot<C>;
  /** `changed`: dotted paths whose value differs after defaults. Returns the unsubscribe function. */
  subscribe(listener: (next: C, previous: C, changed: readonly string[]) => void): () => void;
  /** Reads the files again now. */
  reload(): Promise<ConfigSnapshot<C>>;
  /**
   * Minimal edits keeping comments, includes and `${ENV}` text. Wrong hash: `conflict`; invalid result, or with
   * `knownOnly` a name nobody knows: `invalid`, file untouched. `unvetted`: the `ChangeCheck` of the store is not
   * asked.
   */
  edit(
    edits: readonly { readonly path: string; readonly value: unknown }[],
    baseHash?: string,
    options?: { readonly knownOnly?: boolean; readonly unvetted?: boolean },
  ): Promise<ConfigSnapshot<C>>;
  /** What lies over the files in memory, until the process ends or begins anew; nested like the file. */
  overrides(): Readonly<Record<string, unknown>>;
  /**
   * Lays one value over the files; `undefined` takes it away again. A result that is not valid: `invalid`, and nothing
   * changed.
   */
  override(path: string, value: unknown): Promise<ConfigSnapshot<C>>;
  /** Takes every override away. */
  resetOverrides(): Promise<ConfigSnapshot<C>>;
  /** A whole new document (JSON5). */
  replace(raw: string, baseHash?: string, guard?: ChangeGuard): Promise<ConfigSnapshot<C>>;
  /** Texts of the file that were replaced, without their secrets; the newest first. */
  versions(): Promise<readonly ConfigVersion[]>;
  /** Puts one of them in the place of the file, with its secrets. `not_found`: it is not kept any more. */
  restore(version: string, baseHash?: string): Promise<ConfigSnapshot<C>>;
  /** A JSON merge patch (null deletes), applied as minimal edits. */
  patch(mergePatch: unknown, baseHash?: string, guard?: ChangeGuard): Promise<ConfigSnapshot<C>>;
  /** Where the value of a dotted path comes from. */
  explain(path: string): ConfigExplanation;
  /** JSON Schema of the whole file and hints for the settings form. */
  schema(): { readonly schema: unknown; readonly uiHints: Readonly<Record<string, ConfigHint>> };
  /** The snapshot with secrets replaced by a marker that saving refuses. */
  redacted(): ConfigSnapshot<unknown>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A text of the file that was replaced. */
export interface ConfigVersion {
  /** sha256 of the text as it was; names it. */
  readonly hash: string;
  /** The text with its secrets masked, in the form of `ConfigSnapshot.raw` of `redacted()`. */
  readonly raw: string;
  /** Milliseconds since 1970. */
  readonly replacedAt: number;
}

export interface ConfigExplanation {
  readonly path: string;
  readonly value: unknown;
  readonly from: 'file' | 'include' | 'env' | 'default' | 'migrated' | 'unset';
  /** The file, the environment variable or the old path it came from. */
  readonly source?: string;
  /** Environment variables that can set it. */
  readonly variables?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly problem?: Issue;
}

export interface ConfigHint {
  readonly label?: string;
  readonly help?: string;
  readonly group?: string;
  readonly order?: number;
  readonly advanced?: boolean;
  readonly sensitive?: boolean;
  readonly placeholder?: string;
}
