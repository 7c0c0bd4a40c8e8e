/** `models list|status`: lists the available models, and shows the one in use. */
import type { Call } from '../command.ts';
import { columns, listing } from '../columns.ts';

/** `source` says why: configuration, a key in the environment, Ollama, or nothing better. */
interface ModelChoice {
  readonly provider: string;
  readonly model: string;
  readonly source: string;
}
interface ModelRow {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly contextWindow?: number;
  readonly reasoning?: boolean;
}

export async function modelsList(call: Call): Promise<void> {
  const link = await call.gateway();
  const answer = await link.request<{ models: readonly ModelRow[] }>('models.list', {});
  if (call.flags.has('json')) return call.io.out(JSON.stringify(answer, null, 2));
  const rows = answer.models.map((model) => [
    `${model.provider}/${model.id}`,
    model.name,
    model.contextWindow === undefined ? '' : String(model.contextWindow),
    model.reasoning ? 'yes' : '',
  ]);
  call.io.out(
    listing(
      ['model', 'name', 'context', 'thinks'],
      rows,
      'No models. Set a key (OPENAI_API_KEY, ANTHROPIC_API_KEY, …), or `models.providers` in the configuration.',
    ),
  );
}

export async function modelsStatus(call: Call): Promise<void> {
  const link = await call.gateway();
  const { model } = await link.request<{ model: ModelChoice }>('status', {});
  if (call.flags.has('json')) return call.io.out(JSON.stringify(model, null, 2));
  call.io.out(
    columns([
      ['model', `${model.provider}/${model.model}`],
      ['chosen by', model.source],
    ]),
  );
}
