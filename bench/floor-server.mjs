/**
 * The minimum work of a gateway, in a separate process: for each request it calls the model with a fixed body (argument
 * 2: the model's port, argument 3: a directory), appends one line, syncs it, and answers. Prints its port when it
 * listens.
 */
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { get, post } from './http-calls.mjs';

const [modelPort, dir] = process.argv.slice(2);
const { text: body } = await get(`http://127.0.0.1:${modelPort}/last`);
const file = await open(join(dir, 'floor-server.jsonl'), 'a');
const LINE = `${'x'.repeat(400)}\n`;

const server = createServer(async (req, res) => {
  for await (const _ of req); // the request is read to its end, as any server does
  const { text } = await post(`http://127.0.0.1:${modelPort}/v1/chat/completions`, body);
  await file.write(LINE);
  await file.datasync();
  res.end(text);
});

server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
process.on('disconnect', () => process.exit(0));
