/** First words of process names: short, friendly, hard to mishear. */
export const ADJECTIVES: readonly string[] = [
  'amber', 'bold', 'brave', 'breezy', 'bright', 'brisk', 'calm', 'cheery', 'clear', 'clever', 'cosy', 'crisp', 'curly', 'dapper', 'deep', 'eager',
  'early', 'fair', 'fancy', 'fast', 'fresh', 'gentle', 'glad', 'golden', 'grand', 'green', 'happy', 'hardy', 'hazy', 'honest', 'jolly', 'keen',
  'kind', 'lively', 'lucky', 'mellow', 'merry', 'mild', 'neat', 'nimble', 'noble', 'plucky', 'polite', 'proud', 'quick', 'quiet', 'rapid', 'ready',
  'rosy', 'round', 'shiny', 'silver', 'smooth', 'snug', 'steady', 'sunny', 'swift', 'tidy', 'vivid', 'warm', 'wide', 'wise', 'witty', 'young',
];
