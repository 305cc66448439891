/**
 * Makes pictures and HTML in a model's text plain text: a front end would load what they name, and an address that a
 * page has talked the model into carries what was said to whoever owns it. No list of tags: in text every one of them
 * is broken, in blocks of code, which people copy, only those that load something (Open WebUI shows such code as a page).
 * Pictures in code, too: where code begins and ends is for each front end to say, and none of them agree. So it is one
 * blank that is put in: `vec! [1]` and `! [1].includes(x)` still mean what they did, and no mark of the writer can undo it.
 */
const inText = /!\[|\]\(|<(?=[a-z!/?])/gi
const inCode =
  /!\[|\]\(|<(?=img|image|video|audio|source|track|picture|iframe|frame|embed|object|link|style|svg)/gi
/** What the next piece may make one of these. */
const mayBegin = /(?:<?!|\]|<[a-z]{0,7})$/i

/** The fences that everybody reads in the same way: of three marks, alone on a line that begins with them. */
const opening = /^```[\w+#.-]{0,30}[ \t]{0,30}\r?\n$/
const closing = /^```[ \t]{0,30}\r?\n$/
/** What some read as a fence, and others do not; in text also what begins a formula, which may swallow one. */
const unclearInCode = /```|~~~|\r(?!\n|$)/
const unclearInText = /```|~~~|\r(?!\n|$)|\$\$|\\[[(]|\\begin/
/** Characters of a line that are kept: more than a fence has. */
const keptOfLine = 200

/**
 * @example
 * withoutImages('See ![it](https://example.com/a.png)') // => 'See ! [it] (https://example.com/a.png)'
 * withoutImages('Press <input type="image" src="//example.com">') // => 'Press < input type="image" src="//example.com">'
 */
export function withoutImages(text: string): string {
  const filter = new ImageFilter()
  return filter.push(text) + filter.flush()
}

/** The same for a text that comes in pieces: what could become a picture or a tag waits for the next one. */
export class ImageFilter {
  private held = ''
  /** Whether the address of a picture may follow: it stands in the same paragraph. */
  private isOpen = false
  /** `unclear`: front ends may differ from here on, so all is text. */
  private place: 'text' | 'code' | 'unclear' = 'text'
  /** The end of the line so far. */
  private line = ''
  private isUnclear = false

  push(piece: string): string {
    const text = this.held + piece
    this.held = mayBegin.exec(text)?.[0] ?? ''
    return this.plain(text.slice(0, text.length - this.held.length))
  }

  /** What still waits at the end. */
  flush(): string {
    const { held } = this
    this.held = ''
    return this.plain(held)
  }

  private plain(text: string): string {
    const parts = text.split(/(?<=\n)/)
    return parts.map((part) => this.plainPart(part)).join('')
  }

  /** A line, or a piece of one. */
  private plainPart(part: string): string {
    const line = this.line + part
    const isCode = this.place === 'code'
    const unclear = this.isUnclear ? 0 : line.search(isCode ? unclearInCode : unclearInText)
    this.isUnclear = unclear >= 0
    // Up to there it is code.
    const end = !isCode ? 0 : unclear < 0 ? part.length : Math.max(0, unclear - this.line.length)
    const plain = this.breakMarks(part.slice(0, end), inCode) + this.breakMarks(part.slice(end), inText)
    if (part.endsWith('\n')) this.endLine(line)
    else this.line = line.slice(-keptOfLine)
    return plain
  }

  private endLine(line: string): void {
    if (this.place === 'text' && opening.test(line)) this.place = 'code'
    else if (this.place === 'code' && closing.test(line)) this.place = 'text'
    else if (this.isUnclear) this.place = 'unclear'
    if (line.trim() === '') this.isOpen = false
    this.isUnclear = false
    this.line = ''
  }

  private breakMarks(text: string, marks: RegExp): string {
    return text.replace(marks, (mark) => {
      if (mark === '<') return '< '
      if (mark === '](') {
        const blank = this.isOpen ? ' ' : ''
        this.isOpen = false
        return `]${blank}(`
      }
      this.isOpen = true
      return '! ['
    })
  }
}
