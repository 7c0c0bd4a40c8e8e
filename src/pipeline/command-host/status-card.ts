/** The status text shown by `/status` and the session_status tool. */
import type { Models } from '../../agent/models/create-models.ts';
import { present } from '../../core/present.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import type { MediaDecision } from '../../core/understanding.ts';
import type { TurnLanes } from '../turn-lanes.ts';
import { mediaStatusLine } from '../understanding/media/status-line.ts';

export type StatusCard = (key: string, whole: boolean) => Promise<string>;

export interface SessionFacts {
  readonly sessionKey: string;
  readonly sessionId?: string;
  readonly agentId: string;
  readonly model: string;
  readonly modelSource: string;
  readonly thinkingLevel?: string;
  readonly reasoningLevel?: string;
  readonly verboseLevel?: string;
  /** Where commands run, in words. */
  readonly commands: string;
  /**
   * Of the session, else the default: `off`, `on`, `ask` or `full`. Whom it is good for is decided with each message.
   */
  readonly elevatedLevel: string;
  /** What a person chose for this conversation, beside the levels, in words. */
  readonly choices?: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly contextTokens: number;
  readonly costUsd?: number;
  readonly compactions: number;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly queueMode: string;
  readonly queued: number;
  readonly running: boolean;
  readonly version: string;
  /** What became of the newest pictures, recordings, films and files. */
  readonly media?: string;
}

export interface StatusFactsDeps {
  readonly sessions: Sessions;
  readonly models: Models;
  decisions(key: string): Promise<readonly MediaDecision[]>;
  readonly lanes: Pick<TurnLanes, 'snapshot'>;
  queueMode(key: string): string;
  usualElevation(): string;
  sandboxOf(at: { readonly agentId: string; readonly sessionKey: string }): Boxed | undefined;
  readonly version: string;
}

type Boxed = { readonly workspaceAccess: 'none' | 'ro' | 'rw'; readonly network: boolean };

export function createSessionFacts(deps: StatusFactsDeps) {
  return async (key: string): Promise<SessionFacts> => {
    const entry = await deps.sessions.get(key);
    const agentId = deps.sessions.agentOf(key);
    const override =
      entry?.modelOverride &&
      (entry.providerOverride ? `${entry.providerOverride}/${entry.modelOverride}` : entry.modelOverride);
    const [model] = await deps.models.choose(agentId, override || undefined);
    const media = mediaStatusLine(await deps.decisions(key));
    const lane = deps.lanes.snapshot().find((one) => one.key === key);
    return {
      sessionKey: key,
      agentId,
      model: `${model!.provider}/${model!.modelId}`,
      modelSource: override ? 'session' : model!.source,
      inputTokens: entry?.inputTokens ?? 0,
      outputTokens: entry?.outputTokens ?? 0,
      totalTokens: entry?.totalTokens ?? 0,
      contextTokens: entry?.contextTokens ?? model!.info.contextWindow,
      compactions: entry?.compactionCount ?? 0,
      queueMode: deps.queueMode(key),
      queued: lane?.waiting.length ?? 0,
      running: (lane?.running.length ?? 0) > 0,
      version: deps.version,
      commands: commandsIn(deps.sandboxOf({ agentId, sessionKey: key })),
      elevatedLevel: entry?.elevatedLevel ?? deps.usualElevation(),
      ...present({
        reasoningLevel: entry?.reasoningLevel,
        verboseLevel: entry?.verboseLevel,
        media: media || undefined,
        choices: entry ? choicesOf(entry) : undefined,
        sessionId: entry?.sessionId,
        updatedAt: entry?.updatedAt,
        createdAt: entry?.createdAt,
        thinkingLevel: entry?.thinkingLevel,
        costUsd: entry?.costUsd,
      }),
    };
  };
}

const commandsIn = (box: Boxed | undefined): string =>
  box ? `sandboxed, workspace ${box.workspaceAccess}, ${box.network ? 'network' : 'no network'}` : 'on this machine';

/** A few lines for a person; not `whole`: for somebody who may not read the conversation. */
export function statusText(facts: SessionFacts, label: string, now: number, whole = true): string {
  if (!whole) return `⚙️ ${label}\nModel: ${facts.model}`;
  const percent = facts.contextTokens > 0 ? Math.round((facts.totalTokens / facts.contextTokens) * 100) : 0;
  const cost = facts.costUsd === undefined ? '' : ` · $${facts.costUsd.toFixed(4)}`;
  return [
    `⚙️ ${label} ${facts.version}`,
    `Model: ${facts.model} (${facts.modelSource})${levelsOf(facts)}`,
    `Tokens: ${facts.inputTokens} in, ${facts.outputTokens} out${cost}`,
    `Context: ${facts.totalTokens} of ${facts.contextTokens} (${percent} %) · ${facts.compactions} ` +
      `compaction${facts.compactions === 1 ? '' : 's'}`,
    `Session: ${facts.sessionKey}${facts.createdAt === undefined ? '' : ` · ${age(now - facts.createdAt)} old`}`,
    `Commands: ${facts.commands} · elevated ${facts.elevatedLevel}`,
    ...(facts.choices?.length ? [`Here: ${facts.choices.join(' · ')}`] : []),
    `Queue: ${facts.queueMode}${facts.queued > 0 ? ` · ${facts.queued} waiting` : ''}`,
    ...(facts.media ? [facts.media] : []),
  ].join('\n');
}

const choicesOf = ({ groupActivation, sendPolicy, responseUsage, exec }: SessionEntry): string[] => [
  ...(groupActivation ? [`activation ${groupActivation}`] : []),
  ...(sendPolicy ? [`answers ${sendPolicy === 'allow' ? 'on' : 'off'}`] : []),
  ...(responseUsage && responseUsage !== 'off' ? [`usage ${responseUsage}`] : []),
  ...(exec
    ? [
        `exec ${Object.entries(exec)
          .map(([key, value]) => `${key}=${value}`)
          .join(' ')}`,
      ]
    : []),
];

const levelsOf = ({ thinkingLevel, reasoningLevel, verboseLevel }: SessionFacts): string =>
  [
    ['thinking', thinkingLevel],
    ['reasoning', reasoningLevel],
    ['verbose', verboseLevel],
  ]
    .map(([name, level]) => (level ? ` · ${name} ${level}` : ''))
    .join('');

function age(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}
