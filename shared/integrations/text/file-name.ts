/** Extensions for files that came without a name. */
const extensions: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
}

const maxLength = 255

/**
 * A valid name for a file, here and as an attachment: one line, no folder, nothing that hides its extension
 * (characters that reverse the reading direction, encoded words of RFC 2047).
 */
export function cleanFileName(name: string | undefined, mediaType: string): string {
  const last = (name ?? '').split(/[/\\]/).at(-1) ?? ''
  const clean = last
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, ' ')
    .replaceAll('=?', '= ')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') {
    const extension = extensions[mediaType]
    return extension ? `file.${extension}` : 'file'
  }
  return shorten(clean)
}

/** Drops the middle, so that the extension stays. */
function shorten(name: string): string {
  if (name.length <= maxLength) return name
  const characters = Array.from(name)
  const end = characters.slice(-20).join('')
  let start = characters.slice(0, maxLength - 21).join('')
  while (start.length + end.length + 1 > maxLength) start = Array.from(start).slice(0, -1).join('')
  return `${start}…${end}`
}
