/** Serves `models.*`: the providers that can be set up, and test answers of models. */
import { z } from 'zod';
import { asAppError } from '../../core/errors.ts';
import type { HostAgents, Machine } from '../../host/host.ts';
import { defineMethods, type MethodWorks } from '../../host/method.ts';
import type { ModelAnswers } from './answers.ts';

/** A model on this machine may have to be loaded first. */
const TEST_TIMEOUT_MS = 60_000;

export const modelSpecs = defineMethods({
  'models.providers': {
    summary: 'The model providers that can be set up, where the key of each comes from, and their models.',
    needs: 'operator.read',
    params: z.strictObject({}),
  },
  'models.test': {
    summary: 'Asks a model for one short answer, and says why if there is none.',
    needs: 'operator.admin',
    params: z.strictObject({ model: z.string().min(1).max(512).describe('`provider/model`, or an alias.') }),
  },
});

interface ModelMethodDeps {
  readonly agents: Pick<HostAgents, 'vendors' | 'tryModel'>;
  readonly clock: Pick<Machine['clock'], 'now'>;
}

export const modelMethods = ({ agents, clock }: ModelMethodDeps): MethodWorks<typeof modelSpecs, ModelAnswers> => ({
  'models.providers': async () => ({ providers: await agents.vendors() }),

  async 'models.test'({ model }) {
    const begin = clock.now();
    const ms = (): number => clock.now() - begin;
    try {
      const text = await agents.tryModel(model, AbortSignal.timeout(TEST_TIMEOUT_MS));
      return { ok: true, ms: ms(), text };
    } catch (error) {
      // Whatever a provider says is the answer to the question whether the model works.
      const { code, message } = asAppError(error);
      return { ok: false, ms: ms(), code, problem: message };
    }
  },
});
