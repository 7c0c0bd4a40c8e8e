/** How often a turn was begun again after a death, so that what kills the process is not tried for ever. */
import type { Sqlite } from '../platform/sqlite.ts';

export type Try = 'first' | 'again' | 'hopeless';

/** A life is one run of the process; `life` is a word for this one, unlike any before. */
export function createTries(sql: Sqlite, instance: string) {
  const put = (id: string, again: number, sync: boolean): Promise<void> =>
    sql.write(
      (db) =>
        void db.run(
          'INSERT INTO try (id, again, life) VALUES (?,?,?) ON CONFLICT DO UPDATE SET again = excluded.again, life = excluded.life',
          id,
          again,
          instance,
        ),
      { sync },
    );
  return {
    /**
     * Called before the turn `id` is worked on. `resumed`: an earlier run had begun it. `hopeless`: it was under way
     * at two deaths in a row.
     * A second try is on disk before it begins. In the life that began it, it may be begun as often as anybody likes.
     */
    async begin(
      id: string,
      {
        resumed,
        marks,
      }: { readonly resumed: boolean /** Nothing else says yet that it was begun. */; readonly marks: boolean },
    ): Promise<Try> {
      const known = resumed || marks ? sql.read.get('SELECT again, life FROM try WHERE id = ?', id) : undefined;
      if (known?.['life'] === instance) return 'again';
      if (!resumed && !known) {
        if (marks) await put(id, 0, false);
        return 'first';
      }
      const again = Number(known?.['again'] ?? 0);
      if (again >= 1) return 'hopeless';
      await put(id, again + 1, true);
      return 'again';
    },
    /** The gateway is stopping in good order: this run does not count, and neither do those before it. */
    spare: (id: string): Promise<void> => put(id, -1, false),
  };
}
