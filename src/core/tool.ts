/** What the model calls. One definition serves the prompt's list and the provider's schema. */
import type { z } from 'zod';
import type { Log } from './log.ts';
import type { MediaRef } from './reply.ts';
import type { Route } from './route.ts';
import type { ImageBlock, TextBlock } from './transcript.ts';

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
  /** When the agent may see it at all, e.g. `discord` only on Discord. */
  available?(route: Route): boolean;
  run(input: I, ctx: ToolContext): Promise<ToolResult>;
}

export interface ToolContext {
  readonly turnId: string;
  readonly callId: string;
  readonly route: Route;
  /** Absolute path. */
  readonly workspace: string;
  /** Further folders whose files may be read (skills, documentation), absolute. */
  readonly readableRoots?: readonly string[];
  readonly signal: AbortSignal;
  readonly log: Log;
  progress(text: string): void;
  /** The gateway's own methods; untyped here so that core knows no wire. */
  rpc(method: string, params: unknown): Promise<unknown>;
}

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

export const textResult = (text: string, details?: unknown): ToolResult => ({ content: [{ type: 'text', text }], ...(details === undefined ? {} : { details }) });
export const errorResult = (text: string, details?: unknown): ToolResult => ({ ...textResult(text, details), isError: true });
