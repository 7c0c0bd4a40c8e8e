/** Ollama as it answers on its port: the list of pulled models, and Chat Completions under `/v1`. */
import { startFakeModels, type FakeModelServer } from '../../testing/fake-models/fake-model-server.ts';

/** Without names: a server that has no models yet. */
export function startFakeOllama(...models: readonly string[]): Promise<FakeModelServer> {
  return startFakeModels({
    '/api/tags': { models: models.map((name) => ({ name, model: name, size: 1, details: { family: 'fake' } })) },
  });
}
