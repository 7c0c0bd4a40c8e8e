/** imsg on another Mac, in a whole gateway: reached by ssh with a quoted command, answered, and refused by name. */
import assert from 'node:assert/strict';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFakeImsg } from '../../src/channels/imessage/fake.ts';
import { startFakeModels } from '../../src/testing/fake-models/fake-model-server.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { spawnGateway } from './spawned-gateway.ts';

const ANN = '+15550000002';
const chat = { kind: 'direct', id: ANN } as const;

/** As ssh: the last argument is for the shell of the other machine, the one before it says which machine. */
const ssh = (record: string): string => `#!/bin/sh
for last; do host=$command; command=$last; done
printf '%s %s\\n' "$host" "$command" >> '${record}'
case $host in nobody@*) echo 'nobody@mac.local: Permission denied (publickey).' >&2; exit 255;; esac
exec sh -c "$command"
`;

test('imsg over ssh: messages and files both ways, and a Mac that lets nobody in is named', async () => {
  await using home = await tempDir('imsg-ssh');
  await using models = await startFakeModels();
  await using mac = await startFakeImsg();
  const [program, record] = [join(home.path, 'ssh'), join(home.path, 'ssh-calls')];
  await writeFile(program, ssh(record));
  await chmod(program, 0o755);
  const shared = { ...mac.config, allowFrom: [ANN], groupPolicy: 'disabled' };
  const imessage = {
    ...shared,
    accounts: { mac: { remoteHost: 'me@mac.local' }, other: { remoteHost: 'nobody@mac.local' } },
  };
  await using gateway = await spawnGateway({
    home: home.path,
    path: `${home.path}:${process.env['PATH']}`,
    config: withModel({ channels: { imessage } }, models.url),
  });
  await until(() => mac.consumers === 1, 'the connection');
  const notes = { name: 'notes.txt', mime: 'text/plain', data: Buffer.from('the words of the file') };
  await mac.write({ chat, by: ANN, text: 'read this', file: notes });
  await until(() => mac.seen(chat).length > 0, 'the answer');
  assert.match(models.requests.at(-1)!.texts.at(-1)!, /the words of the file/);
  const said = await readFile(record, 'utf8');
  assert.match(said, /^me@mac\.local '[^']*\/imsg' 'rpc'$/m);
  assert.match(said, /^me@mac\.local cat -- '/m);
  const refused = () => gateway.problemsOf('imessage', 'other');
  await until(async () => /ssh does not let the gateway into nobody@mac\.local/.test(await refused()), 'the refusal');
  assert.equal(await gateway.problemsOf('imessage', 'mac'), '');
});
