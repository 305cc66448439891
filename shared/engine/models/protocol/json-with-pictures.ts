/** Shorter texts are written like any other. */
const shortest = 64 * 1024
/** Nothing of it is escaped in JSON. */
const plainDataUrl = /^data:[\w.+/;=-]+,[\w.+/=%-]*$/

/**
 * JSON in which the data URLs of pictures stand as they are, and everything else in ASCII. With one character beyond Latin-1
 * in a message or in the words of a tool, each of the many million characters of its pictures would take two bytes.
 *
 * @example
 * jsonWithPictures({ text: '☀' }) // => '{"text":"\\u2600"}'
 */
export function jsonWithPictures(body: object): string {
  const pictures: string[] = []
  const mark = crypto.randomUUID()
  const json = JSON.stringify(body, (_, value) => {
    if (typeof value !== 'string' || value.length < shortest || !plainDataUrl.test(value)) return value
    pictures.push(value)
    return mark
  })
  return json
    .split(mark)
    .flatMap((part, index) => [...pictures.slice(index - 1, index), inAscii(part)])
    .join('')
}

/** JSON has characters beyond ASCII in texts only, where any of them may be escaped. */
function inAscii(json: string): string {
  const escaped = json.replace(
    /[\x7f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  // V8 keeps two bytes for each character of a text that had others once.
  return new TextDecoder().decode(new TextEncoder().encode(escaped))
}
