/** Exports a whole conversation as Markdown, or as the JSON of the gateway. */
import type { App } from '../app.ts';
import { exactTime } from '../elements/times.ts';
import { titleOf } from '../gateway/sessions.ts';
import type { SessionRow, WireMessage } from '../gateway/wire.ts';
import type { AnswerItem, ChatItem } from './items.ts';
import { answerText } from './items.ts';
import { itemsOfHistory } from './transcript.ts';

export type ExportForm = 'markdown' | 'json';

const PAGE = 1000;
const SAVED_MS = 10_000;

/** Fetches every page of the history first. */
export async function exportConversation(app: App, row: SessionRow, form: ExportForm): Promise<void> {
  const messages = await wholeHistory(app, row.key);
  const title = titleOf(row);
  const agent = row.agentName ?? 'Assistant';
  const [text, mime, ending] =
    form === 'json'
      ? [JSON.stringify({ sessionKey: row.key, title, messages }, null, 2), 'application/json', 'json']
      : [markdownOf(title, agent, itemsOfHistory(messages)), 'text/markdown', 'md'];
  save(new Blob([text], { type: mime }), `${fileName(title)}.${ending}`);
}

async function wholeHistory(app: App, sessionKey: string): Promise<readonly WireMessage[]> {
  const pages: (readonly WireMessage[])[] = [];
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: { messages: readonly WireMessage[]; nextOffset?: number } = await app.request('chat.history', {
      sessionKey,
      limit: PAGE,
      offset,
    });
    pages.unshift(page.messages);
    offset = page.nextOffset;
  }
  return pages.flat();
}

export function markdownOf(title: string, agent: string, items: readonly ChatItem[]): string {
  const parts = items.map((item) => {
    const who = item.kind === 'person' ? (item.system ? 'System' : (item.by ?? 'You')) : agent;
    const body = item.kind === 'person' ? withFiles(item.text, item.files) : answerMarkdown(item);
    return `## ${who}\n\n*${exactTime(item.at)}*\n\n${body}`;
  });
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

const withFiles = (text: string, files: readonly { readonly name: string }[]): string =>
  [text, ...files.map(({ name }) => `*File: ${name}*`)].filter(Boolean).join('\n\n');

function answerMarkdown(item: AnswerItem): string {
  const tools = item.parts.flatMap((part) => (part.type === 'tool' ? [`> Tool \`${part.name}\`: ${part.state}`] : []));
  return [...tools, answerText(item), item.error ? `*Failed: ${item.error}*` : ''].filter(Boolean).join('\n\n');
}

const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N} _-]+/gu, '')
    .trim()
    .slice(0, 60) || 'conversation';

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
}
