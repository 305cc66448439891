/** How the lines of a text end. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** A text of ours, with its lines ended like those of the file that it goes into. */
export function endedLike(text: string, file: string): string {
  return text.replaceAll('\n', lineEndOf(file))
}

/** A text whose lines all end with LF. */
export function unixLines<Text extends string | undefined>(text: Text): Text {
  return text?.replaceAll('\r\n', '\n') as Text
}
