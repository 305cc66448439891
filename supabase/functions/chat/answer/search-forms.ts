/**
 * A text as searches compare it: without case and accents, an umlaut without its dots, or as German writes it without
 * umlauts: `muller` or `mueller` for "Müller". SQL `fold` does the same.
 */
function fold(text: string, umlaut: '' | 'e' = ''): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is ASCII
  if (!/[^\u0001-\u007f]/.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ø', 'o\u0308')
    .replace(/([aou])\u0308/g, `$1${umlaut}`)
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[ßæœþıłđðħŧς]/g, (letter) => plain[letter] ?? letter)
    .normalize('NFC')
}

const plain: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
}

/** A word of a search: how what is found may begin, and a form that only finds whole words. */
export interface AskedWord {
  beginnings: string[]
  whole: string
}

/** The forms in which a word is looked for, as SQL `asked_words` has them. */
export function askedWord(word: string): AskedWord {
  const umlaut = fold(word, 'e')
  return { beginnings: [...new Set([fold(word), umlaut])], whole: withoutUmlautE(umlaut) }
}

/** The forms in which a search may ask for a word of a text, as SQL `word_forms` has them. */
export function wordForms(word: string): string[] {
  const forms = [...new Set([fold(word), fold(word, 'e')])]
  return [...new Set([...forms, ...forms.map(withoutUmlautE)])]
}

/** "muller" for "mueller", but "neue" and "quer" as they are. */
function withoutUmlautE(folded: string): string {
  return folded.replace(/(?<![aeiouq])([aou])e/g, '$1')
}
