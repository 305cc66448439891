/** "a", "a and b", "a, b and c". */
export function inWords(names: readonly string[], last: 'and' | 'or' = 'and'): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`
}
