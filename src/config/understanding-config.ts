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
    keyPrefix: z.string().optional().describe('Beginning of the session key.'),
  })
  .prefault({});
const decision = z.enum(['allow', 'deny']);

export const scopeSchema = z.object({
  default: decision.default('allow').describe('What holds when no rule matches.'),
  rules: z
    .array(
      z.object({
        action: decision.describe('What the rule says.'),
        match: scopeMatch.describe('Where it applies; all fields given have to hold.'),
      }),
    )
    .default([])
    .describe('First match wins.'),
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
  command: command.describe('Program to run: a name on PATH or a path. `link-understand` comes along.'),
  args: argsWith([...MESSAGE_VARIABLES, ...LINK_VARIABLES], 'LinkUrl')
    .default([])
    .describe('Its arguments; template variables are filled in, `{{LinkUrl}}` is the link.'),
  timeoutSeconds: seconds.optional().describe('Seconds it may take. Absent: `timeoutSeconds` of the links.'),
  passEnv: passEnv.describe('Environment variables it gets although they look like secrets.'),
});

const linkSettings = {
  enabled: z.boolean().optional().describe('False turns links off. Absent: on when there are `models`.'),
  maxLinks: z.number().int().positive().optional().describe('Links read per message, in order; 3 by default.'),
  timeoutSeconds: seconds.optional().describe('Seconds a command may take; 30 by default.'),
  budgetSeconds: seconds.optional().describe('Seconds all links of a message may take together; 60 by default.'),
  concurrency: z
    .number()
    .int()
    .positive()
    .max(16)
    .optional()
    .describe('Links read at the same time; 1 by default. Results keep the order of the message.'),
  maxChars: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Characters of each result that reach the agent; 20000 by default.'),
  wrap: z.boolean().optional().describe('Put each result between external-content marks; off by default.'),
  egressProxy: z.boolean().optional().describe('Check every connection a command makes; on by default.'),
  cacheSeconds: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Seconds a result is used again for the same link, command and arguments; 0, the default, is never.'),
  scope: scopeSchema.optional().describe('Where links are read. Absent: everywhere.'),
  models: z.array(linkEntry).optional().describe('Commands, tried in order until one prints something.'),
};

/** Root settings; an agent's own replace them key by key. */
export const linksSchema = z.object(linkSettings);

const options = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])));
const capability = z.enum(MEDIA_CAPABILITIES);

const shared = {
  prompt: z
    .string()
    .optional()
    .describe('What the model is asked. Absent: a plain request to describe; recordings are sent without one.'),
  maxChars: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Characters of the result that reach the agent; 500 for pictures and films, 200000 for recordings.'),
  maxBytes: bytes
    .optional()
    .describe('Bytes a file may have: 10 MiB for pictures, 20 for recordings, 50 for films by default.'),
  timeoutSeconds: seconds.optional().describe('Seconds one attempt may take: 60, for films 120, by default.'),
  language: z.string().optional().describe('Language of recordings, e.g. `de`.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("Address of the API in place of the vendor's."),
  headers: z.record(z.string(), z.string()).optional().describe('Sent with every request. Secret.'),
  providerOptions: options.optional().describe('Further query parameters by provider.'),
};

const mediaEntry = z
  .object({
    type: z.enum(['provider', 'cli']).optional().describe('Absent: `cli` when there is a command.'),
    provider: z.string().optional().describe('A model vendor.'),
    model: z.string().optional().describe("Its model. Absent: the vendor's default for the task."),
    capabilities: z
      .array(capability)
      .optional()
      .describe('What the entry is for; in the shared list a command has to say.'),
    command: command.optional().describe('Program to run.'),
    args: argsWith([...MESSAGE_VARIABLES, ...MEDIA_VARIABLES], 'MediaPath')
      .default([])
      .describe('Its arguments; `{{MediaPath}}` is the file.'),
    passEnv: passEnv.describe('Environment variables it gets although they look like secrets.'),
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
    enabled: z.boolean().optional().describe('False turns it off. Absent: on, with what is found.'),
    scope: scopeSchema.optional().describe('Where it happens. Absent: everywhere.'),
    attachments: z
      .object({
        mode: z
          .enum(['first', 'all'])
          .optional()
          .describe(
            '`first`: one file of the kind; `all`: up to `maxAttachments`. Absent: `first`, and up to ten of an album.',
          ),
        maxAttachments: z.number().int().positive().default(1).describe('Files of the kind looked at in mode `all`.'),
        prefer: z.enum(['first', 'last', 'path', 'url']).optional().describe('Which come first.'),
      })
      .prefault({})
      .describe('Which attachments are looked at.'),
    models: z.array(mediaEntry).default([]).describe('Tried in order, before the shared ones, until one gives text.'),
    preferredModel: z
      .string()
      .optional()
      .describe('`provider/model`, a model, `provider:<id>` or `cli:<command>` to try first.'),
    echoTranscript: z.boolean().default(false).describe('Tell the person what was understood of a recording.'),
    echoFormat: z.string().default('📝 "{transcript}"').describe('How it is told.'),
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
      .describe('Of pictures, recordings and films, how many kinds are worked on at the same time.'),
    models: z.array(mediaEntry).default([]).describe('Models for all kinds.'),
    prefer: z
      .enum(['local', 'cloud'])
      .default('local')
      .describe('Without configured models: programs on this machine first, or vendors first.'),
    image: capabilityBlock.describe('Descriptions of pictures.'),
    audio: capabilityBlock.describe('Transcripts of recordings.'),
    video: capabilityBlock.describe('Descriptions of films.'),
    files: z
      .object({
        enabled: z.boolean().default(true).describe('Read the text of documents.'),
        maxBytes: bytes.default(20 * 1024 * 1024).describe('Bytes a document may have.'),
        maxChars: z
          .number()
          .int()
          .positive()
          .default(60_000)
          .describe('Characters of one document that reach the agent.'),
        maxTotalChars: z
          .number()
          .int()
          .positive()
          .default(120_000)
          .describe('Characters of all documents of a message together.'),
        maxFiles: z.number().int().positive().default(10).describe('Documents of one message that are read.'),
        timeoutSeconds: seconds.default(30).describe('Seconds one document may take.'),
        pdf: z
          .object({
            maxPages: z.number().int().positive().default(20).describe('Pages that are read.'),
            maxPixels: z.number().int().positive().default(4_000_000).describe('Pixels of a page shown as a picture.'),
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
      .describe('Text of documents: PDF, Word, tables, mail, archives, source code.'),
  })
  .prefault({});

export type ScopeConfig = z.output<typeof scopeSchema>;
export type LinksConfig = z.output<typeof linksSchema>;
export type LinkEntry = z.output<typeof linkEntry>;
export type MediaConfig = z.output<typeof mediaSchema>;
export type MediaBlock = MediaConfig['image'];
export type MediaEntry = z.output<typeof mediaEntry>;
