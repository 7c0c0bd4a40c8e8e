/** Sends surfaces to the chat that requested them: as text, with buttons, and with a link if there is one. */
import { head } from '../../core/cut.ts';
import type { Choice } from '../../core/choice.ts';
import { present } from '../../core/present.ts';
import type { Turn } from '../../core/turn.ts';
import type { Host } from '../../host/host.ts';
import { sha256Hex } from '../../platform/ids.ts';
import { maySend } from '../../sessions/send-policy.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { Canvases } from './create-canvases.ts';
import { asMessage, type SurfaceAsMessage } from './surface/as-message.ts';
import { surfaceOf } from './surface/surface.ts';
import { actionText } from './user-action.ts';

/** Of one push; a chat is no dashboard. */
const MAX_SURFACES = 3;
/** How long a button counts. */
const BUTTONS_FOR_MS = 7 * 24 * 3_600_000;

export interface ChatSurfacesDeps {
  readonly canvases: Pick<Canvases, 'state'>;
  readonly actions: Pick<CanvasActions, 'link'>;
  readonly channels: Pick<Host['channels'], 'isDeliverable' | 'notify'>;
  readonly sessions: Pick<Host['sessions'], 'peek'>;
  readonly config: Host['config'];
  now(): number;
}

/**
 * Sends these surfaces to the chat of the turn, once each for what they show. Nothing is sent where people have a page
 * of ours, where the session may not be answered into, and from turns that no person began.
 */
export async function showInChat(
  turn: Pick<Turn, 'id' | 'route' | 'trigger' | 'system'>,
  ids: readonly string[],
  deps: ChatSurfacesDeps,
): Promise<void> {
  const { sessionKey, replyTo } = turn.route;
  if (turn.trigger || turn.system || !deps.channels.isDeliverable(replyTo.channel)) return;
  if (!maySend(deps.config.current().session.sendPolicy, sessionKey, deps.sessions.peek(sessionKey))) return;
  const { isStandard } = await import('./check/catalog-0-8.ts');
  for (const id of ids.slice(0, MAX_SURFACES)) {
    const surface = surfaceOf(deps.canvases.state(sessionKey).surfaces, id);
    const message = surface && asMessage(surface, isStandard);
    if (!message) continue;
    const text = textOf(message, await linkOf(sessionKey, id, deps));
    const of = message.choices.map(
      ({ label, menu, componentId, action }): Choice => ({
        label,
        ...present({ menu }),
        tells: actionText(
          { ...action, surfaceId: id, sourceComponentId: componentId },
          { session: sessionKey, host: replyTo.channel, instance: 'chat' },
        ),
      }),
    );
    await deps.channels.notify(replyTo, {
      token: `surface:${turn.id}:${sha256Hex(JSON.stringify([id, text, of])).slice(0, 32)}`,
      runId: turn.id,
      sessionKey,
      text,
      choices: { of, expiresAt: deps.now() + BUTTONS_FOR_MS, once: 'button' },
    });
  }
}

/** The words, how to answer in words, and where the rest is. */
function textOf({ text, choices, whole }: SurfaceAsMessage, link: string | undefined): string {
  const labels = choices.map(({ label, menu }) => (menu === undefined ? label : `${menu}: ${label}`));
  const rest = link === undefined ? NO_LINK : `More on the page: ${link}`;
  return [
    text || 'A surface',
    ...(labels.length > 0 ? [`Choose: ${head(labels.join(' · '), 600)}`] : []),
    ...(whole ? (link === undefined ? [] : [`As a page: ${link}`]) : [rest]),
  ].join('\n\n');
}

const NO_LINK = 'The rest is on the Canvas page of the Control UI.';

/** The address for people outside, as documents have it; it opens this surface and nothing else. */
async function linkOf(sessionKey: string, id: string, deps: ChatSurfacesDeps): Promise<string | undefined> {
  const { publicUrl } = deps.config.slice<{ readonly publicUrl?: string } | undefined>('canvasHost') ?? {};
  if (publicUrl === undefined) return undefined;
  return publicUrl.replace(/(?<!\/)\/+$/, '') + (await deps.actions.link(sessionKey, id)).path;
}
