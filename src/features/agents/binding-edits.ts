/**
 * The edits that make one list of bindings of another. What is kept in its order keeps its comments; what moves is
 * written anew from what the person wrote, with variables as variables. Pure.
 */
import { AppError } from '../../core/errors.ts';
import type { WrittenBinding } from '../../protocol/access.ts';

export interface Edit {
  readonly path: string;
  readonly value: unknown;
}

/** One that stays, by its place until now, or a new one. */
export type PlacedBinding = { readonly keep: number } | WrittenBinding;

/** As they stand in the file; in older words of the file they are taken from what is in force. */
export function writtenBindings(parsed: unknown, current: readonly unknown[]): readonly unknown[] {
  const written = (parsed as { readonly bindings?: unknown } | undefined)?.bindings;
  return Array.isArray(written) && written.length === current.length ? written : current;
}

export function bindingEdits(before: readonly unknown[], after: readonly PlacedBinding[]): readonly Edit[] {
  const kept = after.flatMap((one) => ('keep' in one ? [one.keep] : []));
  if (kept.some((place) => place >= before.length) || new Set(kept).size < kept.length)
    throw new AppError('invalid', 'Each binding can be kept once, by its place in the configuration.');
  if (before.length === 0) return after.length === 0 ? [] : [{ path: 'bindings', value: after }];
  if (kept.length === 0) return [{ path: 'bindings', value: after.length > 0 ? after : undefined }];
  const inOrder =
    kept.every((place, index) => index === 0 || kept[index - 1]! < place) &&
    after.slice(0, kept.length).every((one) => 'keep' in one);
  return inOrder ? removedAndAdded(before, kept, after.slice(kept.length)) : rewritten(before, after);
}

/** From the last on: the places of those before stay what they are. */
function removedAndAdded(
  before: readonly unknown[],
  kept: readonly number[],
  added: readonly unknown[],
): readonly Edit[] {
  const gone = before.map((_, place) => place).filter((place) => !kept.includes(place));
  return [
    ...gone.toReversed().map((place) => at(place, undefined)),
    ...added.map((value, index) => at(kept.length + index, value)),
  ];
}

function rewritten(before: readonly unknown[], after: readonly PlacedBinding[]): readonly Edit[] {
  const surplus = before.map((_, place) => place).filter((place) => place >= after.length);
  return [
    ...surplus.toReversed().map((place) => at(place, undefined)),
    ...after.flatMap((one, place) =>
      'keep' in one ? (one.keep === place ? [] : [at(place, before[one.keep])]) : [at(place, one)],
    ),
  ];
}

const at = (place: number, value: unknown): Edit => ({ path: `bindings[${place}]`, value });
