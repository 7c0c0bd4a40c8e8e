/**
 * The refs that a session has seen, each with its document: a ref of a closed document never matches another element.
 */
import type { Locator, Page } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { setNewest } from '../../../core/bounded-map.ts';
import { within } from '../../../platform/timeout.ts';
import { inPage } from './in-page.ts';

/** What a ref stood for when it was shown. */
export interface ShownRef {
  readonly role: string;
  readonly name: string;
  /** Which of the elements with this role and name, and how many there were. */
  readonly nth: number;
  readonly count: number;
  /** It lies in a frame. */
  readonly framed: boolean;
}

export interface RefTable {
  /** Answers the refs that are on the page and were not when the same document was looked at last. */
  appeared(refs: Iterable<string>, documentId: string): ReadonlySet<string>;
  /** Remembers what was shown: what is on the page and was left out of a snapshot is nothing to act on. */
  show(shown: ReadonlyMap<string, ShownRef>, of: { readonly documentId: string; readonly births: Births }): void;
  /** What was remembered of a ref; undefined: it was never shown. */
  find(ref: string): KnownRef | undefined;
  /** How often the tab was connected to: refs of an earlier time are looked up by what they were. */
  readonly connection: number;
  connected(): void;
}

/** When the documents of frames began, by what the refs in each begin with: `f2`. */
export type Births = ReadonlyMap<string, number>;

interface KnownRef {
  readonly shown: ShownRef;
  readonly documentId: string;
  readonly connection: number;
  /** Of the document in its frame; undefined for the main one, and where that did not say. */
  readonly born: number | undefined;
}

const MAX_REFS = 20_000;
/** Milliseconds an element that is there has to be found, and its document to say when it began. */
const FIND_MS = 1000;
const BIRTH_MS = 10_000;

export function createRefTable(): RefTable {
  const known = new Map<string, KnownRef>();
  let last: { documentId: string; refs: ReadonlySet<string> } | undefined;
  let connection = 0;
  return {
    show(shown, { documentId, births }) {
      for (const [ref, one] of shown)
        setNewest(known, ref, { shown: one, documentId, connection, born: births.get(frameOf(ref)) }, MAX_REFS);
    },
    appeared(all, documentId) {
      const before = last?.documentId === documentId ? last.refs : undefined;
      const refs = new Set(all);
      const fresh = before === undefined ? [] : [...refs].filter((ref) => !before.has(ref));
      last = { documentId, refs };
      return new Set(fresh);
    },
    find: (ref) => known.get(ref),
    get connection() {
      return connection;
    },
    connected: () => void connection++,
  };
}

/** `e12`, `@e12`, `ref=e12`, and those of frames and later documents: `f2e12`. Undefined for what is no ref. */
export function readRef(written: string): string | undefined {
  const text = written.trim().replace(/^\[|\]$/g, '');
  return /^(?:@|ref=)?((?:f\d+)?e\d+)$/.exec(text)?.[1];
}

const frameOf = (ref: string): string => /^f\d+/.exec(ref)?.[0] ?? '';

/** Of the documents in frames that these refs belong to. */
export async function frameBirths(page: Page, refs: Iterable<string>): Promise<Births> {
  const first = new Map<string, string>();
  for (const ref of refs) if (!first.has(frameOf(ref))) first.set(frameOf(ref), ref);
  first.delete('');
  const births = await Promise.all(
    [...first].map(async ([frame, ref]) => [frame, await birthOf(page.locator(`aria-ref=${ref}`))] as const),
  );
  return new Map(births.filter((one): one is [string, number] => one[1] !== undefined));
}

/** Refs in a frame begin anew with each document of it: this tells one from the next. */
function birthOf(locator: Locator): Promise<number | undefined> {
  const asked = locator.evaluate(birth, undefined, { timeout: FIND_MS }).then(
    (at) => (typeof at === 'number' ? at : undefined),
    () => undefined, // it went elsewhere meanwhile
  );
  return within(asked, { ms: BIRTH_MS, otherwise: undefined });
}

const birth = inPage<unknown, unknown>('() => performance.timeOrigin');

const AGAIN = 'Take a new snapshot and use a ref from it.';

/** The element a ref stands for, which is there now. Rejects with `AppError` and what to do next. */
export async function locate(
  written: string,
  { page, refs, documentId }: { readonly page: Page; readonly refs: RefTable; readonly documentId: string },
): Promise<Locator> {
  const ref = readRef(written);
  if (ref === undefined)
    throw new AppError(
      'invalid',
      /^(?:@|ref=)?ax\d+$/.test(written.trim())
        ? `${written} comes from an aria snapshot, which only informs. Take a snapshot with format ai to act.`
        : `"${written.slice(0, 100)}" is no ref; refs look like e12. ${AGAIN}`,
    );
  const found = refs.find(ref);
  if (!found) throw new AppError('not_found', `Unknown ref "${ref}". ${AGAIN}`, { details: { reason: 'unknown_ref' } });
  if (found.documentId !== documentId)
    throw new AppError(
      'not_found',
      `Ref ${ref} belongs to a page that is gone: this tab shows another one now. ${AGAIN}`,
      {
        details: { reason: 'stale_ref' },
      },
    );
  const locator =
    found.connection === refs.connection ? page.locator(`aria-ref=${ref}`) : byDescription(page, found.shown);
  const there = locator && (await locator.count());
  if (there === 1 && frameOf(ref) !== '' && (await birthOf(locator!)) !== found.born)
    throw new AppError('not_found', `Ref ${ref} belongs to a frame that shows another page now. ${AGAIN}`, {
      details: { reason: 'stale_ref' },
    });
  if (there === 1) return locator!;
  const expected = found.connection === refs.connection ? 1 : found.shown.count;
  if (locator && there === expected) return locator.nth(found.shown.nth);
  throw new AppError(
    'not_found',
    `Ref ${ref} (${nameOf(found.shown)}) is no longer on the page: it was drawn anew. ${AGAIN}`,
    {
      details: { reason: 'stale_ref' },
    },
  );
}

/** By what it was, where the snapshot it came from was taken over an earlier connection. */
function byDescription(page: Page, { role, name, framed }: ShownRef): Locator | undefined {
  if (framed || role === 'generic') return undefined;
  return page.getByRole(role as 'button', name === '' ? {} : { name, exact: true });
}

const nameOf = ({ role, name }: ShownRef): string =>
  name === '' ? role : `${role} ${JSON.stringify(name.slice(0, 80))}`;
