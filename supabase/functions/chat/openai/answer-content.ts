import { ImageFilter } from './plain-images.ts'

/**
 * What a client is sent of an answer: first what is news in its chat, then the words of the run, as plain text. Where the
 * client has an answer that is to be continued (`given`) and this one begins with it, only the rest; where it differs,
 * all of it.
 */
export class AnswerContent {
  /** All that was sent. */
  sent = ''
  private readonly emit: (text: string) => void
  private readonly images = new ImageFilter()
  /** What comes first. */
  private front: string
  /** What was given and has not come yet. */
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

  /** The end of the run; `last` is said behind its words. An answer that ends within what was given is another one. */
  end(last = ''): void {
    this.take(this.images.flush() + last)
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
    this.expected = ''
    this.held = ''
    if (rest !== '') this.say(rest)
  }

  private say(text: string): void {
    // Without words of its own an answer is the news alone.
    const said = text === '' ? this.front.trimEnd() : this.front + text
    this.front = ''
    this.sent += said
    this.emit(said)
  }
}
