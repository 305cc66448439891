import { decodeWords } from 'postal-mime'

/** Characters that start escape sequences of ISO-2022 and HZ, which are all ASCII, and so valid UTF-8. */
const shifts = ['\u001b$', '\u001b(', '~{']

/** Names that mail programs write and the Encoding Standard does not know, or reads more narrowly than they do. */
const names: Record<string, string> = {
  ...{ gb2312: 'gb18030', gbk: 'gb18030', 'x-gbk': 'gb18030', 'euc-cn': 'gb18030' },
  ...{ cp936: 'gb18030', ms936: 'gb18030', 'windows-936': 'gb18030' },
  ...{ cp932: 'shift_jis', 'windows-932': 'shift_jis', cp950: 'big5', 'windows-950': 'big5' },
  ...{ cp949: 'euc-kr', uhc: 'euc-kr', ks_c_5601: 'euc-kr', 'latin-1': 'windows-1252' },
}

/** What windows-1252 has where ISO-8859-1 has control characters: Node 20 decodes both alike. */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * The text of a part. Gmail converts some texts to UTF-8 while their headers still declare another charset: valid UTF-8
 * is read as UTF-8, everything else as declared. What does not fit its declaration is read as windows-1252, as mail
 * programs do, unless most of it is UTF-8.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): string {
  const text = decode(bytes, 'utf-8', true)
  const declared = charset && nameOf(charset)
  if (
    text !== undefined &&
    !(declared && /^(?:iso-2022|hz)/.test(declared) && shifts.some((shift) => text.includes(shift)))
  ) {
    // UTF-16 of plain English is valid UTF-8 in which every other character is zero.
    return declared?.startsWith('utf-16') && text.includes('\0') ? (decode(bytes, declared) ?? text) : text
  }
  if (declared === 'iso-2022-kr')
    return decodeShifted(bytes, { from: '\u000e', to: '\u000f', name: 'euc-kr' })
  if (declared?.startsWith('hz')) return decodeShifted(bytes, { from: '~{', to: '~}', name: 'gb18030' })
  const said = declared && encodingOf(declared)
  if (said && said !== 'utf-8' && said !== 'windows-1252') return decode(bytes, said) ?? ''
  const lossy = decode(bytes, 'utf-8') ?? ''
  const broken = count(lossy, /\ufffd/g)
  return count(lossy, /[^\0-\u007f\ufffd]/gu) > broken ? lossy : decodeWindows(bytes)
}

/** Whether `TextDecoder` knows a charset, and what the Encoding Standard calls it. */
function encodingOf(name: string): string | undefined {
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

function nameOf(charset: string): string {
  const name = charset.replace(/["']/g, '').trim().toLowerCase()
  const windows = /^(?:win|windows|cp|x-cp|ms)[-_]?(125\d|874)$/.exec(name)?.[1]
  return windows ? `windows-${windows}` : (names[name] ?? name)
}

/** Undefined if the charset is unknown, or with `strict` if the bytes do not fit it. */
function decode(bytes: Uint8Array, charset: string, strict = false): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: strict }).decode(bytes)
  } catch {
    return undefined
  }
}

function decodeWindows(bytes: Uint8Array): string {
  return (decode(bytes, 'windows-1252') ?? '').replace(
    /[\u0080-\u009f]/g,
    (character) => windowsCharacters[character.charCodeAt(0) - 0x80] ?? character,
  )
}

/** ISO-2022-KR and HZ: between two marks, the bytes of another charset without their highest bit (RFC 1557, RFC 1843). */
function decodeShifted(
  bytes: Uint8Array,
  { from, to, name }: { from: string; to: string; name: string },
): string {
  const isAt = (at: number, mark: string) =>
    [...mark].every((one, index) => bytes[at + index] === one.charCodeAt(0))
  const shifted: number[] = []
  let high = 0
  for (let at = 0; at < bytes.length; at++) {
    const mark = high === 0 ? from : to
    if (isAt(at, mark)) {
      high ^= 0x80
      at += mark.length - 1
    } else shifted.push((bytes[at] ?? 0) | high)
  }
  return (decode(Uint8Array.from(shifted), name) ?? '').replace('\u001b$)C', '')
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

/** A header as people read it, on one line. */
export function decodeHeader(value: string): string {
  return decodeWords(value)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}
