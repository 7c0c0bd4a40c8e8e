/** Doctor checks of bindings that can never match, with the channels of the running gateway. */
import { type Check, ok, warn } from './check.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

export const routeChecks: readonly Check[] = [
  {
    name: 'routes',
    async run({ gateway }) {
      if (!('link' in gateway)) return ok('needs a running gateway');
      const { issues } = await gateway.link.request<{
        issues: readonly { path: string; problem: string; fix?: string }[];
      }>('route.review', {});
      const [first] = issues;
      return first
        ? warn(
            `${first.path}: ${first.problem}${issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''}`,
            first.fix ?? `See \`${OWN_COMMAND} route explain\`.`,
          )
        : ok('every binding can match');
    },
  },
];
