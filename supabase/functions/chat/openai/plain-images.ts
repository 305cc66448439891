/**
 * Makes pictures in a model's text plain text: a front end would load them, and an address that a page has talked the
 * model into carries what was said to whoever owns it. HTML that loads something counts (Open WebUI draws `<video>`).
 * In code, too: where code begins and ends is for each front end to say, and none of them agree. So it is one blank
 * that is put in: `vec! [1]` and `! [1].includes(x)` still mean what they did, and no mark of the writer can undo it.
 */
const marks =
  /!\[|\]\(|\n[ \t]*(?=\n)|<(?=img|image|video|audio|source|track|picture|iframe|frame|embed|object|link|style|svg)/gi
/** What the next piece may make one of these. */
const mayBegin = /(?:!|\]|\n[ \t]*|<[a-z]{0,7})$/i

/**
 * @example
 * withoutImages('See ![it](https://example.com/a.png)') // => 'See ! [it] (https://example.com/a.png)'
 */
export function withoutImages(text: string): string {
  const filter = new ImageFilter()
  return filter.push(text) + filter.flush()
}

/** The same for a text that comes in pieces: what could become a picture waits for the next one. */
export class ImageFilter {
  private held = ''
  /** Whether the address of a picture may follow: it stands in the same paragraph. */
  private isOpen = false

  push(piece: string): string {
    const text = this.held + piece
    this.held = mayBegin.exec(text)?.[0] ?? ''
    return this.plain(text.slice(0, text.length - this.held.length))
  }

  /** What still waits at the end. */
  flush(): string {
    const { held } = this
    this.held = ''
    return held
  }

  private plain(text: string): string {
    return text.replace(marks, (mark) => {
      if (mark === '<') return '< '
      if (mark === '](') {
        const blank = this.isOpen ? ' ' : ''
        this.isOpen = false
        return `]${blank}(`
      }
      this.isOpen = mark === '!['
      return this.isOpen ? '! [' : mark
    })
  }
}
