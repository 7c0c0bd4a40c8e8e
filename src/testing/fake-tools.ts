/** The tools service in memory: three tools, one of them removed by policy, one of a plugin. */
import type { Authority } from '../core/authority.ts';
import { explainAct, requesterView } from '../core/explain-access.ts';
import { AppError } from '../core/errors.ts';
import { errorResult, textResult } from '../core/tool.ts';
import type { ToolInvocation, ToolPlace, ToolService, ToolDecision } from '../host/tool-service.ts';

export interface FakeTools extends ToolService {
  /** What was asked for, in order. */
  readonly asked: ToolPlace[];
  readonly invoked: ToolInvocation[];
}

const DECISIONS: readonly ToolDecision[] = [
  {
    name: 'read',
    summary: 'Read a file',
    source: 'core',
    allowed: true,
    stages: [
      { stage: 'profile', ok: true },
      { stage: 'global', ok: true, setting: 'tools.allow', pattern: 'group:fs' },
      { stage: 'available', ok: true },
    ],
  },
  {
    name: 'bash',
    summary: 'Run a command',
    source: 'core',
    allowed: false,
    stages: [
      { stage: 'profile', ok: true },
      { stage: 'global', ok: false, setting: 'tools.deny', pattern: 'group:runtime' },
      { stage: 'available', ok: true },
    ],
  },
  {
    name: 'lobster_run',
    summary: 'Run a lobster',
    source: 'plugin',
    pluginId: 'lobster',
    allowed: true,
    stages: [
      { stage: 'profile', ok: true },
      { stage: 'available', ok: true },
    ],
  },
];

/** `read` of a path `waits` ends only with its signal; `broken` fails; an empty path is refused. */
export function createFakeTools(): FakeTools {
  const asked: ToolPlace[] = [];
  const invoked: ToolInvocation[] = [];
  return {
    asked,
    invoked,
    async decisions(place) {
      asked.push(place);
      return {
        agentId: place.agentId ?? 'main',
        sessionKey: place.sessionKey ?? 'agent:main:main',
        profile: 'full',
        decisions: DECISIONS,
        warnings: ['tools.allow names "raed", which is not a tool. Did you mean "read"?'],
      };
    },
    async access({ tool }) {
      const authority: Authority = {
        requester: { kind: 'people', channel: 'pipe', accountId: 'default', ids: ['u1'], commands: true },
        rights: [],
        home: {
          agentId: 'main',
          sessionKey: 'agent:main:main',
          address: { channel: 'pipe', accountId: 'default', chat: { kind: 'direct', id: 'u1' } },
        },
        hands: [],
      };
      return {
        requester: requesterView(authority),
        acts: tool === 'read' ? explainAct(authority, ['read', 'received-file']) : [],
      };
    },
    async invoke(call) {
      invoked.push(call);
      const tool = DECISIONS.find(({ name, allowed }) => name === call.tool && allowed);
      if (!tool) throw new AppError('not_found', `There is no tool "${call.tool}".`);
      const path = call.args['path'];
      if (path === '') throw new AppError('invalid', 'The input of read is not valid:\n- path: is required (string)');
      if (path === 'broken') return errorResult('File not found.', { code: 'not_found' });
      if (path === 'waits')
        return new Promise((_, reject) =>
          call.signal.addEventListener('abort', () => reject(new AppError('aborted', 'The caller went away.'))),
        );
      return textResult(`ran ${call.tool}`, { args: call.args });
    },
  };
}
