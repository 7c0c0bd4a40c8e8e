/** Emoji as people write them and as Slack names them. */
import { AppError } from '../../sdk/index.ts';

/** Those that are used as reactions; any other is written by its Slack name. */
const NAMES: Readonly<Record<string, string>> = {
  '👍': '+1', '👎': '-1', '👌': 'ok_hand', '👏': 'clap', '🙌': 'raised_hands', '🙏': 'pray', '💪': 'muscle', '👋': 'wave', '🤝': 'handshake', '👀': 'eyes', '✌': 'v', '🤞': 'crossed_fingers', '👉': 'point_right', '✋': 'hand', '🫡': 'saluting_face',
  '❤': 'heart', '🧡': 'orange_heart', '💛': 'yellow_heart', '💚': 'green_heart', '💙': 'blue_heart', '💜': 'purple_heart', '🖤': 'black_heart', '💔': 'broken_heart', '💯': '100', '🔥': 'fire', '✨': 'sparkles', '⭐': 'star', '🌟': 'star2', '💡': 'bulb', '🎉': 'tada', '🎊': 'confetti_ball', '🚀': 'rocket', '🏆': 'trophy', '🎯': 'dart',
  '✅': 'white_check_mark', '☑': 'ballot_box_with_check', '✔': 'heavy_check_mark', '❌': 'x', '❗': 'exclamation', '❓': 'question', '⚠': 'warning', '🚫': 'no_entry_sign', '⛔': 'no_entry', '🛑': 'octagonal_sign', '🔴': 'red_circle', '🟢': 'large_green_circle', '🟡': 'large_yellow_circle', '🔵': 'large_blue_circle', '➕': 'heavy_plus_sign', '➖': 'heavy_minus_sign', '🆗': 'ok', '🆕': 'new',
  '⏳': 'hourglass_flowing_sand', '⌛': 'hourglass', '⏰': 'alarm_clock', '⌚': 'watch', '📅': 'date', '🔄': 'arrows_counterclockwise', '🔁': 'repeat', '▶': 'arrow_forward', '⏸': 'double_vertical_bar', '🔍': 'mag', '🔒': 'lock', '🔓': 'unlock', '🔑': 'key', '🔔': 'bell', '🔧': 'wrench', '🛠': 'hammer_and_wrench', '⚙': 'gear', '⚡': 'zap', '📌': 'pushpin', '📎': 'paperclip', '📝': 'memo', '✏': 'pencil2', '📦': 'package', '📈': 'chart_with_upwards_trend', '📉': 'chart_with_downwards_trend', '💬': 'speech_balloon', '💭': 'thought_balloon', '📷': 'camera', '🎤': 'microphone', '🎧': 'headphones', '💻': 'computer', '🤖': 'robot_face', '🐛': 'bug', '🦞': 'lobster', '🐱': 'cat', '🐶': 'dog', '☕': 'coffee', '🍕': 'pizza', '🍺': 'beer', '🎂': 'birthday', '☀': 'sunny', '🌧': 'rain_cloud',
  '😀': 'grinning', '😃': 'smiley', '😄': 'smile', '😁': 'grin', '😂': 'joy', '🤣': 'rolling_on_the_floor_laughing', '😅': 'sweat_smile', '😊': 'blush', '🙂': 'slightly_smiling_face', '😉': 'wink', '😍': 'heart_eyes', '😎': 'sunglasses', '🤔': 'thinking_face', '🤨': 'face_with_raised_eyebrow', '😐': 'neutral_face', '🙄': 'face_with_rolling_eyes', '😢': 'cry', '😭': 'sob', '😡': 'rage', '😱': 'scream', '😴': 'sleeping', '🤯': 'exploding_head', '🥳': 'partying_face', '😇': 'innocent', '🤷': 'shrug', '🤦': 'face_palm', '💀': 'skull', '👻': 'ghost', '🎃': 'jack_o_lantern', '🙈': 'see_no_evil', '🤗': 'hugging_face', '🥲': 'smiling_face_with_tear', '😬': 'grimacing', '😳': 'flushed', '😞': 'disappointed',
};
const ALIASES: Readonly<Record<string, string>> = { thumbsup: '+1', thumbsdown: '-1', heart_eyes_cat: 'heart_eyes_cat', raised_hand: 'hand', thinking: 'thinking_face' };
const TONES: Readonly<Record<string, string>> = { '🏻': '2', '🏼': '3', '🏽': '4', '🏾': '5', '🏿': '6' };

/** `👍`, `:thumbsup:` or `thumbsup` → Slack's name. `invalid` for what it cannot be. */
export function emojiName(emoji: string): string {
  const given = emoji.trim();
  if (/^:?[a-z0-9_+'-]{1,100}(?:::skin-tone-[2-6])?:?$/i.test(given)) return given.replace(/^:|:$/g, '').toLowerCase();
  const tone = Object.keys(TONES).find((sign) => given.includes(sign));
  const name = NAMES[given.replaceAll('\ufe0f', '').replace(tone ?? '', '')];
  if (name) return tone ? `${name}::skin-tone-${TONES[tone]}` : name;
  throw new AppError('invalid', `Slack needs the name of the emoji ${given.slice(0, 20)}, such as thumbsup or white_check_mark.`);
}

/** Slack's name → the emoji, or `:name:` where it is the workspace's own. */
export function emojiOf(name: string): string {
  const base = name.split('::')[0]!;
  const wanted = ALIASES[base] ?? base;
  return Object.entries(NAMES).find(([, known]) => known === wanted)?.[0] ?? `:${base}:`;
}
