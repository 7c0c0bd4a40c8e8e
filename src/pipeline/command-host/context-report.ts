/** Estimates what fills a conversation's context: prompt sections, tools, messages. */
import { estimateTextTokens, estimateTokens } from '../../agent/compaction/estimate-tokens.ts';
import { neutralSchema } from '../../agent/schema/schema-for.ts';
import type { TurnSetting } from '../../agent/turn/run-turn.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { Turn } from '../../core/turn.ts';
import type { CommandCall } from '../commands/command-call.ts';
import type { ContextReport } from '../commands/command-host.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { Sessions } from '../../sessions/sessions.ts';

export interface ContextReportDeps {
  readonly sessions: Sessions;
  prepare(turn: Turn, session: { readonly entry: SessionEntry; readonly key: string }): Promise<TurnSetting>;
}

export function createContextReport({ sessions, prepare }: ContextReportDeps) {
  return async ({ row, sessionKey }: CommandCall): Promise<ContextReport> => {
    const session = await sessions.existing(sessionKey);
    const route = {
      agentId: sessions.agentOf(sessionKey),
      sessionKey: sessionKey as SessionKey,
      matchedBy: 'session',
      replyTo: row.message.address,
    } as const;
    const turn: Turn = {
      id: row.runId,
      route,
      origin: 'message',
      text: '',
      images: [],
      options: {},
      authority: row.authority,
    };
    const setting = await prepare(turn, { entry: session?.entry ?? { sessionId: '', updatedAt: 0 }, key: sessionKey });
    const said = session?.transcript.conversation().map(({ message }) => message) ?? [];
    const tools = setting.tools.reduce(
      (sum, tool) => sum + estimateTextTokens(`${tool.name}${tool.description}${JSON.stringify(neutralSchema(tool))}`),
      0,
    );
    const parts = [
      {
        name: `Conversation (${said.length} ${said.length === 1 ? 'message' : 'messages'})`,
        tokens: estimateTokens(said),
      },
      { name: `Tools (${setting.tools.length})`, tokens: tools },
      ...promptParts(setting.system),
    ];
    return { parts, used: parts.reduce((sum, { tokens }) => sum + tokens, 0), window: setting.contextTokens ?? 0 };
  };
}

const FILE = /<file name="([^"]*)">(?:(?!<file )[\s\S])*?<\/file>/g;

/** The list of skills and the workspace files each by itself, for those grow; the rest as one. */
export function promptParts(system: string): ContextReport['parts'] {
  const files = [...system.matchAll(FILE)].map(([text, name]) => ({
    name: name ?? 'File',
    tokens: estimateTextTokens(text),
  }));
  const sections = system
    .replace(FILE, '')
    .split(/\n\n(?=#{1,2} )/)
    .map((text) => text.trim());
  const [skills, rest] = [
    sections.filter((text) => text.startsWith('## Skills')),
    sections.filter((text) => !text.startsWith('## Skills')),
  ];
  return [
    { name: 'System prompt', tokens: estimateTextTokens(rest.join('\n\n')) },
    { name: 'Skills', tokens: estimateTextTokens(skills.join('\n\n')) },
    ...files,
  ].filter(({ tokens }) => tokens > 0);
}
