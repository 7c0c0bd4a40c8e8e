/** What the canvas tool may do: everything on the canvas of its own conversation, and on no other. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { Turn } from '../../core/turn.ts';
import type { ToolMethods } from '../../host/feature.ts';
import type { CanvasActions } from './canvas-actions.ts';
import { mustReadJsonl } from './check/read-jsonl.ts';
import { a2uiSpecs } from './methods.ts';

type Offered = 'a2ui.push' | 'a2ui.reset' | 'a2ui.show' | 'a2ui.eval' | 'a2ui.snapshot';

export function canvasToolMethods(
  { route }: Pick<Turn, 'route'>,
  actions: CanvasActions,
  closing: AbortSignal,
): ToolMethods {
  const key = route.sessionKey;
  return {
    'a2ui.check': async (params: unknown) => {
      await mustReadJsonl(read('a2ui.push', params).jsonl);
      return { ok: true };
    },
    'a2ui.push': (params: unknown) => actions.push(key, read('a2ui.push', params).jsonl),
    'a2ui.reset': (params: unknown) => actions.reset(key, read('a2ui.reset', params).surfaceId),
    'a2ui.show': (params: unknown) => actions.show(key, read('a2ui.show', params)),
    'a2ui.eval': (params: unknown) => actions.evaluate(key, read('a2ui.eval', params).javaScript, closing),
    // For a node that shows addresses; the tool hands it on, and tells the model nothing of it.
    'a2ui.link': () => actions.link(key),
    'a2ui.snapshot': (params: unknown) => {
      const { format = 'png', ...picture } = read('a2ui.snapshot', params);
      return actions.snapshot(key, { format, ...picture }, closing);
    },
  };
}

/** A session that is named counts for nothing: the turn's own is meant. */
function read<M extends Offered>(method: M, params: unknown): z.output<(typeof a2uiSpecs)[M]['params']> {
  const result = a2uiSpecs[method].params.safeParse(params);
  if (result.success) return result.data as z.output<(typeof a2uiSpecs)[M]['params']>;
  throw new AppError('invalid', z.prettifyError(result.error));
}
