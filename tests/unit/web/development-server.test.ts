import { readdirSync } from 'node:fs'
import { expect, test, vi } from 'vitest'

test('npm run dev asks the stack for nothing that is a source of the app', async () => {
  vi.stubEnv('ASKBACK_STACK_URL', 'http://127.0.0.1:1')
  vi.resetModules()
  const { default: config } = await import('../../../web/vite.config.ts')
  const prefixes = Object.keys(config.server?.proxy ?? {})
  expect(prefixes).toContain('/functions/')
  const sources = readdirSync('web', { recursive: true }).map((path) => `/${path}`)
  expect(sources).toContain('/auth-words.ts')
  expect(sources.filter((path) => prefixes.some((prefix) => path.startsWith(prefix)))).toEqual([])
})
