/** Hostile and malformed messages, as a manipulated model or a broken program may send them. */
import { begin, components, data, jsonl } from './harness.ts';

/** What would run if anything ran: it reports to the page's top. */
const RUN = 'globalThis.__ran=1';
const SCRIPTS = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}">`,
  `<svg onload="${RUN}"></svg>`,
  `"><script>${RUN}</script>`,
  `'-${RUN}-'`,
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` \u0001javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
  `vbscript:${RUN}`,
  `\${${RUN}}`,
  `{{${RUN}}}`,
  `<iframe srcdoc="<script>parent.__ran=1</script>"></iframe>`,
  `<a href="javascript:${RUN}">x</a>`,
  `**<b onmouseover="${RUN}">x</b>**`,
  `[x](javascript:${RUN})`,
  `![x](x" onerror="${RUN})`,
  `</style><script>${RUN}</script>`,
  `<math><mtext></table><mglyph><style><img src=x onerror="${RUN}">`,
];

const text = (value: string) => ({ literalString: value });
const root = (component: object, more: Readonly<Record<string, object>> = {}) =>
  jsonl(components({ root: component, ...more }), begin());
const label = { t: { Text: { text: text('ok') } } };

/** A text in every place of every component that shows or uses one. */
const PLACES: readonly ((value: string) => string)[] = [
  (value) => root({ Text: { text: text(value), usageHint: 'h1' } }),
  (value) =>
    jsonl(components({ root: { Text: { text: { path: '/a' } } } }), data([{ key: 'a', valueString: value }]), begin()),
  (value) => root({ Image: { url: text(value), altText: text(value) } }),
  (value) => root({ Video: { url: text(value) } }),
  (value) => root({ AudioPlayer: { url: text(value), description: text(value) } }),
  (value) => root({ Icon: { name: text(value) } }),
  (value) => root({ TextField: { label: text(value), text: text(value), validationRegexp: value } }),
  (value) => root({ CheckBox: { label: text(value), value: { literalBoolean: true } } }),
  (value) =>
    root({ MultipleChoice: { selections: { literalArray: [value] }, options: [{ label: text(value), value }] } }),
  (value) => root({ Tabs: { tabItems: [{ title: text(value), child: 't' }] } }, label),
  (value) =>
    root({ Button: { child: 't', action: { name: value, context: [{ key: value, value: text(value) }] } } }, label),
  (value) =>
    jsonl(components({ [value]: { Text: { text: text('x') } } }), {
      beginRendering: { surfaceId: 'main', root: value },
    }),
  (value) =>
    jsonl(components({ root: label.t }), {
      beginRendering: { surfaceId: 'main', root: 'root', styles: { primaryColor: value, font: value } },
    }),
  (value) => jsonl(components({ root: label.t }, value.slice(0, 200)), begin(value.slice(0, 200))),
];

const chain = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, n) => [n === 0 ? 'root' : `c${n}`, { Card: { child: `c${n + 1}` } }]));
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, n) => [
    n === 0 ? 'root' : `r${n}`,
    { Row: { children: { explicitList: [`r${n + 1}`, `r${n + 1}`] } } },
  ]),
);
const many = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => ({ n: `row ${n}` })));

/** What is valid and still means harm. */
const SHAPES: readonly string[] = [
  root({ Card: { child: 'root' } }),
  root({ Card: { child: 'a' } }, { a: { Card: { child: 'root' } } }),
  root({ Modal: { entryPointChild: 'root', contentChild: 'root' } }),
  root({ Tabs: { tabItems: [{ title: text('x'), child: 'root' }] } }),
  root({ List: { children: { template: { componentId: 'root', dataBinding: '/' } } } }),
  jsonl(components(chain(4000)), begin()),
  jsonl(components(doubling), begin()),
  jsonl(
    components({
      root: { List: { children: { template: { componentId: 'inner', dataBinding: '/rows' } } } },
      inner: { List: { children: { template: { componentId: 'leaf', dataBinding: '/rows' } } } },
      leaf: { Text: { text: { path: 'n' } } },
    }),
    data([{ key: 'rows', valueString: many(2000) }]),
    begin(),
  ),
  root({ Slider: { value: { literalNumber: 1 }, minValue: 1e308, maxValue: -1e308 } }),
  root({ Slider: { value: { path: '/none' }, minValue: 0, maxValue: 0 } }),
  root({ MultipleChoice: { selections: { path: '/none' }, options: [], maxAllowedSelections: -1 } }),
  root({ Row: { children: { explicitList: ['t', 't', 't'] } } }, label),
  root({ Text: { text: text('x'.repeat(200_000)) } }),
  root({ Text: { text: text('\u202e\u0000\ufeff\ud800') } }),
  root({ Text: { text: text('*'.repeat(5000)) } }),
  root({ TextField: { label: text('x'), text: text('a'.repeat(60)), validationRegexp: '(a+)+$' } }),
  root({ TextField: { label: text('x'), text: text(`${'a'.repeat(60)}!`), validationRegexp: '(a|a)*$' } }),
  root({ TextField: { label: text('x'), text: text(`${'a'.repeat(60)}!`), validationRegexp: 'a*a*a*a*a*a*a*b' } }),
  root({ TextField: { label: text('x'), text: text('a'), validationRegexp: '(' } }),
  root({ DateTimeInput: { value: text('9999999-99-99T99:99'), enableDate: true, enableTime: true } }),
  root({ Chart: { onclick: RUN } }),
  root({ constructor: { x: 1 } }),
  root({ placeholder: { fault: `<img src=x onerror="${RUN}">` } }),
  jsonl(
    components({ root: { Text: { text: { path: '/__proto__/polluted' } } } }),
    data([{ key: '.', valueString: 'x' }], '/__proto__/polluted'),
    begin(),
  ),
  jsonl(
    data([{ key: '__proto__', valueMap: [{ key: 'polluted', valueBoolean: true }] }]),
    components({ root: label.t }),
    begin(),
  ),
  jsonl(
    data([{ key: 'constructor', valueMap: [{ key: 'prototype', valueString: 'x' }] }]),
    components({ root: label.t }),
    begin(),
  ),
  jsonl(components({ root: { Text: { text: { path: '' } } } }), data([{ key: '.', valueString: 'x' }]), begin()),
  jsonl(
    data([{ key: '.', valueNumber: 5 }]),
    data([{ key: 'a', valueString: 'x' }], '/a/b'),
    components({ root: { Text: { text: { path: '/a/b/a' } } } }),
    begin(),
  ),
  jsonl(begin(), { deleteSurface: { surfaceId: 'main' } }, { deleteSurface: { surfaceId: 'none' } }),
  jsonl(begin('__proto__'), components({ root: label.t }, '__proto__')),
];

/** What is not a message. */
const MALFORMED: readonly string[] = [
  '',
  ' \n\n',
  'x',
  '{',
  '[]',
  'null',
  '1',
  '"a"',
  '{}',
  '{"surfaceUpdate":null}',
  '{"surfaceUpdate":[]}',
  '{"surfaceUpdate":{"surfaceId":"a"}}',
  '{"surfaceUpdate":{"surfaceId":1,"components":[]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[null]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[{"id":"b","component":{}}]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[{"id":"b","component":{"Text":1}}]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[{"id":"b","component":{"Text":{},"Row":{}}}]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[{"id":"","component":{"Divider":{}}}]}}',
  '{"surfaceUpdate":{"surfaceId":"a","components":[{"id":"b","component":{"Divider":{"onclick":"x"}}}]}}',
  '{"dataModelUpdate":{"surfaceId":"a"}}',
  '{"dataModelUpdate":{"surfaceId":"a","contents":{}}}',
  '{"dataModelUpdate":{"surfaceId":"a","contents":[{"key":"b"}]}}',
  '{"dataModelUpdate":{"surfaceId":"a","contents":[{"key":"b","valueString":"x","valueNumber":1}]}}',
  '{"dataModelUpdate":{"surfaceId":"a","path":"/~9","contents":[]}}',
  '{"beginRendering":{"surfaceId":"a"}}',
  '{"beginRendering":{"surfaceId":"","root":"x"}}',
  '{"deleteSurface":{}}',
  '{"deleteSurface":{"surfaceId":"a"},"beginRendering":{"surfaceId":"a","root":"b"}}',
  '{"createSurface":{"surfaceId":"a","catalogId":"b"}}',
  '{"version":"v0.9","updateComponents":{"surfaceId":"a","components":[]}}',
  `{"eval":"${RUN}"}`,
  '{"__proto__":{"surfaceId":"a"}}',
  `${begin.name}()`,
  `{"surfaceUpdate":{"surfaceId":"${'x'.repeat(300)}","components":[{"id":"b","component":{"Divider":{}}}]}}`,
  '['.repeat(100_000),
  `"${'x'.repeat(600_000)}"`,
];

/** Pushes that are refused whole. */
export const MALFORMED_PUSHES = MALFORMED;
/** Pushes that are taken and must harm nobody. */
export const HOSTILE_PUSHES: readonly string[] = [...PLACES.flatMap((place) => SCRIPTS.map(place)), ...SHAPES];
