/** The capabilities of this page: each is off until the person allows it, and says why it is off. */
import { cameraClip, cameraList, cameraSnap, close, microphoneClip } from './camera.ts';
import { NodeError } from './node-error.ts';
import { systemNotify } from './notify.ts';
import { locationGet } from './place.ts';
import type { ScreenShare } from './screen.ts';
import type { ShownCanvas } from './shown-canvas.ts';
import type { CapabilityId, Work } from './work.ts';

/** A permission that the person can switch on the page. */
export interface Capability {
  readonly id: CapabilityId;
  readonly title: string;
  /** What the agent can do if it is allowed. */
  readonly allows: string;
  /** Prefix of the error codes. */
  readonly code: string;
  readonly commands: Readonly<Record<string, Work>>;
  /** Name of its permission in the browser. */
  readonly permission?: string;
  /** Why this browser does not support it; undefined: it does. */
  missing(): string | undefined;
  /**
   * Requests the permission from the browser, which prompts the person; only after a click. Rejects if it is denied.
   */
  ask(): Promise<void>;
}

const noCapture = (): string | undefined =>
  'mediaDevices' in navigator && 'MediaRecorder' in globalThis ? undefined : 'this browser records nothing';

const tried = async (constraints: MediaStreamConstraints): Promise<void> =>
  close(await navigator.mediaDevices.getUserMedia(constraints));

export const capabilitiesOf = (screen: ScreenShare, canvas: ShownCanvas, ended: () => void): readonly Capability[] => [
  {
    id: 'camera',
    title: 'Camera',
    allows: 'Take pictures and clips of up to a minute while this page is in front.',
    code: 'CAMERA',
    permission: 'camera',
    commands: { 'camera.list': cameraList, 'camera.snap': cameraSnap, 'camera.clip': cameraClip },
    missing: noCapture,
    ask: () => tried({ video: true }),
  },
  {
    id: 'microphone',
    title: 'Microphone',
    allows: 'Record sound, alone or with a clip of the camera, while this page is in front.',
    code: 'MIC',
    permission: 'microphone',
    commands: { 'microphone.clip': microphoneClip },
    missing: noCapture,
    ask: () => tried({ audio: true }),
  },
  {
    id: 'location',
    title: 'Location',
    allows: 'See where this device is when the agent asks. It is not followed.',
    code: 'LOCATION',
    permission: 'geolocation',
    commands: { 'location.get': locationGet },
    missing: () => ('geolocation' in navigator ? undefined : 'this browser knows no location'),
    ask: async () => void (await locationGet({}, { signal: new AbortController().signal, isOn: () => false })),
  },
  {
    id: 'notifications',
    title: 'Notifications',
    allows: 'Show a notification on this device.',
    code: 'NOTIFICATIONS',
    permission: 'notifications',
    commands: { 'system.notify': systemNotify },
    missing: () =>
      'Notification' in globalThis && 'serviceWorker' in navigator
        ? undefined
        : 'this browser shows no notifications here; on an iPhone add the page to the home screen first',
    async ask() {
      if ((await Notification.requestPermission()) !== 'granted')
        throw new NodeError('NOTIFICATIONS_DISABLED', 'the browser does not allow notifications for this page');
    },
  },
  {
    id: 'screen',
    title: 'Screen',
    allows: 'Record the screen or window you choose now, until you end sharing or close this page.',
    code: 'SCREEN',
    commands: { 'screen.record': screen.record, 'screen.snapshot': screen.snapshot },
    missing: () =>
      'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices
        ? undefined
        : 'this browser cannot share its screen; browsers of phones cannot',
    ask: () => screen.begin(ended),
  },
  {
    id: 'canvas',
    title: 'Canvas',
    allows: 'Show pages and forms of the agent here. They get no access to this device.',
    code: 'CANVAS',
    commands: canvas.commands,
    missing: () => undefined,
    ask: () => Promise.resolve(),
  },
];

/** Command → the reason why it is unavailable now, beginning with its code. */
export function unavailableNow(
  capabilities: readonly Capability[],
  { isOn, isBlocked }: { isOn(id: CapabilityId): boolean; isBlocked(id: CapabilityId): boolean },
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    capabilities.flatMap((one) => {
      const why = reasonOf(one, { on: isOn(one.id), blocked: isBlocked(one.id) });
      return why === undefined ? [] : Object.keys(one.commands).map((command) => [command, why]);
    }),
  );
}

function reasonOf(
  { code, title, missing }: Capability,
  { on, blocked }: { readonly on: boolean; readonly blocked: boolean },
): string | undefined {
  const none = missing();
  if (none !== undefined) return `${code}_UNAVAILABLE: ${none}`;
  if (blocked) return `${code}_PERMISSION_REQUIRED: the browser does not allow it for this page`;
  return on ? undefined : `${code}_DISABLED: ${title.toLowerCase()} is switched off on the page of the node`;
}
