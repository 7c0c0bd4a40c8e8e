/** Methods of the canvas tool: full access to the canvas of its own session, and to no other. */
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { Turn } from '../../core/turn.ts';
import type { ToolMethods } from '../../host/feature.ts';
import type { CanvasActions } from './canvas-actions.ts';
import { showInChat, type ChatSurfacesDeps } from './chat-surfaces.ts';
import { mustReadJsonl } from './check/read-jsonl.ts';
import { a2uiSpecs } from './methods.ts';
import type { SurfaceMessage } from './surface/surface.ts';

type Offered = 'a2ui.push' | 'a2ui.reset' | 'a2ui.show' | 'a2ui.eval' | 'a2ui.snapshot';

export function canvasToolMethods(
  turn: Turn,
  actions: CanvasActions,
  { closing, chat }: { readonly closing: AbortSignal; readonly chat: Omit<ChatSurfacesDeps, 'actions'> },
): ToolMethods {
  const key = turn.route.sessionKey;
  return {
    'a2ui.check': async (params: unknown) => {
      await mustReadJsonl(read('a2ui.push', params).jsonl);
      return { ok: true };
    },
    'a2ui.push': async (params: unknown) => {
      const { jsonl } = read('a2ui.push', params);
      const answer = await actions.push(key, jsonl);
      await showInChat(turn, begunBy(await mustReadJsonl(jsonl)), { ...chat, actions });
      return answer;
    },
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

/** Surfaces that are to be shown from this push on. */
const begunBy = (messages: readonly SurfaceMessage[]): readonly string[] => [
  ...new Set(messages.flatMap(({ kind, surfaceId }) => (kind === 'begin' ? [surfaceId] : []))),
];

/** A session that is named counts for nothing: the turn's own is meant. */
function read<M extends Offered>(method: M, params: unknown): z.output<(typeof a2uiSpecs)[M]['params']> {
  const result = a2uiSpecs[method].params.safeParse(params);
  if (result.success) return result.data as z.output<(typeof a2uiSpecs)[M]['params']>;
  throw new AppError('invalid', z.prettifyError(result.error));
}
