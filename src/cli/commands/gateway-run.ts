/** `gateway run`: starts the gateway and returns when it stops. */
import { present } from '../../core/present.ts';
import type { Call } from '../command.ts';

export function gatewayRun({ flags, io }: Call): Promise<number> {
  const port = flags.number('port');
  const bind = flags.text('bind');
  const token = flags.text('token');
  return io.runGateway(present({ port, bind, token, verbose: flags.has('verbose') }));
}
