/** The shell of a turn, which loads the code of commands with the first one. */
import type { Processes, Shell } from '../../core/shell.ts';

export function lazyShell(load: () => Promise<Shell>): Shell {
  const of = async (): Promise<Processes> => (await load()).processes;
  return {
    run: async (request, watch) => (await load()).run(request, watch),
    processes: {
      list: async () => (await of()).list(),
      poll: async (id, options) => (await of()).poll(id, options),
      log: async (id, window) => (await of()).log(id, window),
      write: async (id, data, options) => (await of()).write(id, data, options),
      kill: async (id) => (await of()).kill(id),
      clear: async (id) => (await of()).clear(id),
      remove: async (id) => (await of()).remove(id),
    },
  };
}
