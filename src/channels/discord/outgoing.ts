/** Builds the Discord payload of one message: content, reply, file; only the person replied to is pinged. */
import type { RawFile } from '@discordjs/rest';
import {
  AppError,
  byMenu,
  type ChannelAccount,
  type ChoiceButton,
  type ReplyPayload,
  present,
} from '../../sdk/index.ts';
import { renderMarkdown } from '../../sdk/markdown.ts';
import type { DiscordConfig } from './config.ts';
import { discordDialect } from './markdown.ts';
import { isVoiceFile, oggSeconds, waveform } from './voice-note.ts';

export const LONGEST = 2000;
const VOICE_FLAG = 1 << 13;
const [ROW, BUTTON, PLAIN_BUTTON, MENU] = [1, 2, 2, 3] as const;
const MAX = { inRow: 5, rows: 5, options: 25 } as const;

export interface Draft {
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: readonly RawFile[];
}

type Account = Pick<ChannelAccount<DiscordConfig>, 'config' | 'open'>;

/** With Discord's markup; what would be too long in it is said plainly. `too_large`: even so. */
export function contentOf({ text = '', plain }: ReplyPayload, config: DiscordConfig): string {
  if (plain) return checked(text);
  const rendered = renderMarkdown(text, discordDialect, { tables: config.markdown?.tables ?? 'code' });
  return rendered.length <= LONGEST ? rendered : checked(text);
}

/** The words as they came, after the markup was refused. */
export const plainOf = ({ text = '' }: ReplyPayload): string => checked(text);

function checked(text: string): string {
  if (text.length > LONGEST)
    throw new AppError(
      'too_large',
      `A message on Discord has at most ${LONGEST} characters; this one has ${text.length}. Split it.`,
    );
  return text;
}

export async function draftOf(
  payload: ReplyPayload,
  { content, account }: { readonly content: string; readonly account: Account },
): Promise<Draft> {
  const files = await filesOf(payload, account);
  const voice =
    content === '' && payload.audioAsVoice === true && files.length === 1 && isVoiceFile(files[0]!.contentType);
  if (content === '' && files.length === 0)
    throw new AppError('invalid', 'Nothing to send: the message has no text and no file.');
  return {
    files,
    body: {
      ...present({ content: content !== '' ? content : undefined }),
      ...reference(payload),
      ...present({
        components: payload.choices && rowsOf(payload.choices),
        flags: voice ? VOICE_FLAG : undefined,
        attachments:
          files.length > 0
            ? files.map((file, id) => ({
                id,
                filename: file.name,
                ...(voice ? voiceFacts(file.data) : {}),
              }))
            : undefined,
      }),
    },
  };
}

/** Who is answered hears of it; nobody else is pinged by what a model writes. */
function reference({ replyTo }: ReplyPayload): object {
  const id = typeof replyTo === 'object' ? replyTo.id : undefined;
  const silent = { allowed_mentions: { parse: [], replied_user: id !== undefined } };
  return id === undefined ? silent : { ...silent, message_reference: { message_id: id, fail_if_not_exists: false } };
}

/** Up to five buttons go in a row; a menu has one of its own. */
const rowsOf = (choices: readonly ChoiceButton[]): readonly object[] =>
  byMenu(choices)
    .flatMap(({ menu, of }, index) => (menu === undefined ? buttonRows(of) : [menuRow(menu, of, index)]))
    .slice(0, MAX.rows);

const buttonRows = (choices: readonly ChoiceButton[]): readonly object[] =>
  Array.from({ length: Math.ceil(choices.length / MAX.inRow) }, (_, row) => ({
    type: ROW,
    components: choices
      .slice(row * MAX.inRow, (row + 1) * MAX.inRow)
      .map(({ label, data }) => ({ type: BUTTON, style: PLAIN_BUTTON, label, custom_id: data })),
  }));

const menuRow = (menu: string, choices: readonly ChoiceButton[], index: number): object => ({
  type: ROW,
  components: [
    {
      type: MENU,
      custom_id: `menu-${index}`,
      placeholder: menu,
      options: choices.slice(0, MAX.options).map(({ label, data }) => ({ label, value: data })),
    },
  ],
});

async function filesOf(
  { media = [] }: ReplyPayload,
  { config, open }: Account,
): Promise<readonly { name: string; data: Uint8Array; contentType: string }[]> {
  const maxBytes = Math.floor(config.mediaMaxMb * 1024 * 1024);
  const files: { name: string; data: Uint8Array; contentType: string }[] = [];
  for (const ref of media) {
    const { data, mime, name } = await open(ref, maxBytes);
    files.push({ name, data, contentType: mime });
  }
  return files;
}

function voiceFacts(data: Uint8Array): object {
  const seconds = oggSeconds(data);
  return { duration_secs: seconds, waveform: waveform(seconds) };
}
