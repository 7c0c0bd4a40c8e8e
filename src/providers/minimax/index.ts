/** MiniMax's description of pictures. Its chat models are reached as an Anthropic-compatible server. */
import type { Provider } from '../../sdk/index.ts';
import { seeing } from './media.ts';

const minimax: Provider = {
  id: 'minimax',
  label: 'MiniMax',
  apis: [],
  envKeys: ['MINIMAX_API_KEY'],
  hostEnv: 'MINIMAX_API_HOST',
  media: { image: seeing(() => minimax) },
};

export default minimax;
