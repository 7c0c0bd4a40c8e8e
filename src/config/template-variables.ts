/** The placeholders command lines of the configuration may use, and what a value looks like in their place. */

/** Facts of the message; documented in `docs/reference/template-variables.md`. */
export const MESSAGE_VARIABLES = [
  'Body',
  'RawBody',
  'CommandBody',
  'BodyForAgent',
  'BodyForCommands',
  'BodyStripped',
  'From',
  'To',
  'MessageSid',
  'MessageSidFull',
  'SessionId',
  'SessionKey',
  'IsNewSession',
  'AccountId',
  'ChatType',
  'GroupSubject',
  'GroupMembers',
  'GroupChannel',
  'GroupSpace',
  'SenderId',
  'SenderName',
  'SenderUsername',
  'SenderE164',
  'Provider',
  'Surface',
  'OriginatingChannel',
  'OriginatingTo',
  'MessageThreadId',
  'Timestamp',
  'WasMentioned',
  'ConversationLabel',
  'ReplyToId',
  'ReplyToBody',
  'ReplyToSender',
  'ReplyToIsQuote',
  'Transcript',
  'ForwardedFrom',
  'ForwardedDate',
  'ThreadStarterBody',
  'ThreadLabel',
  'LocationLat',
  'LocationLon',
  'LocationAccuracy',
  'LocationName',
  'LocationAddress',
  'MediaPath',
  'MediaUrl',
  'MediaType',
  'MediaPaths',
  'MediaUrls',
  'MediaTypes',
  'AgentId',
] as const;

export const LINK_VARIABLES = ['LinkUrl'] as const;

/** For commands that process one attachment. */
export const MEDIA_VARIABLES = [
  'MediaDir',
  'OutputDir',
  'OutputBase',
  'Prompt',
  'MaxChars',
  'Language',
  'AttachmentPath',
  'AttachmentUrl',
  'AttachmentContentType',
  'AttachmentDir',
  'AttachmentIndex',
] as const;

/** Names of the placeholders of `text`, in order. */
export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map((match) => match[1]!);

/** Unknown placeholders in `text`, reported when the configuration is read. */
export function unknownVariables(text: string, known: readonly string[]): readonly string[] {
  return [...new Set(variablesIn(text))].filter((name) => !known.includes(name));
}

/** Strings as they are, numbers and truth values in words, lists joined by commas; what has no plain text is empty. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value))
    return value
      .filter((item) => ['string', 'number', 'boolean'].includes(typeof item))
      .map(String)
      .join(',');
  return '';
}
