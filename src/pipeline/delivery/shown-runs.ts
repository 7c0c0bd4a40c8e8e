/** Active runs and how each is displayed: a preview, blocks, or neither. */
import { createBlocks, type Blocks } from './blocks.ts';
import type { LiveDeps, LiveRun } from './live-run.ts';
import { createPreview, type Preview } from './preview.ts';
import { previewToken } from './preview-token.ts';

/** What was shown of an answer before it was whole. */
export interface Streamed {
  /** Stands in the chat and is to become the answer. */
  readonly preview: boolean;
  /** What blocks said; undefined: one of them failed, and the answer is to be sent whole. */
  readonly sent: string | undefined;
}

export interface Shown {
  readonly run: LiveRun;
  written: string;
  thought: string;
  readonly preview: Preview | undefined;
  readonly blocks: Blocks | undefined;
}

export interface ShownRuns {
  /** Undefined: nothing is shown of it. It is remembered from now on. */
  open(runId: string): Shown | undefined;
  has(runId: string): boolean;
  find(runId: string): Shown | undefined;
  /** Forgets the run; undefined: nothing was shown of it. */
  take(runId: string): Shown | undefined;
  /** Nothing more is shown of it. */
  finish(shown: Shown): Promise<Streamed>;
  readonly size: number;
}

export function createShownRuns(deps: LiveDeps): ShownRuns {
  /** Runs without output here are cached too, so that they are not looked up for every word. */
  const runs = new Map<string, Shown | undefined>();

  const shownOf = (run: LiveRun): Shown => ({
    run,
    written: '',
    thought: '',
    preview: run.streaming === 'preview' ? createPreview(run, deps) : undefined,
    blocks: run.streaming === 'blocks' ? createBlocks(run, deps) : undefined,
  });

  return {
    open(runId) {
      if (runs.has(runId)) return runs.get(runId);
      const run = deps.liveOf(runId);
      const shown = run && shownOf(run);
      runs.set(runId, shown);
      return shown;
    },
    has: (runId) => runs.has(runId),
    find: (runId) => runs.get(runId),
    take(runId) {
      const shown = runs.get(runId);
      runs.delete(runId);
      return shown;
    },
    async finish({ run, preview, blocks }) {
      if (preview) deps.previews.add(previewToken(run.runId), preview);
      const stands = preview ? await preview.finish() : false;
      return { preview: stands, sent: blocks ? await blocks.finish() : '' };
    },
    get size() {
      return runs.size;
    },
  };
}
