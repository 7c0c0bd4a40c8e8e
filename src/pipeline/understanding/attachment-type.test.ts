import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideType, plainName, withExtension } from './attachment-type.ts';

const unknown = { kind: 'binary', mime: 'application/octet-stream' } as const;

test('what the bytes show wins over what was claimed', () => {
  assert.deepEqual(decideType({ kind: 'document', mime: 'application/pdf' }, { mime: 'image/png', name: 'a.png' }), {
    kind: 'document',
    mime: 'application/pdf',
  });
  assert.deepEqual(decideType({ kind: 'text', mime: 'text/csv' }, { mime: 'audio/mpeg', name: 'a.mp3' }), {
    kind: 'document',
    mime: 'text/csv',
  });
  assert.deepEqual(
    decideType({ kind: 'binary', mime: 'application/x-msdownload' }, { mime: 'image/png', name: 'a.png' }),
    { kind: 'document', mime: 'application/x-msdownload' },
  );
  assert.deepEqual(decideType({ kind: 'text', mime: 'image/svg+xml' }, { mime: 'image/svg+xml', name: 'a.svg' }), {
    kind: 'document',
    mime: 'image/svg+xml',
  });
  assert.deepEqual(decideType({ kind: 'video', mime: 'video/mp4' }, { mime: 'application/octet-stream', name: 'x' }), {
    kind: 'video',
    mime: 'video/mp4',
  });
});

test('bytes that show nothing leave the claim, then the extension', () => {
  assert.deepEqual(decideType(unknown, { mime: 'audio/AMR; rate=8000', name: 'x' }), {
    kind: 'audio',
    mime: 'audio/amr',
  });
  assert.deepEqual(decideType(unknown, { mime: 'application/octet-stream', name: 'clip.MOV' }), {
    kind: 'video',
    mime: 'video/quicktime',
  });
  assert.deepEqual(decideType(unknown, { mime: '', name: 'x' }), {
    kind: 'document',
    mime: 'application/octet-stream',
  });
});

test('a recording in a container for films stays a recording', () => {
  assert.deepEqual(
    decideType({ kind: 'video', mime: 'video/webm' }, { mime: 'audio/webm;codecs=opus', name: 'voice.webm' }),
    { kind: 'audio', mime: 'audio/webm' },
  );
  assert.deepEqual(decideType({ kind: 'video', mime: 'video/webm' }, { mime: 'audio/ogg', name: 'voice.ogg' }), {
    kind: 'video',
    mime: 'video/webm',
  });
});

test('names become plain: no folders, no control or direction marks, an extension where there is none', () => {
  const named = (name: string | undefined, mime = '') => withExtension(plainName(name, 1), mime);
  assert.equal(named('../../etc/passwd'), 'passwd');
  assert.equal(named('C:\\Users\\x\\photo.jpg'), 'photo.jpg');
  assert.equal(named('a\u202Egnp.exe\n\0.png'), 'a gnp.exe .png');
  assert.equal(named('...hidden'), 'hidden');
  assert.equal(named(undefined, 'audio/ogg'), 'media-2.ogg');
  assert.equal(named('', 'audio/x-m4a'), 'media-2.m4a');
  assert.equal(named('报告', 'application/pdf'), '报告.pdf');
  assert.equal(named('..'), 'media-2');
  assert.ok(named('😀'.repeat(500)).isWellFormed());
  assert.ok([...named('x'.repeat(500))].length <= 125);
});
