/** The login files of a channel are inaccessible to tools of agents, wherever their folder is. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFakeWhatsapp } from '../../src/channels/whatsapp/fake.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';

test('no tool reads the login of an account, in the state directory or in a folder of its own', async () => {
  await using platform = await startFakeWhatsapp();
  await using gateway = await startGateway({ config: { channels: { whatsapp: platform.config } } });
  const inState = join(gateway.stateDir, 'channels', 'whatsapp', 'default', 'auth');
  await mkdir(inState, { recursive: true });
  await writeFile(join(inState, 'creds.json'), '{"noiseKey":"secret-of-the-device"}');
  for (const folder of [platform.authDir, inState]) {
    const response = await gateway.fetch('/tools/invoke', {
      method: 'POST',
      body: JSON.stringify({ tool: 'read', args: { path: join(folder, 'creds.json') } }),
    });
    const said = await response.text();
    assert.doesNotMatch(said, /noiseKey|secret-of-the-device/);
    assert.match(said, /holds secrets|not allowed|denied|closed|off limits|may not/i, said);
  }
});
