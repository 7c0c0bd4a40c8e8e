/** Decompresses a gzip text file up to a limit, or lists the tar archive in it. */
import { once } from 'node:events';
import { createGunzip } from 'node:zlib';
import { present } from '../../core/present.ts';
import { readAtMost } from '../../platform/bounded-body.ts';
import { type Reading, type ReadQuestion, Unreadable } from '../document.ts';
import { sniff } from '../type/sniff.ts';
import { readText } from '../text/read-text.ts';
import { readTar } from './read-tar.ts';

const MAX_UNPACKED = 64 * 1024 * 1024;

export async function readGzip(question: ReadQuestion, mime: string): Promise<Reading> {
  const { bytes: unpacked, isPart } = await gunzip(question.bytes);
  const name = question.name?.replace(/\.tgz$/i, '.tar').replace(/\.gz$/i, '');
  const { kind, mime: inner } = await sniff(unpacked, { name });
  if (inner === 'application/x-tar')
    return { ...(await readTar({ bytes: unpacked }, mime)), ...present({ truncated: isPart ? true : undefined }) };
  if (isPart)
    throw new Unreadable('bomb', `It unpacks to more than ${MAX_UNPACKED / 1024 / 1024} MiB; it is not read.`);
  if (kind !== 'text')
    throw new Unreadable(
      'unsupported',
      `It is a compressed file of the type ${inner}; only compressed text and tar archives are read.`,
    );
  const { charset: _ofThePackedFile, ...rest } = question;
  return { ...(await readText({ ...rest, bytes: unpacked }, inner)), kind: 'gzip', mime };
}

async function gunzip(packed: Uint8Array): Promise<{ bytes: Uint8Array; isPart: boolean }> {
  const gunzipping = createGunzip();
  gunzipping.end(packed);
  const { bytes, whole } = await readAtMost(gunzipping as AsyncIterable<Buffer>, MAX_UNPACKED);
  if (!gunzipping.closed) await once(gunzipping.destroy(), 'close');
  return { bytes, isPart: !whole };
}
