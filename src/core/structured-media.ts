/**
 * Reads the files that a tool attaches to the answer: `mediaUrl`, `mediaUrls`, `media` and `attachments` in the details
 * of its result. Its text attaches nothing. Pure.
 */

/** More is no answer; what follows is left out. */
const MAX_FILES = 20;
const MAX_REFERENCE = 4096;

/** The parts of a message that are read; messages of tools have details. */
interface ToolOutcome {
  readonly role: string;
  readonly isError?: boolean;
  readonly details?: unknown;
}

/**
 * Paths and https addresses in the order of the calls, each once, not validated yet. A failed call attaches nothing.
 */
export function mediaByTools(messages: readonly ToolOutcome[]): readonly string[] {
  const found = messages.flatMap(({ role, isError, details }) =>
    role === 'toolResult' && !isError ? mediaIn(details) : [],
  );
  return [...new Set(found)].slice(0, MAX_FILES);
}

/** Of a path or an address: how it begins, or the extension it ends with. */
const REFERENCE = /^(?:https?:\/\/|file:|\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\])|\.[a-z0-9]{1,8}$/i;

/** The details of a result from an untrusted source: nothing in them is attached to the answer. */
export function attachingNothing(details: unknown): unknown {
  if (typeof details !== 'object' || details === null || Array.isArray(details)) return details;
  const { mediaUrl: _url, mediaUrls: _urls, media: _media, attachments: _files, ...rest } = details as Attaching;
  const { preview: _preview, ...bare } = rest;
  return bare;
}

type Attaching = Readonly<Record<string, unknown>>;

/**
 * In the order `mediaUrl`, `mediaUrls`, `media`, `attachments`. Words stand under `media`, too, such as what a model
 * understands: there a text has to look like a reference.
 */
function mediaIn(details: unknown): readonly string[] {
  const { mediaUrl, mediaUrls, media, attachments } = recordOf(details);
  const attached = listOf(attachments).flatMap((one) => listOf(recordOf(one)['media'] ?? recordOf(one)['mediaUrl']));
  const named = listOf(media).filter((one) => typeof one !== 'string' || REFERENCE.test(one.trim()));
  return [...listOf(mediaUrl), ...listOf(mediaUrls), ...named, ...attached].flatMap(referenceIn);
}

/** A path or an address, alone or as `ToolResult.media` has it. */
function referenceIn(input: unknown): readonly string[] {
  const { from, path, url } = recordOf(input);
  const named = typeof input === 'string' ? input : from === 'file' ? path : from === 'url' ? url : undefined;
  const text = typeof named === 'string' ? named.trim() : '';
  return text !== '' && text.length <= MAX_REFERENCE && !/\p{Cc}/u.test(text) ? [text] : [];
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
