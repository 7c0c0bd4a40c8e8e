/** Web pages of many kinds, written for this test: how much of the relevant text is read, and how much of the rest. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLog } from '../../src/core/log.ts';
import { createDocumentReader } from '../../src/documents/document-reader.ts';
import { fakeSite, page } from '../../src/link-understand/fake.ts';
import { readLink } from '../../src/link-understand/read-link.ts';
import { print } from '../../src/link-understand/understood-link.ts';
import { createGuardedFetch } from '../../src/platform/net/fetch/guarded-fetch.ts';
import { createNetGuard } from '../../src/platform/net/guard/guard.ts';
import { readCorpus, scoreOf } from './page-corpus.ts';

const reader = createDocumentReader({ log: silentLog });
after(() => reader.close());
const fetch = createGuardedFetch({
  guard: createNetGuard({ rules: () => ({ allowHosts: [], allowRanges: ['127.0.0.0/8'] }) }),
  userAgent: 'corpus',
});
const signal = new AbortController().signal;

/** As the command does it, only that one worker reads all pages. */
async function outputOf(url: URL): Promise<string> {
  const options = { url, format: 'markdown', maxChars: 20_000, timeoutMs: 120_000 } as const;
  return print(
    await readLink(options, { fetch, reader, cache: undefined, left: () => 20_000, signal, warn: () => undefined }),
    'markdown',
  );
}

const percent = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 10;

test('pages of every kind: facts are kept, noise is not', async (t) => {
  const corpus = readCorpus();
  await using site = await fakeSite(
    Object.fromEntries(corpus.map(({ name, body, type }) => [`/${name}`, page(body, type)])),
  );
  const sum = { facts: 0, lost: 0, noises: 0, noise: 0 };
  const wrong: string[] = [];
  for (const one of corpus.filter(({ failure }) => !failure)) {
    const { facts, lost, noises, noise } = scoreOf(
      one,
      (await outputOf(new URL(`${site.origin}/${one.name}`))).replaceAll(site.origin, 'ORIGIN'),
    );
    Object.assign(sum, {
      facts: sum.facts + facts,
      lost: sum.lost + lost.length,
      noises: sum.noises + noises,
      noise: sum.noise + noise.length,
    });
    wrong.push(
      ...lost.map((text) => `${one.name} lost: ${JSON.stringify(text)}`),
      ...noise.map((text) => `${one.name} noise: ${text}`),
    );
  }
  for (const line of wrong) t.diagnostic(line);
  const [kept, noise] = [percent(sum.facts - sum.lost, sum.facts), percent(sum.noise, sum.noises)];
  t.diagnostic(
    `link-understand: ${corpus.length} pages, ${sum.facts - sum.lost}/${sum.facts} facts kept (${kept} %), ${sum.noise}/${sum.noises} pieces of noise (${noise} %)`,
  );
  assert.ok(
    corpus.length >= 60 && sum.facts >= 400 && sum.noises >= 150,
    'the corpus is as large as it is meant to be',
  );
  assert.ok(kept >= 97, `${kept} % of the facts are kept`);
  assert.ok(noise <= 2, `${noise} % of the noise is let through`);
});

test('a page that gives only its title is a failure that says so', async () => {
  const failing = readCorpus().filter(({ failure }) => failure);
  await using site = await fakeSite(
    Object.fromEntries(failing.map(({ name, body, type }) => [`/${name}`, page(body, type)])),
  );
  assert.ok(failing.length > 3);
  for (const { name, failure } of failing)
    await assert.rejects(outputOf(new URL(`${site.origin}/${name}`)), failure!, name);
});
