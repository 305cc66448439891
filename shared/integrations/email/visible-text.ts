/** Characters that nobody sees, alone or beside others. */
const invisible = /[\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/gu

/** Letters that models read and people do not see: tags, but not those of a flag, and selectors, but not that of a Han character. */
const smuggled =
  /(\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}|\p{Script=Han}[\u{E0100}-\u{E01EF}])|(?:[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}])+/gu

/** Fillers that keep the rest of a mail out of its preview, or spell a text in bits. */
const filler =
  /[\p{Default_Ignorable_Code_Point}\u2800](?:[ \u00a0]*[\p{Default_Ignorable_Code_Point}\u2800]){3,}/gu

/** Whether a person sees anything in a text. */
export function isBlank(text: string): boolean {
  return text.replace(invisible, '') === ''
}

/** A text without long runs of characters that are not there for its readers. */
export function withoutFillers(text: string): string {
  return text.replace(smuggled, '$1').replace(filler, '')
}

/** Addresses: they differ between the two forms of a mail. */
const address = /\[?<?\b(?:https?:\/\/|mailto:)[^\s<>\])]{1,5000}>?\]?/gi
/** Words; in scripts without spaces, single characters. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{N}\p{M}])+/gu
/** Of the words of one form, those that the other one may leave out. */
const mostMissing = 0.1

/** Whether a text says what another one says: all its figures, and nearly all its words, in whatever order. */
export function saysAll(text: string, other: string): boolean {
  const said = wordsOf(text)
  const all = [...wordsOf(other)]
  const missing = all.filter((one) => !said.has(one))
  return missing.length <= all.length * mostMissing && !missing.some((one) => /\p{N}/u.test(one))
}

function wordsOf(text: string): Set<string> {
  return new Set(withoutFillers(text).normalize('NFKC').toLowerCase().replace(address, ' ').match(word) ?? [])
}
