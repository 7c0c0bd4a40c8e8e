/** Which sensor each command of a node uses; read by the gateway and by the page that is a node. */

/** Commands that watch or listen to somebody, with what is in use while they do. */
export const SENSOR_OF: Readonly<Record<string, 'camera' | 'microphone' | 'screen' | 'location'>> = {
  'camera.snap': 'camera',
  'camera.clip': 'camera',
  'microphone.clip': 'microphone',
  'screen.record': 'screen',
  'screen.snapshot': 'screen',
  'location.get': 'location',
};
