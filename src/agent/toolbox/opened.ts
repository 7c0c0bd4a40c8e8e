/** The extended access of chat and session tools: from `access.open` and from their own settings. Pure. */
import type { Opening, ResourceKind } from '../../core/access-table.ts';
import type { MessageToolConfig } from '../../config/message-tool-config.ts';
import type { ToolsConfig } from '../config.ts';

export const openChats = (
  open: readonly Opening[],
  { allowCrossContextSend }: MessageToolConfig,
): readonly Opening[] => (allowCrossContextSend ? [...open, 'conversations'] : open);

export const openSessions = (open: readonly Opening[], { visibility }: ToolsConfig['sessions']): readonly Opening[] =>
  ['agent', 'all'].includes(visibility ?? '') ? [...open, 'sessions'] : open;

/** The same by the kind of thing, for explanations. */
export function openFor(
  kind: ResourceKind,
  open: readonly Opening[],
  { message, sessions }: Pick<ToolsConfig, 'message' | 'sessions'>,
): readonly Opening[] {
  if (kind === 'conversation') return openChats(open, message);
  return kind === 'session' ? openSessions(open, sessions) : open;
}
