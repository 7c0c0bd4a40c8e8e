/** `tools.links` and `tools.media`: what understands links, pictures, recordings, films and files, and when. */
import { z } from 'zod';
import { MEDIA_CAPABILITIES } from '../core/understanding.ts';
import { nearest } from './suggest.ts';
import { LINK_VARIABLES, MEDIA_VARIABLES, MESSAGE_VARIABLES, unknownVariables } from './template-variables.ts';

const seconds = z.number().int().positive();
const bytes = z.number().int().positive();

/** Where a rule applies; all fields given have to hold. */
const scopeMatch = z
  .object({
    channel: z.string().optional().describe('Channel id, e.g. `telegram`.'),
    chatType: z
      .enum(['direct', 'dm', 'group', 'channel'])
      .optional()
      .describe('`direct`, `group` or `channel`; `dm` means direct.'),
    keyPrefix: z.string().optional().describe('Prefix of the session key.'),
  })
  .prefault({});
const decision = z.enum(['allow', 'deny']);

export const scopeSchema = z.object({
  default: decision.default('allow').describe('Action if no rule matches.'),
  rules: z
    .array(
      z.object({
        action: decision.describe('Action of the rule.'),
        match: scopeMatch.describe('Conditions; all given fields must match.'),
      }),
    )
    .default([])
    .describe('Rules; the first match applies.'),
});

/** Arguments whose placeholders all have a meaning; `subject` is what old files called `{input}`. */
const argsWith = (known: readonly string[], subject: string) =>
  z.array(
    z.string().check((context) => {
      if (context.value.includes('{input}'))
        context.issues.push({
          code: 'custom',
          input: context.value,
          message: `{input} is an old placeholder, which nothing fills in; write {{${subject}}}`,
        });
      for (const name of unknownVariables(context.value, known)) {
        const near = nearest(name, known);
        context.issues.push({
          code: 'custom',
          input: context.value,
          message:
            `{{${name}}} is no template ` +
            `variable${near ? `; did you mean {{${near}}}?` : '; docs/reference/template-variables.md lists them'}`,
        });
      }
    }),
  );

const command = z.string().trim().min(1);
const passEnv = z.array(z.string().min(1)).default([]);

const linkEntry = z.object({
  type: z.literal('cli').default('cli').describe('Only commands.'),
  command: command.describe('Program to run: a name on PATH or a path. `link-understand` is bundled.'),
  args: argsWith([...MESSAGE_VARIABLES, ...LINK_VARIABLES], 'LinkUrl')
    .default([])
    .describe('Arguments, with template variables; `{{LinkUrl}}` is the link.'),
  timeoutSeconds: seconds.optional().describe('Timeout in seconds. Absent: `timeoutSeconds` of the links.'),
  passEnv: passEnv.describe('Environment variables to pass even though they look like secrets.'),
});

const linkSettings = {
  enabled: z.boolean().optional().describe('False: do not read links. Absent: on if `models` is not empty.'),
  maxLinks: z.number().int().positive().optional().describe('Maximum number of links to read per message. Default: 3.'),
  timeoutSeconds: seconds.optional().describe('Timeout of a command in seconds. Default: 30.'),
  budgetSeconds: seconds.optional().describe('Timeout for all links of a message together, in seconds. Default: 60.'),
  concurrency: z
    .number()
    .int()
    .positive()
    .max(16)
    .optional()
    .describe('Number of links read in parallel; results keep the order of the message. Default: 1.'),
  maxChars: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Maximum number of characters of each result. Default: 20000.'),
  wrap: z.boolean().optional().describe('Wrap each result in external-content markers. Default: off.'),
  egressProxy: z.boolean().optional().describe('Check every connection a command makes. Default: on.'),
  cacheSeconds: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Seconds for which a result is reused for the same link, command and arguments. Default: 0 (never).'),
  scope: scopeSchema.optional().describe('Where links are read. Absent: everywhere.'),
  models: z.array(linkEntry).optional().describe('Commands, tried in order until one prints output.'),
};

/** Root settings; an agent's own replace them key by key. */
export const linksSchema = z.object(linkSettings);

const options = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));
const capability = z.enum(MEDIA_CAPABILITIES);

const shared = {
  prompt: z
    .string()
    .optional()
    .describe('Prompt for the model. Absent: a request to describe the file; audio is sent without a prompt.'),
  maxChars: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Maximum number of characters of the result. Default: 500 for images and video, 200000 for audio.'),
  maxBytes: bytes
    .optional()
    .describe('Maximum file size in bytes. Default: 10 MiB for images, 20 MiB for audio, 50 MiB for video.'),
  timeoutSeconds: seconds.optional().describe('Timeout of one attempt in seconds. Default: 60, for video 120.'),
  language: z.string().optional().describe('Language of the audio, e.g. `de`.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Base URL of the API; replaces that of the provider.'),
  headers: z.record(z.string(), z.string()).optional().describe('Sent with every request. Secret.'),
  providerOptions: options.optional().describe('Additional query parameters by provider.'),
};

const mediaEntry = z
  .object({
    type: z.enum(['provider', 'cli']).optional().describe('Absent: `cli` if `command` is set, else `provider`.'),
    provider: z.string().optional().describe('Provider id.'),
    model: z.string().optional().describe('Model id. Absent: the default of the provider for the task.'),
    capabilities: z
      .array(capability)
      .optional()
      .describe('What the entry is used for; required for commands in the shared list.'),
    command: command.optional().describe('Program to run.'),
    args: argsWith([...MESSAGE_VARIABLES, ...MEDIA_VARIABLES], 'MediaPath')
      .default([])
      .describe('Arguments; `{{MediaPath}}` is the file.'),
    passEnv: passEnv.describe('Environment variables to pass even though they look like secrets.'),
    profile: z.string().optional().describe('Accepted; no part of this version reads it.'),
    preferredProfile: z.string().optional().describe('Accepted; no part of this version reads it.'),
    ...shared,
  })
  .check((context) => {
    const entry = context.value;
    const isCli = (entry.type ?? (entry.command ? 'cli' : 'provider')) === 'cli';
    if (isCli && !entry.command)
      context.issues.push({
        code: 'custom',
        path: ['command'],
        input: entry,
        message: 'a `cli` entry needs a command',
      });
    if (isCli && entry.command && entry.args.length === 0)
      context.issues.push({
        code: 'custom',
        path: ['args'],
        input: entry,
        message: 'the command is never told the file; add `{{MediaPath}}`',
      });
    if (!isCli && !entry.provider)
      context.issues.push({
        code: 'custom',
        path: ['provider'],
        input: entry,
        message: 'name a provider, or a command',
      });
  });

const capabilityBlock = z
  .object({
    enabled: z.boolean().optional().describe('False: off. Absent: on, with the models and tools found.'),
    scope: scopeSchema.optional().describe('Where it is used. Absent: everywhere.'),
    attachments: z
      .object({
        mode: z
          .enum(['first', 'all'])
          .optional()
          .describe(
            '`first`: one file of the kind; `all`: up to `maxAttachments`. Absent: `first`, and up to ten of an album.',
          ),
        maxAttachments: z
          .number()
          .int()
          .positive()
          .default(1)
          .describe('Maximum number of files of the kind in mode `all`.'),
        prefer: z.enum(['first', 'last', 'path', 'url']).optional().describe('Which attachments come first.'),
      })
      .prefault({})
      .describe('Which attachments are read.'),
    models: z
      .array(mediaEntry)
      .default([])
      .describe('Models, tried in order before the shared ones, until one returns text.'),
    preferredModel: z
      .string()
      .optional()
      .describe('`provider/model`, a model, `provider:<id>` or `cli:<command>` to try first.'),
    echoTranscript: z.boolean().default(false).describe('Send the transcript of a recording to the chat.'),
    echoFormat: z.string().default('📝 "{transcript}"').describe('Format of that message.'),
    ...shared,
  })
  .prefault({});

export const mediaSchema = z
  .object({
    concurrency: z
      .number()
      .int()
      .positive()
      .default(2)
      .describe('How many of the kinds image, audio and video are processed at the same time.'),
    models: z.array(mediaEntry).default([]).describe('Models for images, audio and video.'),
    prefer: z
      .enum(['local', 'cloud'])
      .default('local')
      .describe('If no models are configured, try programs on this machine first, or providers first.'),
    image: capabilityBlock.describe('Image descriptions.'),
    audio: capabilityBlock.describe('Audio transcripts.'),
    video: capabilityBlock.describe('Video descriptions.'),
    files: z
      .object({
        enabled: z.boolean().default(true).describe('Read documents.'),
        maxBytes: bytes.default(20 * 1024 * 1024).describe('Maximum size of a document in bytes.'),
        maxChars: z.number().int().positive().default(60_000).describe('Maximum number of characters of one document.'),
        maxTotalChars: z
          .number()
          .int()
          .positive()
          .default(120_000)
          .describe('Maximum number of characters of all documents of a message.'),
        maxFiles: z.number().int().positive().default(10).describe('Maximum number of documents per message.'),
        timeoutSeconds: seconds.default(30).describe('Timeout of one document in seconds.'),
        pdf: z
          .object({
            maxPages: z.number().int().positive().default(20).describe('Maximum number of pages.'),
            maxPixels: z
              .number()
              .int()
              .positive()
              .default(4_000_000)
              .describe('Maximum number of pixels of a page rendered as an image.'),
            minTextChars: z
              .number()
              .int()
              .min(0)
              .default(200)
              .describe(
                'With less text than this, pages are shown as pictures too, to a chat model that sees; for ' +
                  'any other, a document with hardly any text is read like a picture.',
              ),
          })
          .prefault({})
          .describe('PDF.'),
      })
      .prefault({})
      .describe('Text extraction from documents: PDF, Word, tables, mail, archives, source code.'),
  })
  .prefault({});

export type ScopeConfig = z.output<typeof scopeSchema>;
export type LinksConfig = z.output<typeof linksSchema>;
export type LinkEntry = z.output<typeof linkEntry>;
export type MediaConfig = z.output<typeof mediaSchema>;
export type MediaBlock = MediaConfig['image'];
export type MediaEntry = z.output<typeof mediaEntry>;
