/** Turns with their steps and tries in memory. */
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../../core/transcript.ts';
import type { AttemptJournal, TurnJournal } from '../../journal/journal.ts';
import type { InboundRow, TurnEnd, TurnRow } from '../../journal/rows.ts';
import { plain, type KeptStep, type Store, type Tables } from './memory-disk.ts';
import { endMessages, findRun, messagesOf } from './memory-inbound.ts';
import type { MemoryReplies } from './memory-replies.ts';
import { putRedo } from './memory-redo-table.ts';

const MAX_CHECKS = 32;
type Steps = Pick<
  TurnJournal,
  'modelStarted' | 'modelFinished' | 'toolFinished' | 'steered' | 'accessChecked' | 'recall'
>;
type Step = Pick<KeptStep, 'turnId' | 'kind' | 'id' | 'ord' | 'name'>;

const keyOf = ({ turnId, kind, id }: Step): string => JSON.stringify([turnId, kind, id]);
const modelStep = (turnId: string, index: number, name: string): Step => ({
  turnId,
  kind: 'model',
  id: String(index),
  ord: index,
  name,
});

function start({ steps }: Tables, step: Step & Pick<KeptStep, 'input' | 'startedAt'>): void {
  if (!steps.has(keyOf(step))) steps.set(keyOf(step), step);
}

function finish({ steps }: Tables, step: Step, { output, at }: { readonly output: string; readonly at: number }): void {
  const known = steps.get(keyOf(step));
  if (known) Object.assign(known, { output, finishedAt: at, name: step.name });
  else steps.set(keyOf(step), { ...step, output, startedAt: at, finishedAt: at });
}

export function memorySteps(store: Store): Steps {
  return {
    modelStarted(turnId, index, name) {
      const startedAt = store.now();
      return store.write((tables) => start(tables, { ...modelStep(turnId, index, name), startedAt }));
    },
    modelFinished(turnId, index, message, tools) {
      const at = store.now();
      const output = JSON.stringify(message);
      const calls = tools.map(({ callId, tool, input }) => ({
        turnId,
        kind: 'tool',
        id: callId,
        ord: index,
        name: tool,
        startedAt: at,
        input: JSON.stringify(input ?? null),
      }));
      return store.write((tables) => {
        finish(tables, modelStep(turnId, index, `${message.provider}/${message.model}`), { output, at });
        for (const call of calls) start(tables, call);
      });
    },
    toolFinished(turnId, result) {
      const end = { output: JSON.stringify(result), at: store.now() };
      const step = { turnId, kind: 'tool', id: result.toolCallId, ord: 0, name: result.toolName };
      return store.write((tables) => finish(tables, step, end));
    },
    steered(turnId, index, messages, seqs) {
      const end = { output: JSON.stringify(messages), at: store.now() };
      return store.write((tables) => {
        finish(tables, { turnId, kind: 'steer', id: String(index), ord: index, name: 'steer' }, end);
        for (const seq of seqs) Object.assign(tables.inbound.get(seq) ?? {}, { turnId, steered: true });
      });
    },
    accessChecked(runId, check) {
      const at = store.now();
      const id = JSON.stringify([check.verb, check.kind, check.ok, check.of ?? null]);
      const step = { turnId: runId, kind: 'access', id, ord: 0, name: `${check.verb} ${check.kind}` };
      const output = JSON.stringify(check);
      return store.write((tables) => {
        const checks = [...tables.steps.values()].filter(({ turnId, kind }) => turnId === runId && kind === 'access');
        if (!findRun(tables, runId) || checks.length >= MAX_CHECKS || tables.steps.has(keyOf(step))) return;
        tables.steps.set(keyOf(step), { ...step, output, startedAt: at, finishedAt: at });
      });
    },
    recall: (turnId) =>
      store.read(({ steps }) => {
        const own = [...steps.values()].filter((step) => step.turnId === turnId).sort((a, b) => a.ord - b.ord);
        const of = <T>(kind: string): [string, T | undefined][] =>
          own
            .filter((step) => step.kind === kind)
            .map(({ id, output }) => [id, output === undefined ? undefined : (JSON.parse(output) as T)]);
        const ended = <T>(kind: string): [number, T][] =>
          of<T>(kind).flatMap(([id, output]) => (output === undefined ? [] : [[Number(id), output]]));
        return {
          models: new Map(ended<AssistantMessage>('model')),
          tools: new Map(of<ToolResultMessage>('tool').map(([id, output]) => [id, output ?? ('unknown' as const)])),
          steers: new Map(ended<UserMessage[]>('steer')),
        };
      }),
  };
}

export function memoryTurns(store: Store, replies: MemoryReplies): Omit<TurnJournal, keyof Steps> {
  return {
    begin({ seqs, ...turn }) {
      const startedAt = store.now();
      return store.write((tables) => {
        if (!tables.turns.has(turn.id))
          tables.turns.set(turn.id, { ...turn, state: 'running', startedAt, settled: false });
        for (const seq of seqs) Object.assign(tables.inbound.get(seq) ?? {}, { turnId: turn.id });
      });
    },
    end({ replies: said, ...end }, redo) {
      const at = store.now();
      const prepared = replies.prepare(said);
      const kept = plain(end);
      return store.write((tables) => {
        const messages = endTurn(tables, { ...kept, at });
        if (redo) putRedo(tables, redo);
        return { messages, outbox: prepared.map((row) => replies.insert(tables, row, at)) };
      });
    },
    stop(seqs, { reason, outcome }) {
      const end = { outcome: plain(outcome), inbound: { state: 'declined', reason } as const, at: store.now() };
      return store.write((tables) => {
        endMessages(tables, seqs, { ...end.inbound, at: end.at });
        const rows = seqs.flatMap((seq) => tables.inbound.get(seq) ?? []);
        const begun = [...new Set(rows.flatMap(({ turnId }) => turnId ?? []))].filter((turnId) =>
          messagesOf(tables, turnId).every(({ steered, seq }) => steered || seqs.includes(seq)),
        );
        const others = begun.flatMap((turnId) => endTurn(tables, { ...end, turnId }));
        return [...rows, ...others.filter(({ seq }) => !seqs.includes(seq))];
      });
    },
    find: (id) => store.read(({ turns }) => rowOf(turns.get(id))),
    unsettled: () =>
      store.read(({ turns }) =>
        [...turns.values()]
          .filter(({ settled }) => !settled)
          .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
          .map((turn) => rowOf(turn)!),
      ),
    settle: (ids) =>
      store.write(({ turns }) => {
        for (const id of ids) if (turns.get(id)?.state === 'ended') turns.get(id)!.settled = true;
      }),
  };
}

export function rowOf(turn: (TurnRow & { readonly settled: boolean }) | undefined): TurnRow | undefined {
  if (!turn) return undefined;
  const { settled: _, ...row } = turn;
  return row;
}

function endTurn(
  tables: Tables,
  { turnId, outcome, inbound, at }: Omit<TurnEnd, 'replies'> & { readonly at: number },
): InboundRow[] {
  const turn = tables.turns.get(turnId);
  if (turn) Object.assign(turn, { state: 'ended', outcome, endedAt: at });
  const seqs = messagesOf(tables, turnId).map(({ seq }) => seq);
  endMessages(tables, seqs, { ...inbound, at });
  tables.tries.delete(turnId);
  return messagesOf(tables, turnId);
}

export function memoryTries(store: Store): AttemptJournal {
  const put = (id: string, again: number): Promise<void> =>
    store.write(({ tries }) => void tries.set(id, { again, opening: store.opening }));
  return {
    async begin(id, { resumed, marks }) {
      const known = await store.read(({ tries }) => (resumed || marks ? tries.get(id) : undefined));
      if (known?.opening === store.opening) return 'again';
      if (!resumed && !known) {
        if (marks) await put(id, 0);
        return 'first';
      }
      const again = known?.again ?? 0;
      if (again >= 1) return 'poisoned';
      await put(id, again + 1);
      return 'again';
    },
    spare: (id) => put(id, -1),
  };
}
