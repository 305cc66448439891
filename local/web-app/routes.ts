import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'

/** `/config.json`: what the app needs to find its backend. `local` exists only on the local stack. */
export interface WebConfig {
  publishableKey: string
  /** What functions of Askback are called, if not by their own names. */
  functions: Record<string, string>
  local: { email: string; password: string; model: string; simulated: readonly string[] }
}

/**
 * Only what this origin serves is run and loaded. Style attributes are allowed for mails, which are shown in a
 * sandboxed frame that inherits this policy.
 */
const policyOf = (page: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self'",
    // Users' files: functions link to them by the stack's own address, whatever name the page was opened by.
    `img-src 'self' data: blob: http://127.0.0.1:${new URL(page).port}`,
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Paths of the app's pages. */
const pages = [
  '/',
  '/chat/:id',
  '/settings',
  '/settings/*',
  '/agents',
  '/archived',
  '/schedules',
  '/insights',
  '/waiting',
  '/open',
  '/connect',
  '/inbox',
]

interface WebFile {
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Serves the built app at `/`; pages requested earlier wait for the build. */
export function createWebAppRoutes(directory: Promise<string>, config: WebConfig): Hono {
  const routes = new Hono()
  routes.use(compress())
  routes.get('/config.json', (c) => {
    c.header('cache-control', 'no-store')
    // The origin that the browser used: another name of this machine would be another origin.
    return c.json({ url: new URL(c.req.url).origin, ...config })
  })
  const files = directory.then(readFiles)
  // Whoever asks for a page gets the error.
  files.catch(() => {})
  const read = async (path: string) => (await files).get(path)
  const securityOf = (page: string) => ({
    'content-security-policy': policyOf(page),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const sendPage = async (c: Context, status: 200 | 404) => {
    try {
      const index = await read('/index.html')
      if (!index) return c.text('The web app is not there. Start the stack again.', 503)
      return c.body(index.bytes, status, {
        ...securityOf(c.req.url),
        'content-type': index.type,
        'cache-control': 'no-cache',
      })
    } catch (error) {
      console.error(`[web] ${(error as Error).message}`)
      return c.text('The web app could not be built; the terminal of the stack says why.', 503)
    }
  }
  for (const page of pages) routes.get(page, (c) => sendPage(c, 200))
  const asset = async (page: string, path: string, caching: string) => {
    const file = await read(path).catch(() => undefined)
    if (!file) return undefined
    return new Response(file.bytes, {
      headers: { ...securityOf(page), 'content-type': file.type, 'cache-control': caching },
    })
  }
  // Their names change with their content.
  routes.get('/assets/:name{[\\w-][\\w.-]*}', async (c) => {
    const found = await asset(
      c.req.url,
      `/assets/${c.req.param('name')}`,
      'public, max-age=31536000, immutable',
    )
    return found ?? c.text('There is no such file.', 404)
  })
  routes.get(
    '/icon.svg',
    async (c) => (await asset(c.req.url, '/icon.svg', 'no-cache')) ?? c.text('There is no such file.', 404),
  )
  // For unknown addresses the app shows a page that leads back.
  routes.get('*', (c, next) => (c.req.header('accept')?.includes('text/html') ? sendPage(c, 404) : next()))
  return routes
}

/**
 * All files of the app, by their path on the server, read once: other stacks of the checkout, and an upgrade of the package,
 * replace what is in the folder.
 */
async function readFiles(directory: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const read = entries.flatMap((entry) => {
    const type = contentTypes[extname(entry.name)]
    if (!entry.isFile() || type === undefined) return []
    const path = join(entry.parentPath, entry.name)
    const place = `/${relative(directory, path).split(sep).join('/')}`
    return [
      readFile(path).then((bytes): [string, WebFile] => [place, { type, bytes: new Uint8Array(bytes) }]),
    ]
  })
  return new Map(await Promise.all(read))
}
