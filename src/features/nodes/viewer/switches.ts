/** The permissions of the person. They are stored, except for a shared screen; the browser may revoke any of them. */
import type { Capability } from './capabilities.ts';
import type { NodeStorage } from './node-storage.ts';
import { NodeError } from './node-error.ts';
import type { CapabilityId } from './work.ts';

export interface Switches {
  readonly on: ReadonlySet<CapabilityId>;
  /** Denied by the browser, regardless of the switch. */
  readonly blocked: ReadonlySet<CapabilityId>;
  /** Requests the permission from the browser; returns the reason if it stays off. */
  switchOn(capability: Capability): Promise<string | undefined>;
  switchOff(id: CapabilityId): void;
}

export async function createSwitches(
  keeping: NodeStorage,
  capabilities: readonly Capability[],
  changed: () => void,
): Promise<Switches> {
  const allowed = (await keeping.read('allowed')) ?? [];
  const usable = capabilities.filter(({ id, missing }) => allowed.includes(id) && id !== 'screen' && !missing());
  const on = new Set(usable.map(({ id }) => id));
  const blocked = new Set<CapabilityId>();
  const keep = (): void => {
    void keeping.write('allowed', [...on]);
    changed();
  };
  await Promise.all(
    capabilities.map(({ id, permission }) =>
      followPermission(permission, (denied) => {
        if (denied === blocked.has(id)) return;
        if (denied) on.delete(id);
        blocked[denied ? 'add' : 'delete'](id);
        keep();
      }),
    ),
  );
  return {
    on,
    blocked,
    async switchOn({ id, title, ask }) {
      try {
        await ask();
      } catch (cause) {
        if (!(cause instanceof DOMException || cause instanceof NodeError)) throw cause;
        return `${title}: still off. ${cause.message}`;
      }
      blocked.delete(id);
      on.add(id);
      keep();
      return undefined;
    },
    switchOff(id) {
      on.delete(id);
      keep();
    },
  };
}

/** Browsers that do not know the permission name cannot report it; the result is then known only after a use. */
async function followPermission(name: string | undefined, apply: (denied: boolean) => void): Promise<void> {
  if (name === undefined || !('permissions' in navigator)) return;
  try {
    const status = await navigator.permissions.query({ name: name as PermissionName });
    status.addEventListener('change', () => apply(status.state === 'denied'));
    apply(status.state === 'denied');
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
  }
}
