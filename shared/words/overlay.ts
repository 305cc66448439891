/**
 * Words with those of somebody else in their place, member by member; texts, functions and lists are replaced whole.
 *
 * @example
 * overlay({ title: 'Titel', fields: { to: { title: 'An', hint: 'Wer?' } } }, { fields: { to: { title: 'Für' } } })
 * // => { title: 'Titel', fields: { to: { title: 'Für', hint: 'Wer?' } } }
 */
export function overlay<Words extends object>(ours: Words, own: object = {}): Words {
  const members = Object.entries(own).map(([name, words]) => {
    const other = Object.hasOwn(ours, name) ? ours[name as keyof Words] : undefined
    return [name, isGroup(words) && isGroup(other) ? overlay(other, words) : words]
  })
  return { ...ours, ...Object.fromEntries(members.filter(([, words]) => words !== undefined)) }
}

function isGroup(words: unknown): words is object {
  return typeof words === 'object' && words !== null && !Array.isArray(words)
}
