/** What a request may say of where it was sent, and of the page that sent it. */
export interface Addresses {
  /** URLs of the project. */
  urls: readonly string[]
  /** Origins of pages that may call; `*` is any. */
  callers: '*' | readonly string[]
}

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * What is wrong with the address of a request; undefined if nothing is. A page of somebody else's may lead to this machine
 * under its own name (DNS rebinding). The gateway in front of functions says in `x-forwarded-host` what it was called.
 */
export function addressFault(request: Request, { urls, callers }: Addresses): string | undefined {
  const names = urls.map((url) => new URL(url).hostname)
  const known = names.some((name) => loopback.includes(name)) ? [...names, ...loopback] : names
  const host = request.headers.get('x-forwarded-host') ?? new URL(request.url).host
  if (!known.includes(hostname(host))) {
    return `This server is not ${JSON.stringify(host)}: it answers as ${known.join(', ')}. Whoever runs it can set ASKBACK_PUBLIC_URL.`
  }
  const origin = request.headers.get('origin')
  if (origin === null || callers === '*' || callers.includes(origin)) return undefined
  return `Pages of ${JSON.stringify(origin)} may not call this server. Whoever runs it can list that origin in ASKBACK_CORS_ORIGINS.`
}

function hostname(host: string): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}
