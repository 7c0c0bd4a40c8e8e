/** The names of queue modes and drop policies. */

export const QUEUE_MODES = ['collect', 'followup', 'steer', 'interrupt'] as const;
export type QueueMode = (typeof QUEUE_MODES)[number];
export const QUEUE_DROPS = ['summarize', 'old', 'new'] as const;
export type QueueDrop = (typeof QUEUE_DROPS)[number];
export interface QueueSettings {
  readonly mode: QueueMode;
  readonly debounceMs: number;
  readonly cap: number;
  readonly drop: QueueDrop;
  /** Milliseconds an idle session waits for more words of the same person; absent: none. */
  readonly gatherMs?: number;
}
