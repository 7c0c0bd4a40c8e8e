/** Doctor check: whether canvases can show everything that agents send. */
import { type Check, ok, warn } from '../../cli/doctor/check.ts';
import type { GatewayLink } from '../../cli/gateway-link.ts';
import { AppError } from '../../core/errors.ts';
import { visibleLine } from '../../core/visible-text.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import type { A2uiAnswers } from './answers.ts';
import { count } from './status.ts';

/** The last changed; older ones show no longer what matters. */
const MAX_CHECKED = 20;

export const checks: readonly Check[] = [
  {
    name: 'canvas',
    async run({ gateway }) {
      if (!('link' in gateway)) return ok('needs a running gateway');
      const canvases = await canvasesOf(gateway.link);
      if (!canvases) return ok('this gateway has no canvas');
      if (canvases.length === 0) return ok('no surfaces');
      for (const { sessionKey } of canvases.slice(0, MAX_CHECKED)) {
        const { surfaces } = await gateway.link.request<A2uiAnswers['a2ui.get']>('a2ui.get', { sessionKey });
        const [warning] = surfaces.filter(({ shown }) => shown).flatMap(({ warnings }) => warnings);
        if (warning !== undefined)
          return warn(
            `${visibleLine(sessionKey)}: ${visibleLine(warning)}`,
            `Ask the agent to repair the surface, or delete it: \`${OWN_COMMAND} canvas a2ui reset --session <key>\`.`,
          );
      }
      const surfaces = canvases.reduce((sum, one) => sum + one.surfaces, 0);
      return ok(`${count(surfaces, 'surface')} in ${count(canvases.length, 'session')}`);
    },
  },
];

/** Undefined: the gateway does not know the method. */
async function canvasesOf(link: GatewayLink): Promise<A2uiAnswers['a2ui.list']['canvases'] | undefined> {
  try {
    return (await link.request<A2uiAnswers['a2ui.list']>('a2ui.list', {})).canvases;
  } catch (error) {
    if (error instanceof AppError && error.message.startsWith('unknown method')) return undefined;
    throw error;
  }
}
