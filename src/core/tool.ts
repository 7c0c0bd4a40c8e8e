/** The contract of a tool. One definition gives the list in the prompt and the schema for providers. */
import type { z } from 'zod';
import type { Act } from './access-table.ts';
import type { Log } from './log.ts';
import { present } from './present.ts';
import type { ReachableChannel } from './reachable-channel.ts';
import type { MediaRef } from './reply.ts';
import type { Route } from './route.ts';
import type { Shell } from './shell.ts';
import type { ImageBlock, TextBlock } from './transcript.ts';
import type { RecordedCheck } from './access-check.ts';

/** What a model can call. Its input is checked against the schema before it runs. */
export interface Tool<I = any> {
  /** `^[A-Za-z_][A-Za-z0-9_-]{0,63}$` */
  readonly name: string;
  /** One line for the prompt's tool list. */
  readonly summary: string;
  /** The whole manual for the model. */
  readonly description: string;
  /** A flat object with string enums; `number`, never `integer`. */
  readonly input: z.ZodType<I>;
  /** Other spellings a model may use for a parameter, e.g. `file_path` for `path`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** True when running it twice changes nothing: it is run again after a crash. */
  readonly readOnly?: boolean;
  /**
   * True when this call, run again with its `turnId` and `callId`, has its effect only once: it is run again after a
   * crash.
   */
  resumes?(input: I): boolean;
  /** It may change several places at once: it runs beside tools that only read. */
  readonly alone?: boolean;
  /**
   * Rows of the table of who may what that its calls are measured by, besides the files of the workspace: for
   * explanations. What decides asks by itself.
   */
  readonly does?: readonly Act[];
  /** It looks after commands in the background; without such a tool they stay in the foreground. */
  readonly tendsProcesses?: boolean;
  /** When the agent may see it at all, e.g. `discord` only on Discord. */
  available?(where: ToolSurroundings): boolean;
  /**
   * Its manual and parameters where they depend on the place: on `channels`, on the channel of the route and on
   * `describesPictures`, nothing else. Absent: the same everywhere.
   */
  for?(where: ToolSurroundings): Pick<Tool<I>, 'description' | 'input'> & Partial<Pick<Tool<I>, 'aliases'>>;
  run(input: I, ctx: ToolContext): Promise<ToolResult>;
}

/** What decides whether a tool makes sense in a turn. */
export interface ToolSurroundings {
  readonly route: Route;
  /** The model that reads the results, `provider/model`. */
  readonly model: string;
  /**
   * Somebody can describe pictures: configured, or found among the vendors with a key. `text`: what is written in them
   * can be read off, and nothing else.
   */
  readonly describesPictures: boolean | 'text';
  /** Commands and files live in a sandbox; `ro`: its workspace cannot be written. */
  readonly sandbox?: { readonly workspaceAccess: 'none' | 'ro' | 'rw' };
  /** The `tools` slice of the configuration, e.g. for `tools.exec.applyPatch`. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Channels that messages can be sent to; the same object as long as nothing changed. Absent: none. */
  readonly channels?: readonly ReachableChannel[];
}

/** Looks at a picture with the image model. */
export interface PictureRequest {
  readonly data: Uint8Array;
  /** Bare `type/subtype`. */
  readonly mime: string;
  readonly prompt: string;
  /** `provider/model` or an alias. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
}

/** What a model saw in a picture, or why none could look; `attempts` names all that were asked. */
export type PictureAnswer =
  | { readonly ok: true; readonly text: string; readonly model: string; readonly attempts: readonly PictureAttempt[] }
  | { readonly ok: false; readonly error: string; readonly attempts: readonly PictureAttempt[] };
/** One model that was asked, and what went wrong with it. */
export interface PictureAttempt {
  readonly model: string;
  readonly error?: string;
}

/**
 * A file from the network, fetched through the guard. Rejects with `AppError`: `denied`, `too_large`, `timeout`,
 * `network`, `bad_response`.
 */
export type FetchFile = (
  url: string,
  limits: { readonly maxBytes: number; readonly timeoutMs: number; readonly signal: AbortSignal },
) => Promise<{ readonly data: Uint8Array; readonly mime: string; readonly url: string }>;

/** All that a running tool may reach; what is absent is not to be had in this turn. */
export interface ToolContext {
  readonly turnId: string;
  readonly callId: string;
  readonly route: Route;
  /** Absolute path. */
  readonly workspace: string;
  /** Further folders whose files may be read (skills, documentation), absolute. */
  readonly readableRoots?: readonly string[];
  /** False: paths may leave the workspace (`tools.fs.workspaceOnly`). Absent: they may not. */
  readonly confined?: boolean;
  /** Files and folders no tool may touch, wherever it may go: our own secrets. Absolute. */
  readonly deniedPaths?: readonly string[];
  /** Files and folders that are not changed, and why: a sentence without its beginning. Absolute. */
  readonly readOnly?: { readonly paths: readonly string[]; readonly why: string; readonly access?: RecordedCheck };
  /** A folder nothing is opened in, but for these folders of it, and why. Absolute. */
  readonly closed?: {
    readonly folder: string;
    readonly but: readonly string[];
    readonly why: string;
    readonly access?: RecordedCheck;
  };
  /** The absolute path for `~`. Absent: `~` is rejected. */
  readonly home?: string;
  /** Commands; absent where none can be run. */
  readonly shell?: Shell;
  /** Whether the model that reads the result accepts images. Absent: unknown. */
  readonly seesPictures?: boolean;
  readonly describePicture?: (request: PictureRequest) => Promise<PictureAnswer>;
  readonly fetchFile?: FetchFile;
  /** The folder that files received in this conversation are kept in, absolute. */
  readonly mediaFolder?: string;
  /** Files are seen from inside a sandbox: no network addresses, no `~`. */
  readonly sandboxed?: boolean;
  /** What the workspace is called inside the sandbox, e.g. `/workspace`: paths may begin with it. */
  readonly workspaceShownAs?: string;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The progress; replaces the previous report. */
  progress(text: string): void;
  /**
   * The gateway's own methods; untyped here so that core knows no wire. `at`: of another gateway, or with a limit of
   * time.
   */
  rpc(method: string, params: unknown, at?: GatewayAt): Promise<unknown>;
}

/**
 * Which gateway a tool acts on; without `url` the one its turn runs in. Only loopback and a configured remote are let
 * through.
 */
export interface GatewayAt {
  readonly url?: string;
  readonly token?: string;
  readonly timeoutMs?: number;
  /** Ends a call that waits, e.g. for a person. */
  readonly signal?: AbortSignal;
  /** How a call that waits stands. */
  progress?(text: string): void;
}

/** What a call came to, for the model and for people. */
export interface ToolResult {
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** For the UI, logs and tests; the model sees `content`. */
  readonly details?: unknown;
  /** Structured attachments. A tool never writes `MEDIA:` lines into its text. */
  readonly media?: readonly MediaRef[];
  readonly isError?: boolean;
}

/** Keeps the input's type between schema and `run`. */
export const defineTool = <I>(tool: Tool<I>): Tool<I> => tool;

/** A result that is one text. `details` is for people and tests, not for the model. */
export const textResult = (text: string, details?: unknown): ToolResult => ({
  content: [{ type: 'text', text }],
  ...present({ details }),
});
/** A result that tells the model, in one text, what went wrong and what to do. */
export const errorResult = (text: string, details?: unknown): ToolResult => ({
  ...textResult(text, details),
  isError: true,
});
