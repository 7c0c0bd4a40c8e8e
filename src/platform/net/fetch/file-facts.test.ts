import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileFacts } from './file-facts.ts';

const name = (disposition: string, url = 'https://x.example/') =>
  fileFacts(disposition ? { 'content-disposition': disposition } : {}, new URL(url)).fileName;

test('the name of a file: filename* first, then filename, then the URL', () => {
  assert.equal(name(`attachment; filename="plain.txt"; filename*=UTF-8''na%C3%AFve%20file.txt`), 'naïve file.txt');
  assert.equal(name(`attachment; filename*=iso-8859-1'en'%A3%20rates.txt`), '£ rates.txt');
  assert.equal(name('attachment; filename="a \\"b\\"; c.txt"'), 'a b; c.txt');
  assert.equal(name('attachment; FILENAME=token.pdf; filename=second.pdf'), 'token.pdf');
  assert.equal(name('attachment; filename="' + Buffer.from('größe.txt').toString('latin1') + '"'), 'größe.txt');
  assert.equal(name('', 'https://x.example/a/b/r%C3%A9sum%C3%A9.pdf?download=1#x'), 'résumé.pdf');
  assert.equal(name('', 'https://x.example/a/%E0%A4%A.pdf'), '%E0%A4%A.pdf');
  assert.equal(name(''), undefined);
});

test('a name has no path, no control characters, no leading dot and an end', () => {
  assert.equal(name('attachment; filename="../../etc/passwd"'), 'passwd');
  assert.equal(name(`attachment; filename*=UTF-8''..%5C..%5Cboot.ini`), 'boot.ini');
  assert.equal(name(`attachment; filename*=UTF-8''a%00b%0Ac%E2%80%AEtxt.exe`), 'abctxt.exe');
  assert.equal(name('attachment; filename=".bashrc"'), 'bashrc');
  assert.equal(name('attachment; filename=".."'), undefined);
  assert.equal(name(`attachment; filename="${'x'.repeat(500)}.pdf"`)!.length, 200);
  assert.match(name(`attachment; filename="${'x'.repeat(500)}.pdf"`)!, /\.pdf$/);
});

test('type and charset of a response', () => {
  const facts = (type: string) => {
    const { mime, charset } = fileFacts({ 'content-type': type }, new URL('https://x.example/'));
    return [mime, charset];
  };
  assert.deepEqual(facts('Text/HTML; Charset="UTF-8"'), ['text/html', 'utf-8']);
  assert.deepEqual(facts('text/plain;charset=Windows-1252'), ['text/plain', 'windows-1252']);
  assert.deepEqual(facts('application/vnd.ms-excel.sheet+xml'), ['application/vnd.ms-excel.sheet+xml', undefined]);
  assert.deepEqual(facts('not a type'), ['application/octet-stream', undefined]);
  assert.deepEqual(facts(''), ['application/octet-stream', undefined]);
});
