/** The Messages app of a Mac, shared by the fakes of imsg and BlueBubbles: messages, users, failures. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChannelPlatform, Chat, Said, Seen } from '../../testing/channel-platform.ts';

export const SELF = 'clawd@example.com';

export type Fault = Parameters<ChannelPlatform['failSends']>[0];

export interface Row {
  readonly id: number;
  readonly guid: string;
  readonly chat: Chat;
  readonly by: string;
  text: string;
  readonly at: number;
  edited?: number;
  gone?: true;
  readonly files: readonly RowFile[];
  readonly replyTo?: string;
  readonly forwarded?: boolean;
  readonly reaction?: { readonly emoji: string; readonly target: string; readonly removed: boolean };
}

export interface RowFile {
  readonly guid: string;
  readonly name: string;
  readonly mime: string;
  readonly path: string;
  readonly data: Uint8Array;
  readonly voice: boolean;
}

export type Mac = ReturnType<typeof createMac>;

/** `dir`: where files of messages are. */
export function createMac(dir: string) {
  const rows: Row[] = [];
  const faults: Fault[] = [];
  const typing = new Map<string, number>();
  const read = new Set<string>();
  const watchers = new Set<(row: Row, changed: boolean) => void>();
  const state = { valid: true, time: 0 };

  const now = (): number => (state.time = Math.max(state.time + 1, Date.now()));
  function add(row: Omit<Row, 'id' | 'guid' | 'at' | 'files'> & Partial<Pick<Row, 'files'>>): Row {
    const whole = { files: [], ...row, id: rows.length + 1, guid: randomUUID().toUpperCase(), at: now() };
    rows.push(whole);
    return whole;
  }
  const tell = (row: Row, changed = false): void => watchers.forEach((watch) => watch(row, changed));
  async function keep({ name, mime, data, voice = false }: NonNullable<Said['file']>): Promise<RowFile> {
    const folder = join(dir, randomUUID());
    await mkdir(folder, { recursive: true });
    const path = join(folder, name);
    await writeFile(path, data);
    return { guid: randomUUID(), name, mime, path, data, voice };
  }
  const reactionsOn = (guid: string): readonly string[] => {
    const given = rows.filter(({ reaction, by }) => reaction?.target === guid && by === SELF);
    const last = given.at(-1)?.reaction;
    return last && !last.removed ? [last.emoji] : [];
  };

  return {
    rows,
    faults,
    typing,
    read,
    watchers,
    state,
    add,
    tell,
    keep,
    find: (guid: string): Row | undefined => rows.find((row) => row.guid === guid),
    async write({ chat, by, text = '', file, quotes, forwarded }: Said): Promise<string> {
      const files = file ? [await keep(file)] : [];
      const row = add({
        chat,
        by,
        text: file ? `\ufffc${text}` : text,
        files,
        ...(quotes ? { replyTo: quotes } : {}),
        ...(forwarded ? { forwarded } : {}),
      });
      tell(row);
      return row.guid;
    },
    async change(_chat: Chat, guid: string, text: string): Promise<void> {
      const row = rows.find((one) => one.guid === guid)!;
      Object.assign(row, { text, edited: now() });
      tell(row, true);
    },
    async react(chat: Chat, target: string, emoji: string, by: string): Promise<void> {
      tell(add({ chat, by, text: '', reaction: { emoji, target, removed: false } }));
    },
    async redeliver(guid: string): Promise<void> {
      tell(rows.find((one) => one.guid === guid)!);
    },
    seen: (chat: Chat): readonly Seen[] =>
      rows
        .filter((row) => row.by === SELF && row.chat.id === chat.id && !row.reaction && !row.gone)
        .map(({ guid, text, replyTo, files: [file] }) => ({
          id: guid,
          text,
          raw: text,
          reactions: reactionsOn(guid),
          ...(replyTo ? { replyTo } : {}),
          ...(file ? { file: { name: file.name, mime: file.mime, size: file.data.length, voice: file.voice } } : {}),
        })),
    markRead: (id: string): void => rows.filter(({ chat }) => chat.id === id).forEach(({ guid }) => read.add(guid)),
  };
}
