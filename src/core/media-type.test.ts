import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareMime, extensionOf, kindOfMime, canonicalMime } from './media-type.ts';

test('media types lose their parameters, and what is none is empty', () => {
  assert.equal(bareMime('Text/Plain; charset=utf-8'), 'text/plain');
  assert.equal(bareMime('text/plain" onclick="x'), 'text/plain');
  assert.equal(bareMime('nonsense'), '');
});

test('a type has one spelling, one kind, and an extension where that says something', () => {
  assert.deepEqual(['audio/x-wav', 'audio/wav', 'text/plain'].map(canonicalMime), [
    'audio/wav',
    'audio/wav',
    'text/plain',
  ]);
  assert.deepEqual(['image/png', 'audio/ogg', 'video/mp4', 'application/pdf', ''].map(kindOfMime), [
    'image',
    'audio',
    'video',
    'document',
    'document',
  ]);
  assert.deepEqual(['image/jpeg', 'audio/vnd.wave', 'audio/webm', 'application/zip'].map(extensionOf), [
    'jpg',
    'wav',
    'webm',
    undefined,
  ]);
});
