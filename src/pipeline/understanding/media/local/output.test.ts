import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeFile, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from '../../../../testing/temp-dir.ts';
import { lastJsonObject } from './last-json-object.ts';
import { printedWords } from './ocr.ts';
import { geminiResponse, sherpaText, whisperCppText, whisperText } from './output.ts';
import { spokenWords } from './speech.ts';

const mediaPath = '/m/voice note.ogg';

test('T91 whisper-cli: the text file is the transcript, whatever is printed', async () => {
  await using dir = await tempDir();
  const base = join(dir.path, 'voice');
  await writeFile(`${base}.txt`, '\uFEFF hello \n');
  for (const args of [
    ['-otxt', '-of', base],
    ['--output-txt', '--output-file', base],
    ['--output-txt', `--output-file=${base}`],
  ]) {
    assert.equal(await whisperCppText({ args, mediaPath, stdout: 'progress 10%' }), 'hello');
  }
  assert.equal(await whisperCppText({ args: [], mediaPath, stdout: ' spoken ' }), 'spoken');
  await writeFile(join(dir.path, 'beside.wav.txt'), 'beside');
  assert.equal(
    await whisperCppText({ args: ['-otxt'], mediaPath: join(dir.path, 'beside.wav'), stdout: '' }),
    'beside',
  );
});

test('T121 whisper: every spelling of "write text", and an empty or missing file is no transcript', async () => {
  await using dir = await tempDir();
  const text = join(dir.path, 'voice note.txt');
  const spellings = [
    ['--output_format', 'txt', '--output_dir', dir.path],
    ['-f', 'all', '-o', dir.path],
    ['-f=all', `-o=${dir.path}`],
    ['--output_format=txt', `--output_dir=${dir.path}`],
    ['-o', dir.path],
  ];
  for (const args of spellings)
    assert.equal(await whisperText({ args, mediaPath, stdout: 'Detected language: German' }), '');
  await writeFile(text, ' \n');
  for (const args of spellings)
    assert.equal(await whisperText({ args, mediaPath, stdout: 'Detected language: German' }), '');
  await writeFile(text, 'guten Tag\n');
  for (const args of spellings)
    assert.equal(await whisperText({ args, mediaPath, stdout: 'Detected language: German' }), 'guten Tag');
  assert.equal(await whisperText({ args: ['-f', 'json', '-o', dir.path], mediaPath, stdout: 'said' }), 'said');
});

test('a text file without end, or none that is a file, is refused', async () => {
  await using dir = await tempDir();
  await writeFile(join(dir.path, 'big.txt'), '');
  await truncate(join(dir.path, 'big.txt'), 6 * 1024 * 1024);
  await assert.rejects(
    async () => whisperCppText({ args: ['-otxt', '-of', join(dir.path, 'big')], mediaPath, stdout: '' }),
    { code: 'too_large' },
  );
  await symlink('/dev/zero', join(dir.path, 'zero.txt'));
  await assert.rejects(
    async () => whisperCppText({ args: ['-otxt', '-of', join(dir.path, 'zero')], mediaPath, stdout: '' }),
    { code: 'bad_response' },
  );
});

test('T92 T120 gemini: the response of the last object, with braces in it, around it and before it', () => {
  const args = ['--output-format', 'json'];
  const said = (stdout: string): string => geminiResponse({ args, mediaPath, stdout });
  assert.equal(said('{"response":" a cat "}'), 'a cat');
  assert.equal(
    said('{"session":{"id":{"n":1}},"response":"if (a) { b(\\"}\\"); }","stats":{"models":{"x":{}}}}'),
    'if (a) { b("}"); }',
  );
  assert.equal(
    said('Loaded {cached} credentials {\n{"response":"first"}\n[info] {}\n{"response":"last"}\nbye }'),
    'last',
  );
  assert.equal(said('{"error":{"message":"quota"}}'), '');
  assert.equal(said('{"response":{"text":"x"}}'), '');
  assert.equal(said('no json at all'), '');
  assert.equal(geminiResponse({ args: [], mediaPath, stdout: ' plain {"response":"no"} ' }), 'plain {"response":"no"}');
});

test('the search for JSON ends on hostile output', () => {
  assert.equal(lastJsonObject('{'.repeat(5_000_000)), undefined);
  assert.equal(lastJsonObject('{"a":"'.repeat(500_000)), undefined);
  assert.deepEqual(lastJsonObject(`${'x'.repeat(5_000_000)}{"a":1}`), { a: 1 });
});

test('T90 sherpa-onnx-offline: text of the whole output, of its last line, or of JSON within JSON', () => {
  const said = (stdout: string): string => sherpaText({ args: [], mediaPath, stdout });
  assert.equal(said('{"lang":"","text":" hi there ","tokens":["h"]}\n'), 'hi there');
  assert.equal(said('creating recogniser\n{"text":"last line"}\n'), 'last line');
  assert.equal(said(JSON.stringify(JSON.stringify({ text: 'twice' }))), 'twice');
  assert.equal(said('no model'), '');
});

test('pocketsphinx: lines of version 0.8, JSON of version 5, no noise words', () => {
  assert.equal(
    spokenWords({ stdout: 'what time is it\n<sil> in [SPEECH] new york ++BREATH++\n' }),
    'what time is it in new york',
  );
  assert.equal(
    spokenWords({ stdout: '{"b":0.000,"d":2.0,"p":1.0,"t":"go forward","w":[{"t":"go"}]}\n{"t":"","w":[]}\n' }),
    'go forward',
  );
});

test('tesseract: words it is sure of, in lines; plain output without scraps', () => {
  const row = (line: number, word: number, confidence: number, text: string): string =>
    `5\t1\t1\t1\t${line}\t${word}\t0\t0\t9\t9\t${confidence}\t${text}`;
  const head = 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext';
  assert.equal(
    printedWords({
      stdout: [
        head,
        '1\t1\t0\t0\t0\t0\t0\t0\t9\t9\t-1\t',
        row(1, 1, 96, 'Invoice'),
        row(1, 2, 95.5, '4711'),
        row(2, 1, 12, 'ghjk'),
        row(3, 1, 88, 'total'),
      ].join('\n'),
    }),
    'Invoice 4711\ntotal',
  );
  assert.equal(printedWords({ stdout: ' Hello \n ~ .\n\n\n\nworld\f' }), 'Hello\n\nworld');
});
