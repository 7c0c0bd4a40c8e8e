/** Records console messages, errors and requests of a page, each in a bounded buffer. */
import type { Page, Request } from 'playwright-core';
import { createRingBuffer, shortText, type RingBuffer } from './ring-buffer.ts';
import { present } from '../../../core/present.ts';

export interface ConsoleLine {
  readonly type: string;
  readonly text: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly location: { readonly url: string; readonly lineNumber: number; readonly columnNumber: number };
}
export interface PageError {
  readonly message: string;
  readonly name: string;
  readonly stack?: string;
  readonly timestamp: string;
}
export interface RequestLine {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly resourceType: string;
  readonly timestamp: string;
  status?: number;
  ok?: boolean;
  failureText?: string;
}

export interface TabRecord {
  readonly console: RingBuffer<ConsoleLine>;
  readonly errors: RingBuffer<PageError>;
  readonly requests: RingBuffer<RequestLine>;
}

const MAX = { console: 500, errors: 200, requests: 500 } as const;

/** Starts listening. */
export function recordPage(page: Page, now: () => number): TabRecord {
  const record: TabRecord = {
    console: createRingBuffer(MAX.console),
    errors: createRingBuffer(MAX.errors),
    requests: createRingBuffer(MAX.requests),
  };
  const timestamp = (): string => new Date(now()).toISOString();
  page.on('console', (message) =>
    record.console.add({
      type: message.type(),
      text: shortText(message.text()),
      timestamp: timestamp(),
      location: message.location(),
    }),
  );
  page.on('pageerror', (error) =>
    record.errors.add({
      message: shortText(error.message),
      name: error.name,
      ...present({ stack: error.stack && shortText(error.stack) }),
      timestamp: timestamp(),
    }),
  );
  const lines = new WeakMap<Request, RequestLine>();
  let count = 0;
  page.on('request', (request) => {
    const line: RequestLine = {
      id: `r${++count}`,
      method: request.method(),
      url: shortText(request.url()),
      resourceType: request.resourceType(),
      timestamp: timestamp(),
    };
    lines.set(request, line);
    record.requests.add(line);
  });
  page.on('response', (response) => {
    const line = lines.get(response.request());
    if (line) Object.assign(line, { status: response.status(), ok: response.ok() });
  });
  page.on('requestfailed', (request) => {
    const line = lines.get(request);
    if (line) Object.assign(line, { ok: false, failureText: request.failure()?.errorText ?? 'failed' });
  });
  return record;
}

const LEVELS: Readonly<Record<string, number>> = { error: 3, warning: 2, warn: 2, info: 1, log: 1, debug: 0 };

/** Entries of this level and above; an unknown level counts as `info`. */
export function consoleAt(lines: readonly ConsoleLine[], level: string | undefined): readonly ConsoleLine[] {
  if (level === undefined) return lines;
  const least = LEVELS[level] ?? 1;
  return lines.filter(({ type }) => (LEVELS[type] ?? 1) >= least);
}
