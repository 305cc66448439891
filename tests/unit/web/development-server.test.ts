import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readKeys } from '../../../local/data-directory/keys.ts'
import { makeFunctionEnvironment } from '../../../local/functions/environment.ts'

test('npm run dev asks the stack for nothing that is a source of the app', async () => {
  vi.stubEnv('ASKBACK_STACK_URL', 'http://127.0.0.1:1')
  vi.resetModules()
  const { default: config } = await import('../../../web/vite.config.ts')
  const prefixes = Object.keys(config.server?.proxy ?? {})
  expect(prefixes).toContain('/functions/')
  const sources = readdirSync('web', { recursive: true }).map((path) => `/${path}`)
  expect(sources).toContain('/base/auth-words.ts')
  expect(sources.filter((path) => prefixes.some((prefix) => path.startsWith(prefix)))).toEqual([])
})

test.each([
  ['', 5173],
  ['4321', 4321],
])(
  'ASKBACK_WEB_PORT %j serves the app at port %i, where signing in may lead back to',
  async (setting, port) => {
    vi.stubEnv('ASKBACK_WEB_PORT', setting)
    vi.resetModules()
    const { default: config } = await import('../../../web/vite.config.ts')
    expect(config.server?.port).toBe(port)
    const { ASKBACK_APP_URLS } = makeFunctionEnvironment({
      environment: { ASKBACK_WEB_PORT: setting },
      model: {},
      url: 'http://127.0.0.1:1',
      databaseUrl: '',
      keys: readKeys(mkdtempSync(join(tmpdir(), 'askback-unit-'))),
      authorityFile: '',
      denoDirectory: '',
    })
    expect(ASKBACK_APP_URLS?.split(',')).toContain(`http://localhost:${port}`)
  },
)
