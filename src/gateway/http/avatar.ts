/**
 * Serves `GET /avatar/<agent>`: the agent's picture from its workspace, else a generated one with its emoji or initial.
 */
import type { HttpRequest } from '../../host/http/surface.ts';
import { isAbsolute } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { normaliseAgentId } from '../../core/session-key.ts';
import type { AgentService } from '../services.ts';
import { IMAGE_POLICY } from './headers.ts';
import { sendJson, sendText } from '../../host/http/reply.ts';
import type { Router } from './router.ts';
import { createStaticFiles } from './static-files.ts';
import { escapeHtml } from './static-ui.ts';

type Agent = ReturnType<AgentService['list']>[number];

const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Mounted at the root and below the UI's base path; pictures load without the secret, as pages cannot send one with an
 * image.
 */
export function mountAvatars(
  router: Router,
  { agents, basePath }: { agents: Pick<AgentService, 'list'>; basePath: string },
): void {
  for (const prefix of new Set(['/avatar', basePath === '/' ? '/avatar' : `${basePath}/avatar`]))
    router.under(prefix, { GET: (request) => serve(request, { agents, prefix }) });
}

async function serve(
  request: HttpRequest,
  { agents, prefix }: { agents: Pick<AgentService, 'list'>; prefix: string },
): Promise<void> {
  const wanted = request.path.slice(prefix.length + 1);
  const agent = /^[A-Za-z0-9_-]{1,64}$/.test(wanted)
    ? agents.list().find(({ id }) => id === normaliseAgentId(wanted))
    : undefined;
  if (!agent) throw new AppError('not_found', 'Unknown agent.');
  if (request.query.split('&').includes('meta=1'))
    return sendJson(request.res, 200, {
      agentId: agent.id,
      name: nameOf(agent),
      emoji: agent.identity?.emoji ?? null,
      avatarUrl: `${prefix}/${agent.id}`,
    });
  const picture = (await workspacePicture(agent)) ?? { bytes: drawing(agent), mime: 'image/svg+xml' };
  request.res.setHeader('content-security-policy', IMAGE_POLICY);
  sendText(request.res, 200, picture.bytes, { 'content-type': picture.mime, 'cache-control': 'private, max-age=60' });
}

/** Only an image below the workspace: the path comes from a file the agent itself may write. */
async function workspacePicture({ identity, workspace }: Agent): Promise<{ bytes: Buffer; mime: string } | undefined> {
  const path = identity?.avatar?.replace(/^\.\//, '');
  if (!path || isAbsolute(path) || !/\.(?:png|jpe?g|gif|webp|avif|svg)$/i.test(path)) return undefined;
  return createStaticFiles(workspace, MAX_BYTES).read(path.split('/').map(encodeURIComponent).join('/'), '');
}

const nameOf = (agent: Agent): string => agent.identity?.name ?? agent.name ?? agent.id;

function drawing(agent: Agent): string {
  const sign = agent.identity?.emoji || [...nameOf(agent)][0]!.toUpperCase();
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" ' +
    'fill="#5b6b8c"/>' +
    ('<text x="32" y="34" font-size="34" font-family="system-ui, sans-serif" fill="#fff" text-anchor="middle" ' +
      `dominant-baseline="central">${escapeHtml([...sign].slice(0, 8).join(''))}</text></svg>`)
  );
}
