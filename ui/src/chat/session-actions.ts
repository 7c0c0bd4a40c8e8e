/** Actions of the menu of a conversation, each with a confirmation. */
import type { App } from '../app.ts';
import { ask, confirmed } from '../elements/dialogs.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import { titleOf } from '../gateway/sessions.ts';
import type { SessionRow } from '../gateway/wire.ts';

import type { ExportForm } from './export-conversation.ts';

export type SessionAction = keyof typeof ACTIONS;

const ACTIONS = {
  async rename(app: App, row: SessionRow): Promise<void> {
    const label = await ask({
      title: 'Rename conversation',
      action: 'Rename',
      value: row.label ?? '',
      placeholder: titleOf(row),
    });
    if (label !== undefined) await app.sessions.rename(row.key, label);
  },

  pin: (app: App, row: SessionRow): Promise<void> => app.sessions.mark([row.key], { pinned: true }),
  unpin: (app: App, row: SessionRow): Promise<void> => app.sessions.mark([row.key], { pinned: false }),

  async archive(app: App, row: SessionRow): Promise<void> {
    await app.sessions.mark([row.key], { archived: true });
    toast('Archived. The next message brings it back.', 'plain', {
      label: 'Undo',
      act: () => void actOnSession(app, row, 'unarchive'),
    });
  },
  unarchive: (app: App, row: SessionRow): Promise<void> => app.sessions.mark([row.key], { archived: false }),

  async parent(app: App, { branchedFrom }: SessionRow): Promise<void> {
    if (branchedFrom) app.openSession(branchedFrom.key);
  },

  exportMarkdown: (app: App, row: SessionRow): Promise<void> => exported(app, row, 'markdown'),
  exportJson: (app: App, row: SessionRow): Promise<void> => exported(app, row, 'json'),

  async reset(app: App, row: SessionRow): Promise<void> {
    if (
      !(await confirmed({
        title: 'Start a new session?',
        body: 'The agent no longer sees the earlier messages. The old transcript stays on disk.',
        action: 'Start new session',
        danger: true,
      }))
    )
      return;
    await app.sessions.reset(row.key);
    app.chat.forget(row.key);
    await app.chat.fetchHistory(row.key);
  },

  async remove(app: App, row: SessionRow): Promise<void> {
    if (
      !(await confirmed({
        title: `Delete “${titleOf(row)}”?`,
        body: 'The conversation is removed from the list. Its transcript is archived on the gateway.',
        action: 'Delete',
        danger: true,
      }))
    )
      return;
    await app.sessions.remove(row.key);
    app.chat.forget(row.key);
    if (row.key === app.chat.store.get().current)
      app.openSession(app.hello.get()?.snapshot.sessionDefaults?.mainSessionKey ?? 'agent:main:main');
  },
};

async function exported(app: App, row: SessionRow, form: ExportForm): Promise<void> {
  const { exportConversation } = await import('./export-conversation.ts');
  await exportConversation(app, row, form);
}

export async function actOnSession(app: App, row: SessionRow, action: SessionAction): Promise<void> {
  try {
    await ACTIONS[action](app, row);
  } catch (cause) {
    toast(messageOf(cause), 'bad');
  }
}
