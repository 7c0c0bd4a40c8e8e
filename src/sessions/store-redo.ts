/** Keeps changes of sessions until `sessions.json` has them. */

export interface StoreRedo {
  readonly agentId: string;
  readonly key: string;
  readonly entry: string | null;
  readonly version: number;
}

/** Where changes are kept until `sessions.json` holds them; `app.ts` connects it to the journal. */
export interface RedoLog {
  record(redo: StoreRedo): Promise<void>;
  /** Resolves when what was recorded would outlast a power cut. */
  synced(): Promise<void>;
  load(agentId: string): Promise<readonly StoreRedo[]>;
  topVersion(): Promise<number>;
  clear(agentId: string, upTo: number): Promise<void>;
}
