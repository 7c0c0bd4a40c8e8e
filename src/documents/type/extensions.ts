/** Media types by file extension, for files whose bytes only show that they are text, and for unreadable containers. */
import { MEDIA_EXTENSIONS } from '../../core/media-type.ts';

const OFFICE = 'application/vnd.openxmlformats-officedocument.';

/** `plain` ones are source code and the like: no registered type is worth more than knowing it is text. */
const PLAIN =
  'txt text log ini cfg conf env toml properties ts tsx jsx mts cts vue svelte rs go java kt swift cs php pl ' +
  'lua r scala hs ml ex exs erl clj dart zig tex rst adoc srt ass diff patch gitignore dockerfile makefile ' +
  'cmake gradle';

export const EXTENSIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLAIN.split(' ').map((extension) => [extension, 'text/plain'])),
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  ndjson: 'application/x-ndjson',
  geojson: 'application/geo+json',
  ipynb: 'application/x-ipynb+json',
  xml: 'application/xml',
  xsd: 'application/xml',
  xsl: 'application/xml',
  svg: 'image/svg+xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  c: 'text/x-c',
  h: 'text/x-c',
  cpp: 'text/x-c++',
  hpp: 'text/x-c++',
  sh: 'application/x-sh',
  sql: 'application/sql',
  vtt: 'text/vtt',
  eml: 'message/rfc822',
  ics: 'text/calendar',
  vcf: 'text/vcard',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  msg: 'application/vnd.ms-outlook',
  docx: `${OFFICE}wordprocessingml.document`,
  xlsx: `${OFFICE}spreadsheetml.sheet`,
  pptx: `${OFFICE}presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  ...MEDIA_EXTENSIONS,
};
