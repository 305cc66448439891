/**
 * Makes pictures in a model's text plain text: a front end would load them, and an address that a page has talked the
 * model into carries what was said to whoever owns it. In code, too: where code begins and ends is for each front end
 * to say, and none of them agree.
 */
const image = /!\[|<(?=img)/gi
/** What the next piece may make the beginning of a picture. */
const mayBegin = /(?:!|<(?:i(?:m)?)?)$/i

/**
 * @example
 * withoutImages('See ![it](https://example.com/a.png)') // => 'See !\\[it](https://example.com/a.png)'
 */
export function withoutImages(text: string): string {
  return text.replace(image, (start) => (start === '<' ? '\\<' : '!\\['))
}

/** The same for a text that comes in pieces: what could become a picture waits for the next one. */
export class ImageFilter {
  private held = ''

  push(piece: string): string {
    const text = this.held + piece
    this.held = mayBegin.exec(text)?.[0] ?? ''
    return withoutImages(text.slice(0, text.length - this.held.length))
  }

  /** What still waits at the end. */
  flush(): string {
    const { held } = this
    this.held = ''
    return held
  }
}
