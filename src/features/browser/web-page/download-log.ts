/** The newest downloads of all tabs, closed ones included, for the Browser page. */
import { shortId } from '../../../platform/ids.ts';

export interface LoggedDownload {
  readonly id: string;
  readonly profile: string;
  readonly targetId: string;
  readonly url: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly state: 'running' | 'saved' | 'failed';
  readonly path?: string;
  readonly bytes?: number;
  readonly why?: string;
}

export interface DownloadLog {
  /** Newest first. */
  all(): readonly LoggedDownload[];
  find(id: string): LoggedDownload | undefined;
  add(one: Omit<LoggedDownload, 'id' | 'state'>): string;
  end(id: string, how: Pick<LoggedDownload, 'state' | 'path' | 'bytes' | 'why'>): void;
}

const MAX = 50;

/** `changed`: called after each change. */
export function createDownloadLog(changed: () => void): DownloadLog {
  let list: readonly LoggedDownload[] = [];
  return {
    all: () => list,
    find: (id) => list.find((one) => one.id === id),
    add(one) {
      const id = shortId();
      list = [{ ...one, id, state: 'running' as const }, ...list].slice(0, MAX);
      changed();
      return id;
    },
    end(id, how) {
      list = list.map((one) => (one.id === id ? { ...one, ...how } : one));
      changed();
    },
  };
}
