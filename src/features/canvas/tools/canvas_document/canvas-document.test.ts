/** The canvas_document tool: its input, its requests to the gateway, and its results. */
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { textOf } from '../../../../core/transcript.ts';
import { tempDir } from '../../../../testing/temp-dir.ts';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import tool from './index.ts';

const document = { id: 'cv_1', title: 'Status', version: 2, bytes: 12, createdAt: '2026-11-01T10:00:00.000Z' };
const preview = { kind: 'canvas', url: '/__openclaw__/canvas/documents/cv_1/index.html' };

const call = async (input: object, workspace = '/w') => {
  const requests: { method: string; params: any }[] = [];
  const rpc = async (method: string, params: any): Promise<unknown> => {
    requests.push({ method, params });
    if (method === 'documents.list') return params === undefined ? [] : [document];
    if (method === 'documents.read') return { document, html: '<h1>x</h1>' };
    return { document, preview };
  };
  const result = await runTool(tool, input, toolContext(workspace, { rpc }));
  return { result, requests, text: textOf(result.content) };
};

toolContract({
  tool,
  good: { html: '<h1>Ready</h1>', title: 'Status' },
  rpc: async () => ({ document, preview }),
  failing: [
    { input: { path: '/etc/hostname' }, says: /outside the workspace/ },
    { input: { html: 'x', assets: ['a=../x'] }, says: /outside the workspace/ },
    { input: { action: 'read' }, says: /needs id/ },
    { input: { action: 'restore', id: 'cv_1' }, says: /needs version/ },
  ],
  bad: [
    { input: { action: 'fly' }, says: /action/ },
    { input: { html: 'x', height: 'tall' }, says: /height/ },
    { input: { html: 'x', sandbox: 'trusted' }, says: /sandbox/ },
  ],
});

describe('canvas_document', () => {
  it('keeps a page and attaches its preview to the answer', async () => {
    const { requests, result, text } = await call({ html: 'x', title: 'Status', height: 300, id: 'cv_1' });
    assert.deepEqual(requests, [
      { method: 'documents.create', params: { html: 'x', assets: [], title: 'Status', height: 300, id: 'cv_1' } },
    ]);
    assert.deepEqual(result.details, { preview });
    assert.equal(text, 'Document cv_1, version 2, 12 bytes. It is shown with your answer.');
  });

  it('reads files of the workspace, under their own names or given ones, and none outside', async () => {
    await using dir = await tempDir('canvas-tool');
    await mkdir(join(dir.path, 'app'));
    await writeFile(join(dir.path, 'app', 'page.html'), 'page');
    await writeFile(join(dir.path, 'app', 'a.js'), 'script');
    await symlink('/etc/hostname', join(dir.path, 'link.txt'));
    const { requests } = await call({ path: 'app/page.html', assets: ['app/a.js', 'lib/b.js=app/a.js'] }, dir.path);
    const { file, assets } = requests[0]!.params;
    assert.deepEqual([file.name, String(file.data)], ['page.html', 'page']);
    assert.deepEqual(
      assets.map((one: { path: string; data: Buffer }) => [one.path, String(one.data)]),
      [
        ['a.js', 'script'],
        ['lib/b.js', 'script'],
      ],
    );
    for (const path of ['link.txt', '/etc/hostname', '../x', 'none.html']) {
      const { result, requests: none } = await call({ path }, dir.path);
      assert.deepEqual([result.isError, none], [true, []], path);
    }
  });

  it('lists, reads, removes and restores', async () => {
    assert.equal((await call({ action: 'list' })).text, 'cv_1  version 2  2026-11-01T10:00:00.000Z  Status');
    assert.equal((await call({ action: 'read', id: 'cv_1' })).text, 'Document cv_1, version 2:\n<h1>x</h1>');
    assert.equal((await call({ action: 'delete', id: 'cv_1' })).text, 'Document cv_1 was removed.');
    assert.match(
      (await call({ action: 'restore', id: 'cv_1', version: 1 })).text,
      /has the content of version 1 again/,
    );
    for (const input of [{ action: 'read' }, { action: 'delete' }, { action: 'restore', id: 'cv_1' }])
      assert.equal((await call(input)).result.isError, true);
  });
});
