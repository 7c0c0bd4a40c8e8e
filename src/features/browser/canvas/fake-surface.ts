/** Messages of a surface as agents push them: a form with one field and one button. */
export const jsonl = (...messages: readonly object[]): string => messages.map((one) => JSON.stringify(one)).join('\n');

export const data = (contents: readonly object[], path: string): object => ({
  dataModelUpdate: { surfaceId: 'main', path, contents },
});

const COMPONENTS: Readonly<Record<string, object>> = {
  root: { Column: { children: { explicitList: ['city', 'go'] } } },
  city: { TextField: { label: { literalString: 'City' }, text: { path: '/city' } } },
  go: { Button: { child: 'text', primary: true, action: { name: 'weather', context: [] } } },
  text: { Text: { text: { literalString: 'Show the weather' } } },
};

export const form = (): readonly object[] => [
  {
    surfaceUpdate: {
      surfaceId: 'main',
      components: Object.entries(COMPONENTS).map(([id, component]) => ({ id, component })),
    },
  },
  { dataModelUpdate: { surfaceId: 'main', contents: [{ key: 'city', valueString: 'Berlin' }] } },
  { beginRendering: { surfaceId: 'main', root: 'root' } },
];
