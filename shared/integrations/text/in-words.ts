/** "a", "a and b", "a, b and c". */
export function inWords(names: readonly string[], last: 'and' | 'or' = 'and'): string {
  return names.join(', ').replace(/, ([^,]*)$/, ` ${last} $1`)
}
