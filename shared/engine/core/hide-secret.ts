const mask = '***'
/** A piece this long is not a word that happens to be in a secret; the rest could be guessed. */
const pieceLength = 12

/**
 * Redacts a known secret and every longer piece of it: servers repeat keys that they refuse, sometimes
 * shortened.
 *
 * @example
 * hideSecret('No such key: correct-horse-batt…', 'correct-horse-battery-staple') // => 'No such key: ***…'
 */
export function hideSecret(text: string, secret: string): string {
  if (secret === '') return text
  const hidden = text.replaceAll(secret, mask)
  const pieces = new Set<string>()
  for (let at = 0; at + pieceLength <= secret.length; at++) pieces.add(secret.slice(at, at + pieceLength))
  if (![...pieces].some((piece) => hidden.includes(piece))) return hidden
  let shown = ''
  let hiddenTo = 0
  for (let at = 0; at < hidden.length; at++) {
    if (pieces.has(hidden.slice(at, at + pieceLength))) {
      if (hiddenTo <= at) shown += mask
      hiddenTo = at + pieceLength
    }
    if (at >= hiddenTo) shown += hidden[at]
  }
  return shown
}
