import { randomUUID } from 'node:crypto'
import { isLongNumber, jsonNumber, quoteLongNumbers } from '../../shared/engine/core/exact-json.ts'

/**
 * `@supabase/lite` reads requests and writes answers with JavaScript's numbers, PostgREST with the database's. So a number
 * that would lose digits on the way is a text here, which begins with a mark that no text of an application contains.
 */
const mark = `digits-${randomUUID()}-`
const marked = new RegExp(`(\\\\*")?${mark}([-+.\\deE]+)(\\\\*")?`, 'g')

/** A number as PostgreSQL writes it. */
export function readNumber(text: string): number | string {
  if (!jsonNumber.test(text)) return text
  return String(Number(text)) === text ? Number(text) : mark + text
}

/** A JSON text with marks. */
export function markNumbers(json: string): string {
  return quoteLongNumbers(json, (digits) => mark + digits)
}

/** A text or a JSON text with the digits instead of the marks. */
export function unmarkNumbers(text: string): string {
  return text.includes(mark) ? text.replace(marked, '$2') : text
}

/** A number in a filter: `id=eq.1161380288898609915`, `id=in.(1161380288898609915,5)`. */
const filtered = /(?<=[=,(]|[a-z]\.|%2C|%28)-?\d[\d.]{15,}(?=$|[&,)]|%2C|%29)/gi

/** The request with marks in its filters and its body. */
export async function markRequest(request: Request): Promise<Request> {
  const url = new URL(request.url)
  url.search = url.search.replace(filtered, (number) => (isLongNumber(number) ? mark + number : number))
  const { method, headers, signal } = request
  const isJson = /json/.test(headers.get('content-type') ?? '')
  const body = request.body === null ? null : await request.arrayBuffer()
  return new Request(url, { method, headers, signal, body: body && isJson ? markBody(body) : body })
}

function markBody(bytes: ArrayBuffer): ArrayBuffer | string {
  const text = new TextDecoder().decode(bytes)
  const marked = markNumbers(text)
  return marked === text ? bytes : marked
}

/** The answer without marks. */
export async function unmarkResponse(response: Response): Promise<Response> {
  if (response.body === null) return response
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  return new Response(unmarkNumbers(await response.text()), { status, statusText, headers })
}

/** Auth has no numbers that long. */
export function isOfDataApi({ url }: { url: string }): boolean {
  return new URL(url).pathname.startsWith('/rest/v1/')
}
