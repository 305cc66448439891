/** Endings of English words, with what stands there in the word they come from. */
const endings: readonly [ending: RegExp, bases: readonly string[]][] = [
  [/ies$/, ['y']],
  [/(?<!s)s$/, ['']],
  [/(?:est|er)$/, ['', 'e']],
  [/ily$/, ['y']],
  [/ly$/, ['']],
  [/(?:ing|ed)$/, ['', 'e']],
]
const shortestBase = 3

/** A word and what it may be a form of: `quickest` and `quick`, `moderately` and `moderate`, `studying` and `study`. */
export function formsOf(word: string): string[] {
  const forms = new Set([word])
  for (const [ending, bases] of endings) {
    const stem = word.replace(ending, '')
    if (stem === word || stem.length < shortestBase) continue
    for (const base of bases) forms.add(stem + base)
    // `running` comes from `run`.
    if (stem.at(-1) === stem.at(-2)) forms.add(stem.slice(0, -1))
  }
  return [...forms]
}
