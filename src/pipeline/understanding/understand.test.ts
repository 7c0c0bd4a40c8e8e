/** The order of the steps, what each is handed, and that no step's trouble reaches the reply. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mediaSchema } from '../../config/understanding-config.ts';
import { AppError } from '../../core/errors.ts';
import { silentLog, type Log, type LogFields } from '../../core/log.ts';
import type { Attachment } from '../../core/message.ts';
import type { Note } from '../../core/understanding.ts';
import { accepted } from '../../testing/sample-inbound.ts';
import type { AttachmentFile } from './attachments.ts';
import { createModelPictures } from './pictures/model-pictures.ts';
import { understand, type UnderstandDeps, type UnderstandRequest } from './understand.ts';

const audio: Attachment = { kind: 'audio', mime: 'audio/ogg', name: 'v.ogg', path: '/m/v' };
const said: Note = { kind: 'audio', attachment: 0, text: 'open https://a.example', provider: 'p', model: 'm' };
const page: Note & { kind: 'link' } = { kind: 'link', url: 'https://a.example', source: 'cat', text: 'a page' };

interface Sent {
  readonly text?: string;
  readonly attachments?: readonly Attachment[];
  readonly signal?: AbortSignal;
  readonly log?: Log;
}

function harness(
  over: Partial<UnderstandDeps> = {},
  { text = '', attachments = [audio], signal = new AbortController().signal, log = silentLog }: Sent = {},
) {
  const order: string[] = [];
  const { message, route } = accepted({ text, attachments });
  const deps: UnderstandDeps = {
    open: async (given) => ({
      files: given.map(
        (one, index): AttachmentFile => ({
          index,
          kind: one.kind,
          mime: one.mime,
          name: one.name ?? 'f',
          size: 1,
          trouble: undefined,
          path: async () => one.path!,
          bytes: async () => Buffer.from('x'),
        }),
      ),
      resolved: () => given,
      [Symbol.asyncDispose]: async () => void order.push('closed'),
    }),
    media: {
      run: async () => {
        order.push('media');
        return { notes: [said], decisions: [], claimed: new Set([0]) };
      },
      transcribe: async () => undefined,
      describe: async () => ({ attempts: [] }),
      pageReader: async () => undefined,
    },
    files: {
      run: async (_context, claimed) => {
        order.push(`files without ${[...claimed].join()}`);
        return { notes: [], decision: { capability: 'file', outcome: 'no-attachment', attachments: [] } };
      },
    },
    links: {
      wanted: (words) => words.includes('://'),
      run: async (context, words) => {
        order.push(`links in ${words}, transcript ${String(context.template['Transcript'])}`);
        return { notes: [page], decision: { outcome: 'success', urls: [] } };
      },
    },
    modelPictures: (stop) => createModelPictures({ signal: stop }),
    seesImages: async () => false,
    keep: async () => {
      throw new Error('nothing to keep');
    },
    ...over,
  };
  const request: UnderstandRequest = {
    runId: 'r',
    message,
    route,
    session: {},
    config: { media: mediaSchema.parse(undefined), links: undefined },
    log,
    signal,
    progress: () => undefined,
  };
  return { order, result: () => understand(request, deps) };
}

it('media, then documents, then links; a link in a voice note is one in the message (T50)', async () => {
  const { order, result } = harness();
  const { notes } = await result();
  assert.deepEqual(order, [
    'media',
    'files without 0',
    'links in open https://a.example, transcript open https://a.example',
    'closed',
  ]);
  assert.deepEqual(notes, [said, page]);
});

it('a caption is looked at in place of the transcript, and a message without files opens none', async () => {
  assert.ok(
    (await captured(harness({}, { text: 'see https://b.example' }))).includes(
      'links in see https://b.example, transcript open https://a.example',
    ),
  );
  assert.deepEqual(await captured(harness({}, { text: 'see https://b.example', attachments: [] })), [
    'links in see https://b.example, transcript undefined',
    'closed',
  ]);
});

async function captured({ order, result }: ReturnType<typeof harness>): Promise<string[]> {
  await result();
  return order;
}

it('a step that breaks leaves its notes out and the others in', async () => {
  const broken = () => Promise.reject(new TypeError('oops'));
  const without = await harness(
    {
      media: {
        run: broken,
        transcribe: broken,
        describe: async () => ({ attempts: [] }),
        pageReader: async () => undefined,
      },
    },
    { text: 'see https://b.example' },
  ).result();
  assert.deepEqual(without.notes, [page]);
  const nothing = await harness({ files: { run: broken }, links: { wanted: () => true, run: broken } }).result();
  assert.deepEqual([nothing.notes, nothing.links], [[said], { outcome: 'skipped', urls: [] }]);
});

it('a stop is passed on, and the files are closed', async () => {
  const stop = new AbortController();
  const { order, result } = harness(
    {
      media: {
        run: async () => {
          stop.abort();
          throw new AppError('aborted', 'stopped');
        },
        transcribe: async () => undefined,
        describe: async () => ({ attempts: [] }),
        pageReader: async () => undefined,
      },
    },
    { signal: stop.signal },
  );
  await assert.rejects(result(), { code: 'aborted' });
  assert.deepEqual(order, ['closed']);
});

it('the log tells the decisions by their documented names, without what may be secret in an address (T53)', async () => {
  const logged: LogFields[] = [];
  const log: Log = {
    ...silentLog,
    debug: (event, fields) => void (event === 'understanding.decisions' && logged.push(fields!)),
  };
  const chosen = { type: 'cli', command: 'cat', outcome: 'success' } as const;
  const links: Partial<UnderstandDeps> = {
    links: {
      wanted: () => true,
      run: async () => ({
        notes: [page],
        decision: { outcome: 'success', urls: [{ url: 'https://a.example/?key=s3cret', attempts: [chosen], chosen }] },
      }),
    },
  };
  await harness(links, { text: 'https://a.example/?key=s3cret', log }).result();
  assert.deepEqual(logged, [
    {
      runId: 'r',
      LinkUnderstandingDecisions: [
        { outcome: 'success', urls: [{ url: 'https://a.example/?key=…', attempts: [chosen], chosen }] },
      ],
      MediaUnderstandingDecisions: [{ capability: 'file', outcome: 'no-attachment', attachments: [] }],
    },
  ]);
});
