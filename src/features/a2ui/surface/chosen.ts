/** Which options of a `MultipleChoice` its data says are chosen. Pure. */
import { containerOf, type Json } from './data-path.ts';
import { isObject } from './references.ts';
import { wordsOf } from './text-parts.ts';

/** Lists come as lists; from the data model also as maps, and as the JSON of one in a string. */
export function chosenOf(selections: unknown): readonly string[] {
  const said = containerOf(selections as Json | undefined);
  const values = Array.isArray(said) ? said : isObject(said) ? Object.values(said) : [said];
  return values.map(wordsOf).filter((value) => value !== '');
}
