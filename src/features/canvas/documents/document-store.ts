/**
 * Documents on disk: `<state>/canvas/documents/<id>/` with `manifest.json`, `index.html` and assets; earlier versions
 * are in `versions/<id>/<n>`. A reader sees one complete version.
 */
import { parseJson } from '../../../core/parse-json.ts';
import { dirname, join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import {
  ensureDir,
  listDir,
  moveFile,
  readTextIfExists,
  removeIfExists,
  syncDir,
  writeFileAtomic,
} from '../../../platform/files.ts';
import { randomId } from '../../../platform/ids.ts';
import { createKeyedQueue } from '../../../platform/keyed-queue.ts';
import type { Clock } from '../../../platform/clock.ts';
import { isDocumentId, manifestSchema, type Manifest } from './manifest.ts';

/** A file of a document; `path` as `assetPath` answers it. */
export interface DocumentFile {
  readonly path: string;
  readonly data: Uint8Array;
  readonly mime: string;
}

/** A document to be kept. */
export interface NewDocument
  extends Pick<
    Manifest,
    'kind' | 'title' | 'preferredHeight' | 'cspSandbox' | 'externalUrl' | 'retentionScope' | 'agentId'
  > {
  /** Absent: one is made. One that is known is replaced. */
  readonly id?: string | undefined;
  /** The page that is opened. */
  readonly html: string;
  readonly files: readonly DocumentFile[];
}

export interface DocumentStoreDeps {
  /** `<state>/canvas`. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  limits(): { readonly maxPerSession: number; readonly maxMegabytes: number; readonly versions: number };
}

export type DocumentStore = ReturnType<typeof createDocumentStore>;

const MEGABYTE = 1_000_000;

export function createDocumentStore(deps: DocumentStoreDeps) {
  const place = placesIn(deps.folder);
  const queue = createKeyedQueue();
  const read = (folder: string) => readManifest(folder, deps.log);
  const get = async (id: string): Promise<Manifest | undefined> =>
    isDocumentId(id) ? read(place.current(id)) : undefined;

  async function all(): Promise<readonly Manifest[]> {
    const names = (await listDir(place.documents)).filter(
      ({ kind, name }) => kind === 'directory' && isDocumentId(name),
    );
    const found = await Promise.all(names.map(({ name }) => read(place.current(name))));
    return found.filter((one) => one !== undefined).sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  }

  const remove = (id: string): Promise<boolean> =>
    queue.run(id, async () => {
      const known = await get(id);
      await Promise.all([removeIfExists(place.current(id)), removeIfExists(place.versionsOf(id))]);
      return known !== undefined;
    });

  async function prune(scope: string, keep: string): Promise<void> {
    const own = (await all()).filter(({ retentionScope, id }) => retentionScope === scope && id !== keep);
    for (const { id } of own.slice(Math.max(0, deps.limits().maxPerSession - 1))) {
      await remove(id);
      deps.log.info('canvas.document.pruned', { id, scope });
    }
  }

  return {
    folder: place.documents,
    get,
    /** Newest first. */
    all,
    /** False: there was none. */
    remove: async (id: string): Promise<boolean> => isDocumentId(id) && remove(id),
    /** Numbers of the earlier versions that are kept, oldest first. */
    versions: async (id: string): Promise<readonly number[]> => (isDocumentId(id) ? place.numbers(id) : []),

    /** Keeps it as a new document, or in place of the one it names. Rejects with `too_large`, `storage`. */
    async put(document: NewDocument): Promise<Manifest> {
      const id = document.id ?? `cv_${randomId()}`;
      if (!isDocumentId(id))
        throw new AppError('invalid', 'A document id has letters, digits, dots, dashes and underscores, 128 at most.');
      const kept = await queue.run(id, async () => {
        const before = await get(id);
        const manifest = manifestOf({ ...document, id }, (before?.version ?? 0) + 1, deps);
        await write(place.staged(id), manifest, document);
        await replace(id, before, { place, versions: deps.limits().versions });
        return manifest;
      });
      await prune(kept.retentionScope, id);
      return kept;
    },

    /** An earlier version, kept again as the newest. Undefined: it is not kept. */
    restore: (id: string, version: number): Promise<Manifest | undefined> =>
      queue.run(id, async () => {
        const [before, earlier] = [await get(id), await read(place.version(id, version))];
        if (!before || !earlier) return undefined;
        const manifest = {
          ...earlier,
          version: before.version + 1,
          createdAt: new Date(deps.clock.now()).toISOString(),
        };
        await removeIfExists(place.staged(id));
        await ensureDir(dirname(place.staged(id)));
        await moveFile(place.version(id, version), place.staged(id));
        await writeFileAtomic(join(place.staged(id), MANIFEST), JSON.stringify(manifest, null, 2));
        await replace(id, before, { place, versions: deps.limits().versions });
        return manifest;
      }),

    /** What a crash left between two versions is taken up; half of a document is removed. */
    recover: () => recover({ place, get, read }),
  };
}

interface Recovering {
  readonly place: Places;
  get(id: string): Promise<Manifest | undefined>;
  read(folder: string): Promise<Manifest | undefined>;
}

async function recover({ place, get, read }: Recovering): Promise<void> {
  for (const { name } of await listDir(place.staging)) {
    const whole = isDocumentId(name) && !(await get(name)) && (await read(place.staged(name)));
    if (!whole) await removeIfExists(join(place.staging, name));
    else {
      await removeIfExists(place.current(name));
      await ensureDir(place.documents);
      await moveFile(place.staged(name), place.current(name));
    }
  }
}

const MANIFEST = 'manifest.json';

function placesIn(folder: string) {
  const documents = join(folder, 'documents');
  const staging = join(folder, 'staging');
  const versionsOf = (id: string): string => join(folder, 'versions', id);
  return {
    documents,
    staging,
    versionsOf,
    current: (id: string): string => join(documents, id),
    staged: (id: string): string => join(staging, id),
    version: (id: string, number: number): string => join(versionsOf(id), String(number)),
    numbers: async (id: string): Promise<readonly number[]> =>
      (await listDir(versionsOf(id)))
        .flatMap(({ name }) => (/^\d{1,9}$/.test(name) ? [Number(name)] : []))
        .sort((a, b) => a - b),
  };
}

type Places = ReturnType<typeof placesIn>;

/** Undefined: there is none, or it cannot be read; the log says which. */
async function readManifest(folder: string, log: Log): Promise<Manifest | undefined> {
  const text = await readTextIfExists(join(folder, MANIFEST));
  if (text === undefined) return undefined;
  const read = manifestSchema.safeParse(parseJson(text));
  if (!read.success) log.warn('canvas.document.damaged', { folder });
  return read.data;
}

function manifestOf(
  { html, files, ...document }: NewDocument & { readonly id: string },
  version: number,
  { clock, limits }: Pick<DocumentStoreDeps, 'clock' | 'limits'>,
): Manifest {
  const bytes = Buffer.byteLength(html) + files.reduce((sum, { data }) => sum + data.length, 0);
  const { maxMegabytes } = limits();
  if (bytes > maxMegabytes * MEGABYTE)
    throw new AppError(
      'too_large',
      `The document has ${Math.ceil(bytes / MEGABYTE)} MB; the limit is ${maxMegabytes} MB ` +
        '(canvasHost.documents.maxMegabytes).',
    );
  const { id } = document;
  return present({
    ...document,
    surface: 'assistant_message',
    createdAt: new Date(clock.now()).toISOString(),
    entryUrl: `/__openclaw__/canvas/documents/${id}/index.html`,
    localEntrypoint: 'index.html',
    assets: files.map(({ path, data, mime }) => ({ logicalPath: path, contentType: mime, bytes: data.length })),
    version,
    bytes,
  }) as Manifest;
}

/** The manifest comes last: what has one is whole. */
async function write(folder: string, manifest: Manifest, { html, files }: NewDocument): Promise<void> {
  await removeIfExists(folder);
  for (const { path, data } of files) await writeFileAtomic(join(folder, path), data);
  await writeFileAtomic(join(folder, 'index.html'), html);
  await writeFileAtomic(join(folder, MANIFEST), JSON.stringify(manifest, null, 2));
}

/** What is staged becomes the document; what it was becomes an earlier version, and the oldest of those go. */
async function replace(
  id: string,
  before: Manifest | undefined,
  { place, versions }: { readonly place: Places; readonly versions: number },
): Promise<void> {
  await ensureDir(place.documents);
  if (before && versions > 0) {
    await ensureDir(place.versionsOf(id));
    await removeIfExists(place.version(id, before.version));
    await moveFile(place.current(id), place.version(id, before.version));
  } else await removeIfExists(place.current(id));
  await moveFile(place.staged(id), place.current(id));
  await syncDir(place.documents);
  const numbers = await place.numbers(id);
  for (const number of numbers.slice(0, Math.max(0, numbers.length - versions)))
    await removeIfExists(place.version(id, number));
}
