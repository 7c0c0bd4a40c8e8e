/** Converts an action of a person on a surface into one message to the agent, idempotent by its id. */
import { z } from 'zod';
import { programAuthority } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import { NOTHING_SAID } from '../../core/said.ts';
import { head } from '../../core/cut.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../../core/turn.ts';
import { ownChat } from '../../host/delivery-target.ts';
import type { Host } from '../../host/host.ts';
import type { Accepted, InboundRow } from '../../journal/rows.ts';
import { sha256Hex } from '../../platform/ids.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { CanvasLink } from './canvas-tables.ts';
import type { Canvases } from './create-canvases.ts';
import type { ActionState, UserAction } from './surface/canvas-feed.ts';
import { isObject } from './surface/references.ts';
import { componentOf, surfaceOf } from './surface/surface.ts';

/** Characters of the context as JSON. */
const MAX_CONTEXT_CHARS = 16 * 1024;

const actionShape = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/),
  name: z.string().min(1).max(256),
  surfaceId: z.string().min(1).max(256),
  sourceComponentId: z.string().min(1).max(256),
  timestamp: z.iso.datetime({ offset: true }),
  context: z.record(z.string(), z.unknown()).default({}),
});

export interface UserActionsDeps {
  readonly canvases: Pick<Canvases, 'state'>;
  readonly inbox: Pick<Host['inbox'], 'receive'>;
  readonly runs: Pick<Host['runs'], 'whenEnded'>;
  readonly sessions: Pick<Host['sessions'], 'agentOf'>;
  accepting(): boolean;
  now(): number;
}

export interface TakenAction {
  readonly id: string;
  readonly runId: string;
  readonly state: ActionState;
  /** Resolves with its end while its turn goes on in this run of the gateway. */
  readonly ended: Promise<ActionState> | undefined;
}

/**
 * Takes an action of the page that holds this link. Throws `AppError`: `invalid` for another shape, `denied` for a
 * surface of another link, `not_found` for an action that no component there has.
 */
export async function takeAction(body: unknown, link: CanvasLink, deps: UserActionsDeps): Promise<TakenAction> {
  const action = readAction(body);
  mustBeOffered(action, link, deps);
  if (!deps.accepting())
    throw new AppError('unavailable', 'The gateway is starting or stopping; try again in a moment.', {
      retryAfterMs: 1000,
    });
  const { sessionKey } = link;
  const runId = `canvas-${sha256Hex(`canvas\0${sessionKey}\0${action.id}`).slice(0, 32)}`;
  const { row } = await deps.inbox.receive(messageOf(action, sessionKey as SessionKey, deps), runId);
  const ending = row.state === 'accepted' ? deps.runs.whenEnded(runId) : undefined;
  return {
    id: action.id,
    runId,
    state: stateOf(row),
    ended: ending?.then(({ outcome }) => endOf(outcome)),
  };
}

/** What the end of the gateway interrupted goes on after its next start, and the page asks again then. */
function endOf(outcome: TurnOutcome): ActionState {
  if (outcome.kind !== 'failed') return 'answered';
  return outcome.code === SUSPENDED_CODE ? 'accepted' : 'failed';
}

const stateOf = ({ state }: Pick<InboundRow, 'state'>): ActionState => state;

function readAction(body: unknown): UserAction {
  const read = actionShape.safeParse(isObject(body) ? body['userAction'] : undefined);
  if (!read.success)
    throw new AppError('invalid', `userAction: ${head(z.prettifyError(read.error).replaceAll('\n', ' '), 400)}`);
  if (JSON.stringify(read.data.context).length > MAX_CONTEXT_CHARS)
    throw new AppError('too_large', `userAction.context: at most ${MAX_CONTEXT_CHARS} characters.`);
  return read.data;
}

/** A page says only what the agent offered: an action of a component of a surface its link opens. */
function mustBeOffered(
  { name, surfaceId, sourceComponentId }: UserAction,
  link: CanvasLink,
  deps: UserActionsDeps,
): void {
  if (link.surfaceId !== undefined && link.surfaceId !== surfaceId)
    throw new AppError('denied', 'This page belongs to another surface.');
  const surface = surfaceOf(deps.canvases.state(link.sessionKey).surfaces, surfaceId);
  const action = surface && componentOf(surface, sourceComponentId)?.props['action'];
  if (!isObject(action) || action['name'] !== name)
    throw new AppError('not_found', 'The surface no longer offers this action.');
}

function messageOf(action: UserAction, sessionKey: SessionKey, deps: UserActionsDeps): Accepted {
  const agentId = deps.sessions.agentOf(sessionKey);
  const replyTo = ownChat(sessionKey);
  return {
    message: {
      id: `canvas:${action.id}`,
      address: replyTo,
      sender: { id: 'canvas', name: 'canvas' },
      system: true,
      said: NOTHING_SAID,
      text: actionText(action, { session: sessionKey, host: 'gateway', instance: 'viewer' }),
      attachments: [],
      addressesBot: true,
      receivedAt: deps.now(),
    },
    route: { agentId, sessionKey, matchedBy: 'session', replyTo },
    options: { thinking: 'low' },
    queue: 'followup',
    commands: false,
    authority: programAuthority('canvas', { agentId, sessionKey, address: replyTo }),
  };
}

/** The line the agent reads; its form is the protocol's. */
export function actionText(
  { name, surfaceId, sourceComponentId, context }: Omit<UserAction, 'id' | 'timestamp'>,
  { session, host, instance }: { readonly session: string; readonly host: string; readonly instance: string },
): string {
  const values = Object.keys(context).length > 0 ? ` ctx=${JSON.stringify(context)}` : '';
  return (
    `CANVAS_A2UI action=${tag(name)} session=${tag(session)} surface=${tag(surfaceId)} ` +
    `component=${tag(sourceComponentId)} host=${tag(host)} instance=${tag(instance)}${values} default=update_canvas`
  );
}

const tag = (text: string): string =>
  text
    .trim()
    .replaceAll(' ', '_')
    .replace(/[^A-Za-z0-9_\-.:]/g, '_') || '-';
