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
  private held = ''

  constructor({ news, given }: { news: readonly string[]; given: string }, emit: (text: string) => void) {
    this.emit = emit
    this.expected = given
    this.front = news.length === 0 ? '' : `${given === '' ? '' : '\n\n'}${news.join('\n')}\n\n`
  }

  /** Words of the run. */
  push(text: string): void {
    this.take(this.images.push(text))
  }

  /** The end of the run; `last` follows its words. An answer that ends within `given` is a different one. */
  end(last = ''): void {
    this.take(this.images.flush() + last)
    if (this.held !== '') this.begin()
    this.expected = ''
    this.take('')
    if (this.front !== '') this.say('')
  }

  private take(text: string): void {
    const held = this.held + text
    const length = Math.min(held.length, this.expected.length)
    const isGiven = held.slice(0, length) === this.expected.slice(0, length)
    if (isGiven && held.length < this.expected.length) {
      this.held = held
      return
    }
    const rest = isGiven ? held.slice(this.expected.length) : held
    if (!isGiven) this.begin()
    this.expected = ''
    this.held = ''
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
