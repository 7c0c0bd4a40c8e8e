/** Advice for errors of nodes: one sentence per code, for the model to pass on. */

const ADVICE: Readonly<Record<string, string>> = {
  CAMERA_DISABLED: 'Its person can switch the camera on at the device (headless host: `node install --camera`).',
  CAMERA_PERMISSION_REQUIRED: 'Its person has to allow the camera in the settings of the device or browser.',
  MIC_PERMISSION_REQUIRED: 'Its person has to allow the microphone, or record without sound (includeAudio false).',
  SCREEN_PERMISSION_REQUIRED: 'Its person has to allow screen recording in the settings of the device.',
  SCREEN_DISABLED: 'Its person can switch the screen on at the device (headless host: `node install --screen`).',
  LOCATION_DISABLED: 'Its person can switch the location on at the device.',
  LOCATION_PERMISSION_REQUIRED: 'Its person has to allow the location in the settings of the device or browser.',
  LOCATION_BACKGROUND_UNAVAILABLE: 'Ask its person to open the app or page of the node.',
  NODE_BACKGROUND_UNAVAILABLE: 'Ask its person to open the app or page of the node and keep it in front.',
  PAYLOAD_TOO_LARGE: 'Ask for a shorter recording or a smaller picture.',
  NOT_CONNECTED: 'Ask its person to start it.',
  NODE_DISCONNECTED: 'It may come back; look with action "status" before you try again.',
  TIMEOUT: 'The device may be busy or asleep; whether it was done there is not known.',
};

/** Undefined: the error message is sufficient. */
export function adviceFor(details: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const code = details?.['code'];
  return typeof code === 'string' && Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
}
