/** Simulates power cuts at many places of a recording and counts the outcomes, one row per model. */
import type { Operation } from './operations.ts';
import { MODELS, type Model } from './disk-image.ts';
import type { Run } from './record.ts';
import { replay } from './replay.ts';

export interface Row {
  readonly model: Model;
  states: number;
  refused: number;
  lost: number;
  doubled: number;
  reordered: number;
  effectsTwice: number;
  unended: number;
  unreadable: number;
  readonly notes: string[];
}

const KINDS: readonly (readonly [
  keyof Row & ('lost' | 'doubled' | 'reordered' | 'effectsTwice' | 'unreadable'),
  RegExp,
])[] = [
  ['effectsTwice', /^effect /],
  ['reordered', / comes after /],
  ['doubled', / twice$|(?:has|stands|answered) (?:[2-9]|\d\d+) /],
  ['lost', /(?:has|stands|answered) 0 |ended as /],
  ['unreadable', /./],
];

/** The same numbers from the same seed. mulberry32, public domain. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const changes = ({ kind }: Operation): boolean => kind !== 'told';

/** `cuts` for each model; places where something is done to files, for between them nothing is new. */
export async function tally(
  recording: Run,
  { cuts, seed, progress }: { readonly cuts: number; readonly seed: number; progress?(states: number): void },
): Promise<readonly Row[]> {
  const random = dice(seed);
  const places = recording.operations.filter(changes).map(({ begun }) => begun);
  const rows = MODELS.map(
    (model): Row => ({
      model,
      states: 0,
      refused: 0,
      lost: 0,
      doubled: 0,
      reordered: 0,
      effectsTwice: 0,
      unended: 0,
      unreadable: 0,
      notes: [],
    }),
  );
  for (let nth = 0; nth < cuts; nth++) {
    // One from each stretch, so that no part of the run is left out.
    const cut = places[Math.floor(((nth + random()) / cuts) * places.length)]!;
    for (const row of rows) {
      const { refused, unended, faults } = await replay(recording, { cut, model: row.model, random });
      row.states++;
      row.refused += Number(refused);
      row.unended += Number(unended);
      for (const fault of refused ? [] : faults) row[KINDS.find(([, words]) => words.test(fault))![0]]++;
      row.notes.push(...faults.map((fault) => `${row.model}, cut ${cut}: ${fault}`));
    }
    progress?.((nth + 1) * rows.length);
  }
  return rows;
}

export const tableOf = (rows: readonly Row[]): string =>
  [
    '| model | states | refused | lost | doubled | reordered | effects twice | unended | unreadable |',
    ...rows.map(
      (row) =>
        `| ${[row.model, row.states, row.refused, row.lost, row.doubled, row.reordered, row.effectsTwice, row.unended, row.unreadable].join(' | ')} |`,
    ),
  ].join('\n');

export const isWhole = ({ refused, lost, doubled, reordered, effectsTwice, unended, unreadable }: Row): boolean =>
  refused + lost + doubled + reordered + effectsTwice + unended + unreadable === 0;
