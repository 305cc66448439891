import { firstEnglish } from './labels/en-first.ts'

const { failures } = firstEnglish

/** A request was refused or got no answer; `message` is a sentence for people. */
export class AskbackError extends Error {
  override readonly name = 'AskbackError'
  readonly code: string
  /** HTTP status; 0 if there was no answer. */
  readonly status: number
  /** Invalid form fields, by path. */
  readonly problems: { parameter?: string; message: string }[]
  /** The code and the values of a sentence that was not written for this request alone, to translate it. */
  readonly said: { code: string; values?: Record<string, unknown> } | undefined

  constructor(
    message: string,
    {
      code,
      status = 0,
      problems = [],
      said,
    }: {
      code: string
      status?: number
      problems?: AskbackError['problems']
      said?: AskbackError['said']
    },
  ) {
    super(message)
    this.code = code
    this.status = status
    this.problems = problems
    this.said = said
  }
}

/** Turns an error of supabase-js into a sentence: its own "non-2xx status code" says nothing. */
export async function readFailure(error: unknown): Promise<AskbackError> {
  const { context } = (error ?? {}) as { context?: unknown }
  if (!isResponse(context)) {
    const aborted = (context as Error | undefined)?.name === 'AbortError'
    return failureOf(aborted ? 'aborted' : 'unreachable')
  }
  const { status, headers } = context
  const text = await context.text().catch(() => '')
  // Only our own errors have this header: proxies also answer in plain text.
  const code = headers.get('x-askback-error')
  const refusal = readRefusal(text)
  if (refusal) return new AskbackError(refusal.message, { status, ...refusal })
  return code && text ? new AskbackError(text, { code, status }) : failureOf(codeOf(status), status)
}

// By its shape: servers and polyfills replace the global class, but `fetch` returns the original one.
function isResponse(context: unknown): context is Response {
  return typeof (context as Response | undefined)?.text === 'function'
}

/** A failure that this client noticed itself. */
export function failureOf(code: keyof typeof failures, status = 0): AskbackError {
  return new AskbackError(failures[code], { code, status })
}

function codeOf(status: number): keyof typeof failures {
  if (status === 401) return 'signed_out'
  if (status === 413) return 'too_much'
  if (status === 429) return 'too_many_attempts'
  return status >= 500 ? 'server_silent' : 'failed'
}

function readRefusal(text: string) {
  try {
    const { error } = JSON.parse(text)
    if (typeof error?.message !== 'string') return undefined
    const { parameter, problems, asked } = error.details ?? {}
    const listed: { parameter?: string; expected?: string }[] = problems ?? []
    return {
      message: error.message as string,
      code: String(error.code ?? 'refused'),
      said: typeof asked?.code === 'string' ? { code: asked.code, values: asked.values } : undefined,
      problems:
        listed.length > 0
          ? listed.map((one) => ({
              ...one,
              message: one.expected ? `Expected: ${one.expected}` : error.message,
            }))
          : parameter
            ? [{ parameter: String(parameter), message: error.message as string }]
            : [],
    }
  } catch {
    return undefined
  }
}
