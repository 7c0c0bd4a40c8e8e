import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sniff } from './sniff.ts';

const KINDS = ['image', 'audio', 'video', 'document', 'archive', 'text', 'binary'];

test('any bytes have a kind and a bare type, whatever is claimed of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), fc.string(), fc.string(), async (bytes, name, mime) => {
      const type = await sniff(bytes, { name, mime });
      assert.ok(KINDS.includes(type.kind));
      assert.match(type.mime, /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/);
    }),
    { numRuns: 300 },
  );
});

test('files made to slow down a pattern are detected like others', async () => {
  for (const text of [
    '<!---->'.repeat(600),
    '<?a?>'.repeat(900),
    `<!DOCTYPE a ${'[]'.repeat(2000)}`,
    '"'.repeat(65_001),
    `${'a,'.repeat(30_000)}\n${'"a",'.repeat(8000)}`,
    'From: '.repeat(800),
    '['.repeat(60_000),
  ])
    assert.equal((await sniff(Buffer.from(text))).kind, 'text');
});

test('without bytes the claim decides, and media stay what they may be', async () => {
  const none = new Uint8Array(0);
  assert.deepEqual(await sniff(none, { name: 'a.csv' }), { kind: 'text', mime: 'text/csv' });
  assert.deepEqual(await sniff(none, { name: 'voice.ogg' }), { kind: 'binary', mime: 'application/octet-stream' });
  assert.deepEqual(await sniff(none, { mime: 'audio/ogg' }), { kind: 'binary', mime: 'application/octet-stream' });
});
