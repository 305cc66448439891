import { isObject, readJsonText } from '../../core/json-value.ts'
import { maskSecrets } from '../../core/mask-secrets.ts'
import type { Problem } from '../../core/tool-error.ts'
import { unspacedScript } from '../../core/unspaced-scripts.ts'
import { readObject } from '../../reading/object-text.ts'
import { hintsOfIssues, readIssues } from './argument-issues.ts'
import { formatParameter } from './parameter-name.ts'
import { type HeadersLike, isHeaders } from './response-headers.ts'
import { statusInText, wordsOfHtml } from './status-text.ts'
import { waitOfFields } from './wait-time.ts'

/** The facts in whatever came back or was thrown; lists are ordered from most to least specific. */
export interface Observation {
  /** HTTP status; the response's comes before any in a text. */
  status?: number
  /** Provider codes, as written; numeric ones like `#21211`. */
  codes: string[]
  /** Names of exception classes. */
  names: string[]
  texts: string[]
  headers: HeadersLike[]
  /** Wait stated in a body, in milliseconds. */
  waitMs?: number
  parameter?: string
  /** The findings of a validator. */
  problems: Problem[]
  /** The tool's own sentences of advice. */
  hints: string[]
  /** A bare name or value that it proposes. */
  suggestion?: string
  example?: unknown
  isHtml: boolean
  /** It says that only the user can answer: `resolver: 'user'`. */
  isForUser: boolean
}

export const noFacts = (): Observation => ({
  codes: [],
  names: [],
  texts: [],
  headers: [],
  problems: [],
  hints: [],
  isHtml: false,
  isForUser: false,
})

const maxDepth = 8
const maxItems = 20
const maxText = 4_000
/** An error is described by its first few objects and texts; data of a tool may be beside it. */
const maxObjects = 100
const maxTexts = 20

const fields = (list: string) => list.trim().split(/\s+/)
/** Members of exceptions that are not enumerable. */
const hiddenFields = ['message', 'cause', 'errors', 'issues', 'response', 'error', 'body', 'data']
/** Members with text about what went wrong, in the order in which one of them is shown. */
const textFields = fields(
  'body data message msg error_description description detail details title reason text',
)
const saysWhy = /err|msg|message|reason|detail|body|text|stdout|quota|feedback/i
/** Members about the request, not about its failure. */
const isOfTheCaller =
  /^(?:config|request|req|headers|socket|agent|options|params|input|query)$|^[_$](?!metadata|data)/
const codeFields = fields(
  'code errorCode error_code errorType errorTypeName error_type __type reason type status error kind decline_code keyword',
)
const statusFields = fields('httpStatus httpStatusCode statusCode status_code status code')
const parameterFields = fields(
  'param parameter field parameterName property pointer target location column argument',
)

/** Names that tools use for their advice, and for the value that they would have accepted. */
const hintFields = fields(
  'feedback hint retry_hint retryHint suggestion suggestions advice remedy fix how_to_fix',
)
const valueFields = fields(
  'suggestion suggested suggested_value suggestedValue corrected corrected_value correctedValue did_you_mean didYouMean',
)

/** Collects the facts of a value: exceptions with their causes, bodies, JSON inside texts, HTML, lists of issues. */
export function observe(...values: readonly unknown[]): Observation {
  const observer = new Observer()
  for (const value of values) observer.visit(value, 0)
  return observer.facts
}

class Observer {
  readonly facts = noFacts()
  private readonly seen = new Set<unknown>()

  visit(value: unknown, depth: number): void {
    if (typeof value === 'string') this.visitText(value, depth)
    if (typeof value !== 'object' || value === null || depth > maxDepth || this.seen.has(value)) return
    if (this.seen.size >= maxObjects) return
    this.seen.add(value)
    try {
      if (isHeaders(value)) this.facts.headers.push(value)
      else if (Array.isArray(value)) this.visitList(value, depth)
      else this.visitObject(value as Record<string, unknown>, depth)
    } catch {
      // A getter threw: what was seen so far has to do.
    }
  }

  private visitList(list: unknown[], depth: number): void {
    const problems = readIssues(list)
    // zod repeats its issues in the message.
    if (problems.length > 0 && this.facts.problems.length === 0) {
      this.facts.problems = problems
      this.facts.hints.push(...hintsOfIssues(list))
    }
    if (problems.length === 0) for (const item of list.slice(0, maxItems)) this.visit(item, depth + 1)
  }

  private visitObject(written: Record<string, unknown>, depth: number): void {
    const object = withSmallInitials(written)
    const names = [...new Set([...hiddenFields, ...Object.keys(object).slice(0, maxItems)])]
    const nested = names.filter((name) => typeof object[name] === 'object' && !isOfTheCaller.test(name))
    const telling = nested.filter((name) => hiddenFields.includes(name) || saysWhy.test(name))
    for (const name of telling) this.visit(object[name], depth + 1)
    // OData: `{"message": {"lang": "en", "value": "…"}}`.
    if (isObject(object.message)) this.visit(object.message.value, depth + 1)
    for (const headers of [object.headers, object.responseHeaders])
      if (typeof headers === 'object' && headers) this.facts.headers.push(headers as HeadersLike)
    const isByField = Object.entries(object).every(([name, said]) => !saysWhy.test(name) && isTextList(said))
    this.visitFieldErrors(isByField ? object : object.errors)
    this.visitStatus(object)
    for (const field of codeFields) this.visitCode(object[field])
    if (typeof object.name === 'string') this.visitName(object.name)
    for (const field of [...textFields, ...names.filter((name) => saysWhy.test(name))]) {
      if (typeof object[field] === 'string') this.visitText(object[field], depth + 1)
    }
    // Members with unknown names; a result beside the error comes last.
    for (const name of nested) this.visit(object[name], depth + 1)
    for (const field of parameterFields) this.visitParameter(object[field])
    this.visitAdvice(object)
    if (object.resolver === 'user') this.facts.isForUser = true
    this.facts.waitMs ??= waitOfFields(object)
  }

  /** A sentence is a hint, a bare name or value a suggestion. */
  private visitAdvice(object: Record<string, unknown>): void {
    for (const field of hintFields) {
      for (const said of [object[field]].flat().slice(0, maxItems)) {
        if (typeof said === 'string' && isSentence(said)) this.facts.hints.push(said)
      }
    }
    for (const field of valueFields) {
      const said = [object[field]].flat()
      const value = said.length === 1 ? said[0] : undefined
      const isValue =
        typeof value === 'number' || (typeof value === 'string' && value !== '' && !isSentence(value))
      if (isValue) this.facts.suggestion ??= String(value)
    }
    this.facts.example ??= object.example
  }

  /** Errors by field: `{"errors": {"email": ["has already been taken"]}}` of Rails, Laravel, ASP.NET and Discord. */
  private visitFieldErrors(errors: unknown): void {
    if (!isObject(errors)) return
    for (const [field, found] of Object.entries(errors).slice(0, maxItems)) {
      const said = Array.isArray(found)
        ? found[0]
        : ((found as { _errors?: unknown[] } | null)?._errors?.[0] ?? found)
      if (typeof said !== 'string' && typeof (said as { message?: unknown } | null)?.message !== 'string')
        continue
      this.visitParameter(field.replace(/^\$\./, ''))
      this.visit(said, 1)
    }
  }

  private visitStatus(object: Record<string, unknown>): void {
    for (const field of statusFields) {
      const status = Number(object[field] ?? Number.NaN)
      if (Number.isInteger(status) && status >= 400 && status < 600) this.facts.status ??= status
    }
  }

  private visitCode(code: unknown): void {
    if (typeof code === 'number' && Number.isInteger(code)) this.facts.codes.push(`#${code}`)
    if (typeof code !== 'string' || /^\d{1,3}$/.test(code)) return
    // AWS: `com.amazonaws.dynamodb.v20120810#ResourceNotFoundException`.
    const bare = code.slice(code.lastIndexOf('#') + 1)
    if (/^[\w.:-]{2,80}$/.test(bare)) this.facts.codes.push(bare)
  }

  /** The class of an exception, which may say what happened; a snake-case name is a code (Resend). */
  private visitName(name: string): void {
    const bare = name.replace(/(?:Error|Exception)$/, '')
    if (bare !== '' && bare !== 'Object') this.facts.names.push(bare)
  }

  private visitParameter(parameter: unknown): void {
    if (typeof parameter !== 'string' || !/^[\w.[\]/-]{1,80}$/.test(parameter)) return
    if (maskSecrets(parameter) !== parameter) return
    this.facts.parameter ??= formatParameter(parameter)
  }

  private visitText(text: string, depth: number): void {
    const trimmed = text.trim()
    if (trimmed === '' || depth > maxDepth) return
    if (wordsOfHtml(trimmed) !== undefined) {
      this.facts.isHtml = true
      this.addText(wordsOfHtml(trimmed) ?? '')
      return
    }
    const embedded = embeddedValue(trimmed)
    if (embedded) this.visit(embedded.value, depth + 1)
    const words = embedded ? trimmed.slice(0, embedded.start) : trimmed
    this.facts.status ??= statusInText(words)
    for (const [, number] of words.matchAll(/\bMCP error (-\d+)/g)) this.facts.codes.push(`#${number}`)
    for (const [code] of words
      .slice(0, maxText)
      .matchAll(/\b(?:E[A-Z]{3,}\w*|(?:UND_)?ERR_[A-Z_]+|PGRST\w{3,4})\b/g))
      this.facts.codes.push(code)
    if (/\p{L}/u.test(words)) this.addText(words)
  }

  private addText(text: string): void {
    const short = text.slice(0, maxText)
    const { texts } = this.facts
    if (short !== '' && texts.length < maxTexts && !texts.includes(short)) texts.push(short)
  }
}

/** Three words, or two and a full stop: `Please retry.`; six characters where words are written without spaces. */
function isSentence(text: string): boolean {
  if (/\S\s+\S+\s+\S/.test(text) || /\S\s+\S.*[.!?]$/.test(text.trim())) return true
  return unspacedScript.test(text) && Array.from(text.trim()).length >= 6
}

const capitalised = fields('Message Error Errors Code ErrorInfo ErrorMessage')

/** .NET and AWS write `{"Code": "AccessDenied", "Message": "…"}`. */
function withSmallInitials(object: Record<string, unknown>): Record<string, unknown> {
  if (!capitalised.some((name) => name in object)) return object
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name.charAt(0).toLowerCase() + name.slice(1), value]),
  )
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'string'
}

/** JSON (or a Python dictionary) inside a text: `Error code: 402 - {'error': …}`. */
function embeddedValue(text: string): { value: unknown; start: number } | undefined {
  const start = text.search(/[{[]/)
  if (start === -1 || text.length > 200_000) return undefined
  const value = readJsonText(text.slice(start))
  if (value !== undefined) return { value, start }
  const brace = text.indexOf('{', start)
  const object = brace === -1 ? undefined : readObject(text, brace)
  return object?.ok && Object.keys(object.value).length > 0
    ? { value: object.value, start: brace }
    : undefined
}
