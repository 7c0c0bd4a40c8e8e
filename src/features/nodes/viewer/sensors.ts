/** Maps each command of a node to its sensor; used by the gateway and by the node page. */

/** Commands that watch or listen to somebody, with what is in use while they do. */
export const SENSOR_OF: Readonly<Record<string, 'camera' | 'microphone' | 'screen' | 'location'>> = {
  'camera.snap': 'camera',
  'camera.clip': 'camera',
  'microphone.clip': 'microphone',
  'screen.record': 'screen',
  'screen.snapshot': 'screen',
  'location.get': 'location',
};
