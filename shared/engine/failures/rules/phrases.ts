/**
 * Matches any of the phrases, as whole words only, so that neither "somewhat" nor "14290" says anything.
 * Phrases are regular expressions; `~` stands for a few words.
 */
export function phrases(...list: readonly string[]): RegExp {
  const alternatives = list.map((phrase) => phrase.replaceAll('~', '.{0,40}?')).join('|')
  return new RegExp(`(?<![\\w-])(?:${alternatives})(?![\\w-])`, 'i')
}
