/** Something was refused or could not be reached; `message` is a sentence for people. */
export class AskbackError extends Error {
  override readonly name = 'AskbackError'
  readonly code: string
  /** HTTP status; 0 where nothing answered. */
  readonly status: number
  /** Faulty fields of a form, by their path. */
  readonly problems: { parameter?: string; message: string }[]

  constructor(
    message: string,
    {
      code,
      status = 0,
      problems = [],
    }: { code: string; status?: number; problems?: AskbackError['problems'] },
  ) {
    super(message)
    this.code = code
    this.status = status
    this.problems = problems
  }
}

/** What supabase-js reports of a function, as a sentence: its own "non-2xx status code" says nothing. */
export async function readFailure(error: unknown): Promise<AskbackError> {
  const response = (error as { context?: unknown } | null)?.context
  if (!(response instanceof Response)) {
    const aborted = (response as Error | undefined)?.name === 'AbortError'
    if (aborted) return new AskbackError('This was stopped.', { code: 'aborted' })
    return new AskbackError('Can’t reach the server. Check your connection and try again.', {
      code: 'unreachable',
    })
  }
  const text = await response.text().catch(() => '')
  const { status } = response
  // Only what has it is ours: proxies say theirs in plain text, too.
  const code = response.headers.get('x-askback-error')
  const refusal = readRefusal(text)
  if (refusal)
    return new AskbackError(refusal.message, { status, code: refusal.code, problems: refusal.problems })
  return new AskbackError(code && text ? text : sentenceFor(status), { code: code ?? 'failed', status })
}

function sentenceFor(status: number): string {
  if (status === 401) return 'You are signed out. Sign in again.'
  if (status === 413) return 'This is too large to send. Send less at a time.'
  if (status === 429) return 'Too many attempts. Wait a minute and try again.'
  if (status >= 500) return 'The server isn’t answering. Try again in a minute.'
  return 'Something went wrong. Try again in a minute.'
}

function readRefusal(text: string) {
  try {
    const { error } = JSON.parse(text)
    if (typeof error?.message !== 'string') return undefined
    const { parameter, problems } = error.details ?? {}
    const listed: { parameter?: string; suggestion?: string; expected?: string }[] = problems ?? []
    return {
      message: error.message as string,
      code: String(error.code ?? 'failed'),
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
