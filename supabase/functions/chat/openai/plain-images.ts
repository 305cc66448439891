/**
 * Turns pictures and HTML in a model's text into plain text: a front end would load their URLs, and a URL that a page
 * talked the model into could leak the conversation to its owner. There is no list of tags: in text every tag is broken,
 * in code blocks, which people copy, only those that load something (Open WebUI shows such code as a page).
 * Pictures in code are broken too: front ends disagree on where code starts and ends. The change is a single inserted
 * space: `vec! [1]` and `! [1].includes(x)` keep their meaning, and no markup of the writer can undo it.
 */
const inText = /!\[|\]\(|<(?=[a-z!/?])/gi
const inCode =
  /!\[|\]\(|<(?=img|image|video|audio|source|track|picture|iframe|frame|embed|object|link|style|svg)/gi
/** What the next chunk may turn into one of these. */
const mayBegin = /(?:<?!|\]|<[a-z]{0,7})$/i

/** Fences that everybody parses the same way: three marks at the start of a line of their own. */
const opening = /^```[\w+#.-]{0,30}[ \t]{0,30}\r?\n$/
const closing = /^```[ \t]{0,30}\r?\n$/
/** What only some parse as a fence; in text also the start of a formula, which may swallow one. */
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

/** The same for a text in chunks: whatever could become a picture or a tag waits for the next one. */
export class ImageFilter {
  private buffer = ''
  /** Whether the URL of a picture may follow: it is in the same paragraph. */
  private isOpen = false
  /** `unclear`: front ends may differ from here on, so everything is text. */
  private place: 'text' | 'code' | 'unclear' = 'text'
  /** The end of the line so far. */
  private line = ''
  private isUnclear = false

  push(piece: string): string {
    const text = this.buffer + piece
    this.buffer = mayBegin.exec(text)?.[0] ?? ''
    return this.plain(text.slice(0, text.length - this.buffer.length))
  }

  /** What is still waiting at the end. */
  flush(): string {
    const { buffer } = this
    this.buffer = ''
    return this.plain(buffer)
  }

  private plain(text: string): string {
    const parts = text.split(/(?<=\n)/)
    return parts.map((part) => this.plainPart(part)).join('')
  }

  /** A line, or part of one. */
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
