/** Scripts in which words follow each other without a space, or join one of another script, as in Korean. */
export const unspacedScripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Hangul',
].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))
export const unspacedScript = new RegExp(unspacedScripts.map(({ source }) => source).join('|'), 'u')
