/** The settings dialog of one conversation: model, thinking level, and whether tool calls are shown. */
import { html, render } from 'lit';
import type { Answers } from '../../../src/protocol/answers.ts';
import type { App } from '../app.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import { titleOf } from '../gateway/sessions.ts';
import type { SessionRow } from '../gateway/wire.ts';

type Model = Answers['models.list']['models'][number];
type Patch = Partial<Pick<SessionRow, 'thinkingLevel' | 'verboseLevel'>> & { readonly model?: string };
type Change = { readonly [K in keyof Patch]: string | null };

/** Empty: the defaults of the agent and the gateway apply. */
const THINKING = ['', 'off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const VERBOSE: Readonly<Record<string, string>> = {
  '': 'default',
  off: 'answers only',
  on: 'each tool call',
  full: 'tool calls with their output',
};

export async function openSessionSettings(app: App, key: string): Promise<void> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog session-settings';
  dialog.setAttribute('aria-labelledby', 'session-settings-title');
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  const models = app.request('models.list').then(
    (answer) => answer.models,
    (): readonly Model[] => [],
  );
  const change = async (patch: Change): Promise<void> => {
    try {
      await app.request('sessions.patch', { key, ...patch } as { key: string });
      await app.sessions.refresh();
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    draw(await models);
  };
  function draw(known: readonly Model[]): void {
    render(content({ row: app.sessions.rowOf(key), models: known, change, close: () => dialog.close() }), dialog);
  }
  draw([]);
  document.body.append(dialog);
  dialog.showModal();
  draw(await models);
}

interface Shown {
  readonly row: SessionRow | undefined;
  readonly models: readonly Model[];
  change(patch: Change): Promise<void>;
  close(): void;
}

function content({ row, models, change, close }: Shown): unknown {
  const chosen = row?.modelOverride ? `${row.providerOverride ?? ''}/${row.modelOverride}` : '';
  const names = models.map(({ id, provider }) => `${provider}/${id}`);
  // A current value that the catalog does not contain is still listed.
  const offered = ['', ...(chosen === '' || names.includes(chosen) ? [] : [chosen]), ...names];
  const picker = (label: string, value: string, options: readonly (readonly [string, string])[], of: keyof Patch) =>
    html`<label class="labelled"><span>${label}</span><select class="field" @change=${(event: Event) =>
      void change({ [of]: (event.target as HTMLSelectElement).value || null })}>${options.map(
      ([name, words]) => html`<option value=${name} .selected=${name === value}>${words}</option>`,
    )}</select></label>`;
  const named = (list: readonly string[]) => list.map((name) => [name, name || 'default'] as const);
  return html`<h2 id="session-settings-title">${row ? titleOf(row) : 'This conversation'}</h2>
    <div class="dialog-body">${picker('Model', chosen, named(offered), 'model')}
      ${picker('Thinking', row?.thinkingLevel ?? '', named(THINKING), 'thinkingLevel')}
      ${picker('Shown in chat channels', row?.verboseLevel ?? '', Object.entries(VERBOSE), 'verboseLevel')}
      <p class="small quiet">They hold for this conversation alone, from the next message on.</p></div>
    <div class="dialog-actions"><button class="button" @click=${close}>Close</button></div>`;
}
