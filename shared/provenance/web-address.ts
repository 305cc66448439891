/** One spelling for one address: scheme and host in lower case, percent-encoding undone where it changes nothing. */
export function foldWebAddress(value: string): string | undefined {
  const text = value.trim()
  if (/[\s\p{Default_Ignorable_Code_Point}]/u.test(text)) return undefined
  try {
    const url = new URL(text)
    return url.href.replace(/%[0-9A-F]{2}/gi, (code) => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase()
    })
  } catch {
    return undefined
  }
}

/** Every web address in a text, folded; one written without its scheme is read as https. */
export function webAddressesIn(text: string): string[] {
  const found =
    text.match(
      /(?:[a-z][a-z0-9+.-]*:\/\/|(?<![\p{L}\p{N}@.-])(?=[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+))[^\s<>"“”«»`]+/giu,
    ) ?? []
  return found.flatMap((match) => {
    const trimmed = trimEnd(match)
    return foldWebAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`) ?? []
  })
}

/** Punctuation of the sentence, and a closing bracket that was not opened inside, do not belong to the address. */
function trimEnd(address: string): string {
  for (let text = address; ; ) {
    const last = text.at(-1) ?? ''
    const opening = { ')': '(', ']': '[', '}': '{' }[last]
    const unopened = opening !== undefined && text.split(opening).length < text.split(last).length
    if (!unopened && !/[.,;:!?'’*_]/.test(last)) return text
    text = text.slice(0, -1)
  }
}
