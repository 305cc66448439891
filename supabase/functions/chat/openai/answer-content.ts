import { ImageFilter } from './plain-images.ts'

/**
 * The content of an answer for a client: first the news of its chat, then the words of the run, as plain text. If the
 * client has an answer to be continued (`given`) and this one starts with it, only the rest; if it differs, all of it, in a
 * paragraph of its own.
 */
export class AnswerContent {
  /** Everything that was sent. */
  sent = ''
  private readonly emit: (text: string) => void
  private readonly images = new ImageFilter()
  /** Sent first. */
  private front: string
  /** The part of `given` that has not come yet. */
  private expected: string
  private buffer = ''

  constructor({ news, given }: { news: readonly string[]; given: string }, emit: (text: string) => void) {
    this.emit = emit
    this.expected = given
    this.front = news.length === 0 ? '' : `${given === '' ? '' : '\n\n'}${news.join('\n')}\n\n`
  }

  /** Words of the run. */
  push(text: string): void {
    this.add(this.images.push(text))
  }

  /** The end of the run; `last` follows its words. An answer that ends within `given` is a different one. */
  end(last = ''): void {
    this.add(this.images.flush() + last)
    if (this.buffer !== '') this.begin()
    this.expected = ''
    this.add('')
    if (this.front !== '') this.say('')
  }

  private add(piece: string): void {
    const text = this.buffer + piece
    const length = Math.min(text.length, this.expected.length)
    const isGiven = text.slice(0, length) === this.expected.slice(0, length)
    if (isGiven && text.length < this.expected.length) {
      this.buffer = text
      return
    }
    const rest = isGiven ? text.slice(this.expected.length) : text
    if (!isGiven) this.begin()
    this.expected = ''
    this.buffer = ''
    if (rest !== '') this.say(rest)
  }

  /** Another answer than the one to be continued begins. */
  private begin(): void {
    if (this.front === '') this.front = '\n\n'
  }

  private say(text: string): void {
    // Without words of its own, the answer is just the news.
    const said = text === '' ? this.front.trimEnd() : this.front + text
    this.front = ''
    this.sent += said
    this.emit(said)
  }
}
