/** The table of parsers of external text that run on the event loop. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readFrom } from '../../../src/channels/email/addresses.ts';
import { proveSender } from '../../../src/channels/email/authentication.ts';
import { messageIds, readHeaders } from '../../../src/channels/email/headers.ts';
import { htmlText } from '../../../src/channels/email/html-text.ts';
import { readWords } from '../../../src/channels/email/words.ts';
import { discordDialect } from '../../../src/channels/discord/markdown.ts';
import { parseMessageLink, parseTarget as discordTarget } from '../../../src/channels/discord/targets.ts';
import { named, withoutMentions, wordsOf } from '../../../src/channels/discord/words.ts';
import {
  channelsIn,
  mentionsIn,
  mentionsTeam,
  readText,
  readTyped,
  slackDialect,
  withoutMention,
} from '../../../src/channels/slack/markdown.ts';
import { parseTarget as slackTarget } from '../../../src/channels/slack/target.ts';
import { telegramHtml } from '../../../src/channels/telegram/markdown.ts';
import { parseTarget as telegramTarget } from '../../../src/channels/telegram/targets.ts';
import { plainReply } from '../../../src/features/exchange/plain-reply.ts';
import { withContext as withCronContext } from '../../../src/features/cron/turn/context.ts';
import { readCronRequest } from '../../../src/features/cron/turn/request.ts';
import { readPattern as readAgentPattern } from '../../../src/tool-methods/sessions/agent-pattern.ts';
import { eventText } from '../../../src/host/system-events.ts';
import { estimateTextTokens } from '../../../src/agent/compaction/estimate-tokens.ts';
import { parseModelRef } from '../../../src/agent/models/model-ref.ts';
import { readFrontMatter } from '../../../src/agent/workspace/front-matter.ts';
import { changeText } from '../../../src/config/json5-text.ts';
import { parseJson5 } from '../../../src/config/json5.ts';
import { migrate } from '../../../src/config/migrate.ts';
import { parsePath } from '../../../src/config/paths.ts';
import { nearest } from '../../../src/config/suggest.ts';
import { fillTemplate } from '../../../src/pipeline/understanding/template.ts';
import { sanitiseExternal } from '../../../src/core/external-content.ts';
import { inertLine } from '../../../src/core/inert-line.ts';
import { maskedCommand } from '../../../src/core/masked-command.ts';
import { bareMime, extensionOf } from '../../../src/core/media-type.ts';
import { neutralise, neutraliseFrames, neutraliseMedia } from '../../../src/core/neutralise.ts';
import { isSilent, maybeSilent } from '../../../src/core/reply.ts';
import { typed } from '../../../src/core/saying.ts';
import { canonicalSessionKey, defaultKeyRules, parseSessionKey } from '../../../src/core/session-key.ts';
import { visibleLine, visibleText } from '../../../src/core/visible-text.ts';
import { isAck, stripAck } from '../../../src/core/ack.ts';
import { durationMs } from '../../../src/features/cron/schedule/duration.ts';
import { textTrouble, tooLong } from '../../../src/features/exec/analysis/reading/command-text.ts';
import { readLine } from '../../../src/features/exec/analysis/reading/read-line.ts';
import { matchesPath } from '../../../src/features/exec/approvals/path-pattern.ts';
import { readPolicy } from '../../../src/features/exec/approvals/policy-file.ts';
import { cleaned } from '../../../src/features/exec/output/cleaner.ts';
import { headTail } from '../../../src/features/exec/output/head-tail.ts';
import { logWindow } from '../../../src/features/exec/output/lines.ts';
import { nameOf } from '../../../src/features/exec/output/name.ts';
import { splitTarget } from '../../../src/gateway/http/request.ts';
import { bareText } from '../../../src/gateway/methods/bare-text.ts';
import { jsonToBullets } from '../../../src/link-understand/json-to-bullets.ts';
import { mentionsAgent, mentionPatterns } from '../../../src/pipeline/access/mentions.ts';
import { readAllowed, readPending } from '../../../src/pipeline/access/pairing-file.ts';
import { pickModel } from '../../../src/pipeline/commands/pick-model.ts';
import { readAssignment } from '../../../src/pipeline/commands/read-assignment.ts';
import { isStopWord } from '../../../src/pipeline/commands/read-command.ts';
import { readSaid } from '../../../src/pipeline/commands/read-said.ts';
import { withContext } from '../../../src/pipeline/context/context-text.ts';
import { blockEnd, finalWithout } from '../../../src/pipeline/delivery/block-cut.ts';
import { chunkText } from '../../../src/pipeline/delivery/chunk.ts';
import { readDirectives } from '../../../src/core/directives/read-directives.ts';
import { visiblePrefix } from '../../../src/core/directives/visible-prefix.ts';
import { toolSummary } from '../../../src/pipeline/delivery/tool-summary.ts';
import { decideType, mimeOfName, plainName } from '../../../src/pipeline/understanding/attachment-type.ts';
import { inertText } from '../../../src/pipeline/understanding/inert-text.ts';
import { lastLine } from '../../../src/pipeline/understanding/last-line.ts';
import { decodeOutput } from '../../../src/pipeline/understanding/links/decode-output.ts';
import { hasMarkup, splitBareText } from '../../../src/pipeline/understanding/links/detect/bare-text.ts';
import { detectLinks } from '../../../src/pipeline/understanding/links/detect/detect.ts';
import { mayHoldLinks } from '../../../src/pipeline/understanding/links/detect/may-hold-links.ts';
import { inertSummary } from '../../../src/pipeline/understanding/links/format.ts';
import { spokenText } from '../../../src/pipeline/understanding/media/entries/silence.ts';
import { lastJsonObject } from '../../../src/pipeline/understanding/media/local/last-json-object.ts';
import { trimText } from '../../../src/pipeline/understanding/trim-text.ts';
import { decodeBytes } from '../../../src/platform/charset/decode-bytes.ts';
import { decodeText } from '../../../src/platform/charset/text-encoding.ts';
import { readHost } from '../../../src/platform/net/guard/host-name.ts';
import { parseAddress } from '../../../src/platform/net/guard/address.ts';
import { pictureKind } from '../../../src/platform/pictures/picture-kind.ts';
import { pictureSize } from '../../../src/platform/pictures/picture-size.ts';
import { redactText } from '../../../src/platform/redact.ts';
import { takeApart } from '../../../src/providers/offline/notes.ts';
import { inert, quote, unquoted } from '../../../src/providers/offline/quoting.ts';
import { splitTime } from '../../../src/providers/offline/time-words.ts';
import { fieldsOf } from '../../../src/providers/offline/read-json.ts';
import { unwrap } from '../../../src/providers/offline/unwrap.ts';
import { closestRegion } from '../../../src/sdk/closest-region.ts';
import { renderMarkdown } from '../../../src/sdk/markdown/render.ts';
import { plainText } from '../../../src/sdk/typography.ts';
import { parseLine } from '../../../src/sessions/transcript-line.ts';
import { collectText, summaryLine } from '../../../src/sessions/queue.ts';
import type { Hunk } from '../../../src/tools/apply_patch/patch.ts';
import { readPatch } from '../../../src/tools/apply_patch/read-patch.ts';
import { updateText } from '../../../src/tools/apply_patch/update-text.ts';
import { splitLines } from '../../../src/tools/apply_patch/file-lines.ts';
import { hunk } from '../../../src/tools/edit/hunk.ts';
import { replaceOnce } from '../../../src/tools/edit/replace-once.ts';
import { readReference } from '../../../src/tools/image/reference.ts';
import { encodeKeys } from '../../../src/features/exec/tools/process/key-tokens.ts';
import { pageOf } from '../../../src/tools/read/page.ts';
import { commandRow, READ } from '../../../src/testing/command-harness.ts';
import { settingRules } from '../../../src/testing/whole-schema.ts';
import { renderMarkdown as renderInBrowser } from '../../../ui/src/chat/markdown.ts';

/** Links are looked for in windows of a text. */
const WINDOW = 8000;

export type Parser = (text: string) => unknown;

const nobody = { user: () => undefined, chat: () => undefined, role: () => undefined, channel: () => undefined };
const message = (text: string) => commandRow(text).message;
const rules = { minChars: 800, maxChars: 1200, prefer: 'paragraph' } as const;

const hunkOf = (lines: readonly string[]): Hunk => ({
  line: 1,
  headings: [],
  atEnd: false,
  changes: lines.map((text) => ({ sign: '-', text })),
});

/** As the blocks of an answer that came at once are cut. */
function allBlocks(text: string): number {
  let cut = 0;
  for (let end = blockEnd(text, rules); end !== undefined; end = blockEnd(text.slice(cut), rules)) cut += end;
  return cut;
}

const KERNEL: Readonly<Record<string, Parser>> = {
  // channels
  'markdown → Telegram': (text) => renderMarkdown(text, telegramHtml),
  'markdown → Discord': (text) => renderMarkdown(text, discordDialect),
  'markdown → Slack': (text) => renderMarkdown(text, slackDialect),
  'markdown → Slack, lists for tables': (text) => renderMarkdown(text, slackDialect, { tables: 'bullets' }),
  'Discord names': (text) => named(text, { message: {}, names: nobody }),
  'Discord mentions': (text) => withoutMentions(text, { users: ['1'], roles: [] }),
  'Discord words': (text) =>
    wordsOf({ embeds: [{ title: text, description: text, fields: [{ name: text, value: text }] }] }, nobody),
  'Discord link': parseMessageLink,
  'Discord target': discordTarget,
  'Slack target': slackTarget,
  'Telegram target': telegramTarget,
  'mail, From': readFrom,
  'mail, sender checks': (text) => proveSender('ann@example.org', [text], ['mx.example.org']),
  'mail, headers': (text) => messageIds(readHeaders(Buffer.from(text)).one('references')),
  'mail, HTML': htmlText,
  'mail, words': (text) => readWords(text, true),
  'Slack words': (text) => readText(text, nobody),
  'Slack typed': readTyped,
  'Slack mentions': (text) => [mentionsIn(text), mentionsTeam(text), channelsIn(text), withoutMention(text, 'U1')],
  // what a message says
  'commands and wishes': (text) => readSaid(commandRow(text), READ),
  'stop words': (text) => isStopWord(typed(text)),
  assignment: readAssignment,
  'model by name': (text) => pickModel(text, [{ provider: 'openai', id: 'gpt-4o', ref: 'openai/gpt-4o' } as never]),
  'mention by name': (text) =>
    mentionsAgent(typed(text), mentionPatterns({ own: undefined, general: undefined, name: 'Clawd', emoji: '🦞' })),
  'mention by pattern': (text) =>
    mentionsAgent(
      typed(text),
      mentionPatterns({ own: ['\\bclawd\\b', '^hey .*bot'], general: undefined, name: undefined, emoji: undefined }),
    ),
  'envelope and history': (text) =>
    withContext(
      text,
      {
        message: { ...message(text), sender: { id: '1', name: text }, quoted: { id: '1', text, sender: text } },
        history: [],
      },
      { label: 'X', showIds: true, elapsed: false },
    ),
  'history as people read it': bareText,
  'queued messages': (text) => [summaryLine(text), collectText([text, text], [text])],
  // links and files
  links: (text) => detectLinks(text, { limit: 10, explain: true }),
  'markup of links': (text) => [mayHoldLinks(text), hasMarkup(text), splitBareText(text.slice(0, WINDOW))],
  'summary of a link': (text) => inertSummary(text, { maxChars: 5000 }),
  'inert text': (text) => inertText(text, 100_000),
  'inert line': inertLine,
  neutral: (text) => [neutralise(text), neutraliseMedia(text), neutraliseFrames(text)],
  'external content': sanitiseExternal,
  visible: (text) => [visibleText(text), visibleLine(text)],
  'file name': (text) => [plainName(text, 1), mimeOfName(text), bareMime(text), extensionOf(text)],
  'file type': (text) => decideType({ mime: text } as never, { mime: text, name: text }),
  'bytes → text': (text) => [
    decodeBytes(Buffer.from(text), {}),
    decodeText(Buffer.from(text)),
    decodeOutput(Buffer.from(text)),
  ],
  picture: (text) => [
    pictureKind(Buffer.from(`\x89PNG\r\n\x1a\n${text}`)),
    pictureSize(Buffer.from(`\xff\xd8\xff${text}`, 'latin1')),
  ],
  'transcript of speech': spokenText,
  'last words of a program': lastLine,
  'JSON in a log': lastJsonObject,
  trimmed: (text) => trimText(text, 1000),
  template: (text) => fillTemplate(text, {} as never),
  'JSON → list': (text) => jsonToBullets(text, { maxChars: 10_000 }),
  host: (text) => [readHost(text), parseAddress(text)],
  // answers
  chunks: (text) => chunkText(text, { limit: 4000 }),
  'chunks by line': (text) => chunkText(text, { limit: 2000, maxLines: 17, mode: 'newline' }),
  directives: readDirectives,
  'directives so far': visiblePrefix,
  blocks: allBlocks,
  'rest of an answer': (text) => finalWithout(text.slice(0, text.length / 2), text),
  silence: (text) => [isSilent(text), maybeSilent(text)],
  'plain reply': plainReply,
  acknowledgement: (text) => [stripAck(text), isAck(text, 300)],
  'tool summary': (text) => toolSummary('bash', { command: text }),
  // time
  'time in words': splitTime,
  duration: (text) => durationMs(text),
  'job as a model writes it': (text) => readCronRequest({ schedule: text, message: text }),
  'context of a job': (text) => withCronContext(text, []),
  event: (text) => eventText(text, text),
  // commands
  'command line': (text) => (tooLong(text) === undefined ? readLine(text).outline() : undefined),
  'command text': (text) => [tooLong(text), textTrouble(text)],
  'masked command': maskedCommand,
  'name of a command': nameOf,
  'terminal output': (text) => cleaned(Buffer.from(text)),
  'window of output': (text) => [headTail(text, { head: 100, tail: 100 }), logWindow(text, { offset: -10 })],
  'path pattern': (text) => matchesPath('/usr/**/bin/*', text),
  'approvals file': (text) => readPolicy(text, '/x'),
  'keys of a terminal': (text) => encodeKeys(text.split(' ', 1000)),
  // tools
  patch: (text) => readPatch(`*** Begin Patch\n${text}\n*** End Patch`),
  'patch of an update': (text) =>
    readPatch(`*** Begin Patch\n*** Update File: a\n@@\n-${text.replaceAll('\n', '\n ')}\n+x\n*** End Patch`),
  'patched text': (text) => updateText(text, [hunkOf(['absent'])], 'a'),
  'patch of equal lines': (text) =>
    updateText(text, [hunkOf([...text.slice(text.length / 2).split('\n'), 'absent'])], 'a'),
  'patch with headings': (text) =>
    updateText(
      text,
      text.split('\n', 50_000).map((line) => ({ ...hunkOf([line]), headings: [line.trim(), line] })),
      'a',
    ),
  'lines of a file': splitLines,
  'edit that is not there': (text) => replaceOnce(text, `${text.slice(0, 50_000)}\u0001`, ''),
  'edit that differs in the middle': (text) =>
    replaceOnce(text, `${text.slice(0, 3000)}\u0001${text.slice(0, text.length / 2)}`, ''),
  'edit of a part': (text) => replaceOnce(text, text.slice(text.length / 3, text.length / 2), 'x'),
  'edit as a difference': (text) => hunk(text, { start: text.length / 2, end: text.length / 2 + 10, inserted: 'x' }),
  'nearest passage': (text) => closestRegion(text, text.slice(100)),
  'page of a file': (text) => pageOf(text, {}),
  'picture reference': readReference,
  typography: plainText,
  'front matter': (text) => readFrontMatter(`---\n${text}\n---\n${text}`),
  // the wire, the configuration, the log
  JSON5: parseJson5,
  'JSON5 edit': (text) => changeText(`{ a: ${JSON.stringify(text)}, b: 1 }`, { kind: 'set', path: ['b'], value: 2 }),
  'setting path': parsePath,
  'did you mean': (text) => nearest(text, ['telegram', 'discord', 'gateway.controlUi.allowedOrigins']),
  'old settings': (text) => migrate({ agent: { [text.slice(0, 1000)]: text } }, settingRules),
  'agent pattern': (text) => readAgentPattern(text)(text),
  'session key': (text) => [parseSessionKey(text), canonicalSessionKey(text, defaultKeyRules)],
  'model reference': (text) =>
    parseModelRef(text, { agents: { defaults: { models: {} } }, models: { providers: {} } } as never),
  'request target': splitTarget,
  'pairing files': (text) => [readPending(text), readAllowed(text)],
  'transcript line': parseLine,
  'secrets in a text': redactText,
  tokens: estimateTextTokens,
  // the model that comes along
  'offline notes': takeApart,
  'offline quotes': (text) => [quote(text), inert(text), unquoted(text)],
  'offline message': unwrap,
  'offline fields': fieldsOf,
  // the browser
  'markdown in the browser': renderInBrowser,
};

/** Features name theirs in a file of their own. */
async function ofFeatures(): Promise<Readonly<Record<string, Parser>>> {
  const root = join(import.meta.dirname, '../../../src/features');
  const files = (await readdir(root)).map((id) => join(root, id, 'fake-parsers.ts')).filter(existsSync);
  const found = (await Promise.all(files.map((path) => import(pathToFileURL(path).href)))) as {
    parsers: Record<string, Parser>;
  }[];
  return Object.assign({}, ...found.map(({ parsers }) => parsers)) as Record<string, Parser>;
}

export const PARSERS: Readonly<Record<string, Parser>> = { ...KERNEL, ...(await ofFeatures()) };
