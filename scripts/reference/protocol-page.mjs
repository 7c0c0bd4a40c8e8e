/** Generates docs/reference/protocol.md from the tables of methods and events. */
import { z } from 'zod';
import { findFeatures } from '../../src/plugins/find-features.ts';
import { everyMethod } from '../../src/testing/every-method.ts';
import { EVENTS } from '../../src/protocol/events.ts';
import { PROTOCOL_VERSION } from '../../src/protocol/version.ts';
import { fields } from './json-schema.mjs';
import { code, page, table } from './markdown.mjs';

export async function protocolPage() {
  const { methods } = await everyMethod();
  const events = Object.assign({}, EVENTS, ...(await findFeatures()).map((feature) => feature.events));
  return page(
    {
      title: 'Gateway protocol',
      summary: 'Every WebSocket method and event with the scope it needs and the parameters it takes',
      readWhen: ['you write a client of the gateway', 'a call is refused for a missing scope or a wrong parameter'],
      from: '`src/gateway/methods/table.ts` and `src/protocol/`',
    },
    `The gateway speaks version ${PROTOCOL_VERSION} of the published Gateway WebSocket protocol. \`operator.admin\` includes every scope, \`operator.write\` includes \`operator.read\`.

## Methods

${table(
  ['method', 'needs'],
  Object.keys(methods)
    .sort()
    .map((name) => [code(name), code(methods[name].needs)]),
)}

${Object.keys(methods)
  .sort()
  .map((name) => section(name, methods[name]))
  .filter(Boolean)
  .join('\n\n')}

## Events

${table(
  ['event', 'needs'],
  Object.entries(events).map(([name, needs]) => [code(name), code(needs)]),
)}`,
  );
}

/** Parameters of published clients that this gateway accepts and does not use have no type; they are not listed. */
function section(name, { params }) {
  const rows = fields(z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' })).filter(
    (row) => row.type !== 'any',
  );
  return rows.length === 0
    ? ''
    : `### ${name}

${table(
  ['parameter', 'type', 'required'],
  rows.map(({ path, type, required }) => [code(path), code(type), required ? 'yes' : '']),
)}`;
}
