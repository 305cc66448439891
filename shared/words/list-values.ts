const shownCharacters = 60
const listedValues = 12
const leastListed = 3
const listedCharacters = 140

/** A value for a sentence about a call: JSON, shortened. */
export function showValue(value: unknown, length = shownCharacters): string {
  const json = JSON.stringify(typeof value === 'string' ? value.slice(0, length + 1) : value) ?? 'nothing'
  return json.length > length ? `${json.slice(0, length - 1)}…` : json
}

/** The values of a choice, as many as fit at a glance: `"a", "b", … (40)`. */
export function listValues(values: readonly unknown[], show: (value: unknown) => string = showValue): string {
  const texts: string[] = []
  let length = 0
  for (const value of values) {
    const text = show(value)
    length += text.length + 2
    if (texts.length >= leastListed && (length > listedCharacters || texts.length >= listedValues)) break
    texts.push(text)
  }
  const rest = values.length > texts.length ? `, … (${values.length})` : ''
  return texts.join(', ') + rest
}
