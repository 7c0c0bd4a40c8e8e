/** One message's life, stage by stage, read off the journal's own rows. */
import { excerpt } from '../core/cut.ts';
import type { AdmissionStep } from '../core/admission.ts';
import { readAuthority } from '../core/authority.ts';
import { present } from '../core/present.ts';
import type { Understanding } from '../core/understanding.ts';
import { visibleLine } from '../core/visible-text.ts';
import type { Row, Sqlite } from '../platform/sqlite.ts';
import type { Stage } from './rows.ts';
import { askedStage, lookIn, lookStage } from './timeline-authority.ts';
import { understandingStages } from './timeline-understanding.ts';

/** Characters of what a tool was called with. */
const TOLD = 120;
const TELLING = ['command', 'action', 'path', 'image', 'url', 'query'];

/** `bash: git status`: the tool, and the argument that tells most. */
function toolDetail(tool: string, input: unknown): string {
  const given = typeof input === 'string' ? (JSON.parse(input) as unknown) : undefined;
  const fields = typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {};
  const told = TELLING.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof told !== 'string') return tool;
  return `${tool}: ${excerpt(visibleLine(told.trim()), TOLD)}`;
}

/** Every look at the access gate, with the setting it rests on; nothing for the gateway's own surfaces. */
function accessStages(steps: readonly AdmissionStep[] = [], at: number): readonly Stage[] {
  if (steps.length === 0) return [];
  const refusal = steps.find(({ ok }) => !ok);
  return [
    {
      stage: 'door',
      at,
      ok: refusal === undefined,
      detail: refusal?.detail ?? 'let in',
      steps: steps.map(({ step, ok, setting, detail }) => ({
        what: setting === undefined ? step : `${step} (${setting})`,
        outcome: ok ? 'success' : 'blocked',
        reason: detail,
      })),
    },
  ];
}

/** Who was let in asks; who was turned away at the access gate asks for nothing, and the access gate says why. */
function asked(
  {
    authority,
    message,
    door: gate = [],
  }: {
    readonly authority?: unknown;
    readonly message: { readonly sender?: { readonly name?: string } };
    readonly door?: readonly AdmissionStep[];
  },
  at: number,
): readonly Stage[] {
  const known = readAuthority(authority);
  return known && gate.every(({ ok }) => ok) ? [askedStage(known, { name: message.sender?.name, at })] : [];
}

/** Of its turn; what was asked of the table also without one, as commands do. */
const STEPS = `SELECT * FROM step WHERE turn_id = ?1 OR (turn_id = ?2 AND kind = 'access') ORDER BY started_at, ord`;

export function readTimeline(sql: Sqlite, runId: string): Stage[] | undefined {
  const inbound = sql.read.get('SELECT * FROM inbound WHERE run_id = ?', runId);
  if (!inbound) return undefined;
  const body = JSON.parse(String(inbound['body'])) as {
    message: { receivedAt: number; address: { channel: string }; sender?: { name?: string } };
    route: { matchedBy: string };
    door?: readonly AdmissionStep[];
    authority?: unknown;
  };
  const accepted = Number(inbound['accepted_at']);
  const stages: Stage[] = [
    {
      stage: 'accepted',
      at: accepted,
      ms: Math.max(0, accepted - body.message.receivedAt),
      detail: body.message.address.channel,
      ok: true,
    },
    ...accessStages(body.door, accepted),
    ...asked(body, accepted),
    {
      stage: 'routed',
      at: accepted,
      detail: `${String(inbound['agent_id'])} → ${String(inbound['session_key'])} (${body.route.matchedBy})`,
      ok: true,
    },
  ];
  const understood = sql.read.get('SELECT body, started_at FROM understanding WHERE run_id = ?', runId);
  if (understood)
    stages.push(
      ...understandingStages(JSON.parse(String(understood['body'])) as Understanding, Number(understood['started_at'])),
    );
  const turnId = inbound['turn_id'];
  const turn = turnId === null ? undefined : sql.read.get('SELECT * FROM turn WHERE id = ?', turnId ?? null);
  if (turn)
    stages.push({
      stage: 'started',
      at: Number(turn['started_at']),
      ms: Math.max(0, Number(turn['started_at']) - accepted),
      detail: turnId === runId ? 'its own turn' : `joined turn ${String(turnId)}`,
    });
  for (const step of sql.read.all(STEPS, turnId ?? null, runId)) {
    const look = lookIn(step['output'], String(step['kind']));
    if (look) stages.push(lookStage(look, Number(step['finished_at'])));
    if (step['kind'] === 'access') continue;
    const finished = step['finished_at'];
    stages.push({
      stage: String(step['kind']),
      at: Number(step['started_at']),
      detail: step['kind'] === 'tool' ? toolDetail(String(step['name']), step['input']) : String(step['name']),
      ...(finished === null
        ? {}
        : {
            ms: Number(finished) - Number(step['started_at']),
            ok: !/"isError":true|"stopReason":"error"/.test(String(step['output'])),
          }),
    });
  }
  if (inbound['ended_at'] !== null)
    stages.push(
      present({
        stage: String(inbound['state']),
        at: Number(inbound['ended_at']),
        ms: Number(inbound['ended_at']) - accepted,
        ok: inbound['state'] === 'answered',
        detail: inbound['reason'] !== null ? String(inbound['reason']) : undefined,
      }),
    );
  for (const reply of sql.read.all('SELECT * FROM outbox WHERE run_id = ? ORDER BY id', runId)) {
    const sent = reply['sent_at'];
    stages.push(
      sent === null
        ? {
            stage: 'outbox',
            at: Number(reply['created_at']),
            detail: `${String(reply['state'])}, attempt ${String(reply['attempts'])}${reply['error'] === null ? '' : `: ${String(reply['error'])}`}`,
          }
        : {
            ...fateOf(reply),
            at: Number(sent),
            ms: Number(sent) - Number(reply['created_at']),
            ...present({ detail: reply['error'] !== null ? String(reply['error']) : undefined }),
          },
    );
  }
  return stages.sort((a, b) => a.at - b.at);
}

/** What was shown early and gave way to the answer is no failure. */
function fateOf(reply: Row): Pick<Stage, 'stage' | 'ok'> {
  const sent = reply['state'] === 'sent';
  const early = (JSON.parse(String(reply['payload'])) as { kind?: string }).kind === 'interim';
  if (early) return present({ stage: sent ? 'shown' : 'not shown', ok: sent ? true : undefined });
  return { stage: sent ? 'delivered' : 'undelivered', ok: sent };
}
