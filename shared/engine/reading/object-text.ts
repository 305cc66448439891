import { clipText } from '../core/clip-text.ts'
import { exactNumber, jsonNumber } from '../core/exact-json.ts'
import type { PartialArguments, UnreadableReason } from './arguments-reading.ts'
import { completePart, locateOpenValue, type OpenContainer, type OpenObject } from './open-containers.ts'
import { readString } from './string-text.ts'
import { isForbiddenKey, maxDepth, notAllowed, tooDeep } from './value-limits.ts'

/** An object read from a text that need not be JSON, or why there is none. `rules` names the repairs. */
type ObjectReading =
  | { ok: true; value: Record<string, unknown>; end: number; rules: string[] }
  | { ok: false; reason: UnreadableReason; message: string; partial: PartialArguments }

/** Reads the object that starts at `start`, its `{`, if it has exactly one reading. */
export function readObject(text: string, start: number): ObjectReading {
  return new ObjectReader(text, start).read()
}

/** What is read next; `stop` after the object's end and after a failure. */
type Step = 'member' | 'value' | 'after value' | 'stop'

const literals: Record<string, boolean | null> = { true: true, false: false, null: null }
const pythonLiterals: Record<string, boolean | null> = { True: true, False: false, None: null }
const blanks = /[\s\u180e\u200b\u2060\ufeff]*/y
const oddBlank = /[^ \t\r\n]/
const commentOpener = /\/\/|\/\*|#/y
const bareName = /[\p{L}\p{N}_$][\p{L}\p{N}_$.-]*/uy
const bareValue = /[^\s\u180e\u200b\u2060\ufeff,:{}[\]"'/#]+/y
/** A line after `//` that starts with a word, not a URL, and a value on the next line. */
const wordsBeforeValue = /\p{L}[\p{L}\p{N}_'-]*(?=\s)[^\n]*(?<![,\s])[ \t\r]*\n\s*(?=["'{[\d/-])/uy
/** A comment that is nothing but one value: a stray character may have turned an item or a member's value into a comment. */
const onlyValue = /^(?:-?\d[\d.eE+-]*|true|false|null|"[^"]*"|'[^']*')$/
/** Characters of a name in a message. */
const maxShown = 60

class ObjectReader {
  private readonly text: string
  private readonly root: OpenObject = { kind: 'object', value: {} }
  private readonly containers: [OpenObject, ...OpenContainer[]] = [this.root]
  private readonly rules = new Set<string>()
  private at: number
  private failure?: { reason: UnreadableReason; message: string }

  constructor(text: string, start: number) {
    this.text = text
    this.at = start + 1
  }

  read(): ObjectReading {
    let step: Step = 'member'
    while (step !== 'stop') {
      this.skipBlanks(step === 'value')
      if (this.failure) break
      if (this.at >= this.text.length) step = this.failCut()
      else if (step === 'member') step = this.readName()
      else if (step === 'value') step = this.readValue()
      else step = this.readAfterValue()
    }
    if (this.failure) return { ok: false, ...this.failure, partial: completePart(this.containers) }
    return { ok: true, value: this.root.value, end: this.at, rules: [...this.rules] }
  }

  /** Skips spaces and comments. */
  private skipBlanks(valueExpected: boolean): void {
    for (;;) {
      const skipped = this.match(blanks)?.[0] ?? ''
      if (oddBlank.test(skipped)) this.rules.add('odd_blank')
      const opener = this.match(commentOpener)?.[0]
      if (!opener) return
      this.rules.add('comment')
      // Where a value is expected, "//host/path" and "#ff0000" are values without quotes.
      const needsBlank = opener === '#' || (opener === '//' && valueExpected)
      if (needsBlank && /[^\s#/!]/.test(this.text[this.at] ?? '') && !this.isRemark(opener))
        return void this.fail('is neither a value nor a comment')
      const end = this.text.indexOf(opener === '/*' ? '*/' : '\n', this.at)
      const comment = this.text.slice(this.at, end === -1 ? undefined : end)
      this.at = end === -1 ? this.text.length : opener === '/*' ? end + 2 : end
      if (end !== -1 && mayHoldValue(comment, opener))
        return void this.fail('follows a comment that may hold a value')
    }
  }

  private isRemark(opener: string): boolean {
    wordsBeforeValue.lastIndex = this.at
    return opener === '//' && wordsBeforeValue.test(this.text)
  }

  private readName(): Step {
    if (this.text[this.at] === '}') return this.close('}')
    const name = this.name()
    if (name === undefined) return 'stop'
    this.skipBlanks(false)
    if (this.failure) return 'stop'
    const separator = this.text[this.at]
    if (separator === undefined) return this.failCut()
    if (separator !== ':') return this.failName('stands where a colon belongs')
    // Assigning it would replace the object's prototype.
    if (name === '__proto__') return this.failWith('forbidden_key', notAllowed(name))
    this.top<OpenObject>().key = name
    this.at++
    return 'value'
  }

  private name(): string | undefined {
    const first = this.text[this.at] ?? ''
    if (isQuote(first)) return this.quotedName(first)
    const bare = this.match(bareName)?.[0]
    if (bare === undefined) this.failName('stands where a name belongs')
    this.rules.add('unquoted_key')
    return bare
  }

  /** If the text between a name's quotes spans a raw line break, it contains more of the object. */
  private quotedName(quote: string): string | undefined {
    const start = this.at
    const name = this.string(quote)
    if (name === undefined) return undefined
    const written = this.text.slice(start, this.at)
    const containsMore = written.includes('\n') && /[:,{}]/.test(written)
    return containsMore ? void this.failName('follows two names in one') : name
  }

  private readValue(): Step {
    const char = this.text[this.at] ?? ''
    if (char === '{') return this.open({ kind: 'object', value: {} }, 'member')
    if (char === '[') return this.open({ kind: 'array', value: [] }, 'value')
    if (char === ']' && this.top().kind === 'array') return this.close(']')
    if (!isQuote(char)) return this.readBareValue()
    const value = this.string(char)
    return value === undefined ? 'stop' : this.addValue(value)
  }

  private readBareValue(): Step {
    const start = this.at
    const bare = this.match(bareValue)?.[0] ?? ''
    if (bare !== '' && this.at === this.text.length) return this.failCut()
    const value = this.literal(bare)
    if (value !== undefined) return this.addValue(value)
    this.at = start
    return this.fail('is not a value')
  }

  private literal(bare: string): number | string | boolean | null | undefined {
    if (jsonNumber.test(bare)) return exactNumber(bare)
    if (Object.hasOwn(literals, bare)) return literals[bare]
    if (!Object.hasOwn(pythonLiterals, bare)) return undefined
    this.rules.add('python_literal')
    return pythonLiterals[bare]
  }

  private string(quote: string): string | undefined {
    const reading = readString(this.text, this.at, quote)
    if (reading.state === 'cut') return void this.failCut()
    if (reading.state === 'unreadable') return void this.failWith('unreadable', reading.message)
    for (const rule of reading.rules) this.rules.add(rule)
    if (quote === "'") this.rules.add('single_quotes')
    this.at = reading.end
    return reading.value
  }

  private readAfterValue(): Step {
    const container = this.top()
    const char = this.text[this.at]
    if (char === ',') return this.readCommas(container)
    if (char === '}' || char === ']') return this.close(char)
    return this.fail('stands where a comma belongs')
  }

  private readCommas(container: OpenContainer): Step {
    if (!this.confirm(container)) return 'stop'
    this.at++
    for (;;) {
      this.skipBlanks(container.kind === 'array')
      if (this.failure) return 'stop'
      const char = this.text[this.at]
      if (char === '}' || char === ']') {
        this.rules.add('trailing_comma')
        return this.close(char)
      }
      if (char !== ',') return this.nextOf(container)
      this.rules.add('doubled_comma')
      this.at++
    }
  }

  private nextOf(container: OpenContainer): Step {
    return container.kind === 'object' ? 'member' : 'value'
  }

  private open(container: OpenContainer, next: Step): Step {
    if (this.containers.length >= maxDepth) {
      return this.failWith('too_large', tooDeep)
    }
    this.containers.push(container)
    this.at++
    return next
  }

  private close(closer: '}' | ']'): Step {
    const container = this.top()
    if ((container.kind === 'object') !== (closer === '}')) return this.fail('closes what is not open')
    if (!this.confirm(container)) return 'stop'
    this.at++
    if (container === this.root) return 'stop'
    this.containers.pop()
    return this.addValue(container.value)
  }

  /** Keeps a complete value until a comma or closer confirms it. */
  private addValue(value: unknown): Step {
    const container = this.top()
    if (container.kind === 'array') container.value.push(value)
    else container.pending = value
    return 'after value'
  }

  /** The value before a comma or closer is certainly complete; false if it must not be kept. */
  private confirm(container: OpenContainer): boolean {
    if (container.kind === 'array' || container.key === undefined) return true
    const { key, pending, value } = container
    if (isForbiddenKey(key, pending)) this.failWith('forbidden_key', notAllowed(key))
    else if (!Object.hasOwn(value, key)) value[key] = pending
    else if (JSON.stringify(value[key]) === JSON.stringify(pending)) this.rules.add('repeated_key')
    else this.failWith('ambiguous', `"${clipText(key, maxShown)}" is given twice, with different values`)
    if (this.failure) return false
    container.key = undefined
    container.last = key
    return true
  }

  private top<Kind extends OpenContainer = OpenContainer>(): Kind {
    return this.containers[this.containers.length - 1] as Kind
  }

  /** Matches a sticky regex here and moves past it. */
  private match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at
    const match = expression.exec(this.text)
    if (match) this.at = expression.lastIndex
    return match
  }

  private fail(why: string): Step {
    const [here = ''] = /[^\s,}\]]+|\S/.exec(this.text.slice(this.at, this.at + 20)) ?? []
    const path = locateOpenValue(this.containers)
    return this.failWith(
      'unreadable',
      `\`${here}\` ${why}${path === undefined ? '' : ` in "${clipText(path, maxShown)}"`}`,
    )
  }

  /** What stands before the name may not have ended there: `"5", 6"` is one text or two. */
  private failName(why: string): Step {
    const object = this.top<OpenObject>()
    this.fail(why)
    if (object.last !== undefined) {
      object.key = object.last
      delete object.value[object.last]
    }
    return 'stop'
  }

  private failCut(): Step {
    const path = locateOpenValue(this.containers)
    return this.failWith(
      'cut',
      `the text ends inside ${path === undefined ? 'the object' : `"${clipText(path, maxShown)}"`}`,
    )
  }

  private failWith(reason: UnreadableReason, message: string): Step {
    this.failure ??= { reason, message }
    return 'stop'
  }
}

function isQuote(char: string): boolean {
  return char === '"' || char === "'"
}

/** A lost line break puts the next member into a comment, a stray quote the rest of a text. */
function mayHoldValue(comment: string, opener: string): boolean {
  if (opener !== '/*' && (/["']\s*:/.test(comment) || onlyValue.test(withoutComma(comment)))) return true
  return comment.split('"').length % 2 === 0
}

function withoutComma(text: string): string {
  const trimmed = text.trim()
  return trimmed.endsWith(',') ? trimmed.slice(0, -1).trimEnd() : trimmed
}
