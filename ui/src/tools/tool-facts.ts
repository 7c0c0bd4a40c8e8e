/**
 * Reads the outcome of a tool call from the details of its result. Details are untrusted: any field may be missing.
 * Pure.
 */
import type { ToolPart } from '../chat/items.ts';

type Fields = Readonly<Record<string, unknown>>;
export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export type Outcome =
  | { readonly kind: 'ok' }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | { readonly kind: 'timeout'; readonly seconds?: number }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'background'; readonly sessionId: string }
  /** Nothing was executed. */
  | { readonly kind: 'refused'; readonly code: string };

/** How a command ended; undefined if the details are not those of a command. */
export function outcomeOf(details: unknown): Outcome | undefined {
  const facts = fields(details);
  const sessionId = text(facts['sessionId']);
  const reason = text(facts['endReason']) ?? text(facts['reason']);
  const code = number(facts['exitCode']);
  const signal = text(facts['exitSignal']) ?? text(facts['signal']);
  if (facts['status'] === 'running' && sessionId) return { kind: 'background', sessionId };
  if (facts['status'] === 'refused' || facts['status'] === 'denied')
    return { kind: 'refused', code: text(facts['code']) ?? reason ?? 'denied' };
  if (reason === 'timeout') return { kind: 'timeout', ...seconds(number(facts['timeoutSeconds'])) };
  if (facts['status'] === 'aborted' || reason === 'aborted' || reason === 'killed') return { kind: 'stopped' };
  if (signal) return { kind: 'signal', signal };
  if (code !== undefined) return code === 0 ? { kind: 'ok' } : { kind: 'exit', code };
  return undefined;
}

const seconds = (value: number | undefined): { seconds?: number } => (value === undefined ? {} : { seconds: value });

const REFUSALS: Readonly<Record<string, string>> = {
  denied: 'not allowed',
  'user-denied': 'denied',
  'approval-timeout': 'approval expired',
  'approval-unavailable': 'no approver',
  changed: 'changed since approval',
  invalid: 'not started',
  'elevated-unavailable': 'not elevated',
  'sandbox-unavailable': 'no sandbox',
  'not-started': 'not started',
  aborted: 'stopped',
};

/** A short outcome at the end of the headline; undefined if "done" or "failed" is sufficient. */
export function outcomeWords(outcome: Outcome | undefined): string | undefined {
  switch (outcome?.kind) {
    case 'exit':
      return `exit ${outcome.code}`;
    case 'signal':
      return outcome.signal;
    case 'timeout':
      return 'timed out';
    case 'stopped':
      return 'stopped';
    case 'background':
      return 'in the background';
    case 'refused':
      return REFUSALS[outcome.code] ?? 'not allowed';
    default:
      return undefined;
  }
}

/** The approval that a running command waits for, from its progress. */
export const waitsFor = ({ state, output }: Pick<ToolPart, 'state' | 'output'>): string | undefined =>
  state === 'running' ? /^Waiting for approval (\S+?)[:.]?(\s|$)/.exec(output)?.[1] : undefined;

const TELLING = ['command', 'path', 'file_path', 'action', 'url', 'image', 'query', 'file', 'text', 'message'];

/** The most informative argument. */
export function headlineOf({ args, details }: Pick<ToolPart, 'args' | 'details'>): string {
  if (typeof args === 'string') return args;
  const input = fields(args);
  const named = TELLING.map((name) => input[name]).find((value) => typeof value === 'string');
  const telling =
    named ??
    patchedFiles(input, details) ??
    Object.values(input).find((value) => typeof value === 'string' || typeof value === 'number');
  const session = text(input['sessionId']);
  return [telling === undefined ? '' : String(telling), input['action'] !== undefined && session ? session : '']
    .filter(Boolean)
    .join(' ');
}

/** A patch has no path argument: its files are named in its text. */
function patchedFiles(args: Fields, details: unknown): string | undefined {
  const patch = text(args['input']) ?? text(args['patch']);
  const files = patch
    ?.match(/^\*\*\* (?:Add|Update|Delete) File: .+$/gm)
    ?.map((line) => line.replace(/^\*\*\* \w+ File: /, ''));
  return files?.join(', ') ?? text(fields(details)['path']);
}

/** The unified diffs in the details, each with its file. */
export function diffsOf(details: unknown): readonly { readonly path?: string; readonly diff: string }[] {
  const facts = fields(details);
  const files = Array.isArray(facts['files']) ? facts['files'].map(fields) : [];
  return [facts, ...files].flatMap((file) => {
    const diff = text(file['diff']);
    const path = text(file['path']);
    return diff ? [{ diff, ...(path ? { path } : {}) }] : [];
  });
}
