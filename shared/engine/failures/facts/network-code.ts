/** The errnos of Linux, on which functions are hosted. */
const errnos: Readonly<Record<string, string>> = {
  101: 'ENETUNREACH',
  104: 'ECONNRESET',
  110: 'ETIMEDOUT',
  111: 'ECONNREFUSED',
  113: 'EHOSTUNREACH',
}

/** Deno's `fetch` has no codes: its message names the address, the step that failed, and the errno if there is one. */
const denoFailure = /^error sending request .*?: client error \((\w+)\)(?:.*\((os error (\d+))\))?/s

/**
 * The code of a network failure: the error's own, an errno, or the step of Deno's `fetch` that failed.
 *
 * @example
 * networkCode(new Error('error sending request for url (http://a/): client error (Connect): refused (os error 111)')) // => 'ECONNREFUSED'
 * networkCode(new Error('error sending request for url (http://a/): client error (Connect): dns error')) // => 'Connect'
 * networkCode(new Error('Connection refused')) // => undefined
 */
export function networkCode(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[A-Z][A-Z\d_]{2,40}$/.test(code)) return code
  const [, step, said, errno = ''] = denoFailure.exec(error.message) ?? []
  return errnos[errno] ?? said ?? step
}
