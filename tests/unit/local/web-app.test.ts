import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createWebAppRoutes } from '../../../local/web-app/routes.ts'

const local = { email: 'demo@askback.test', password: 'x', model: 'demo', simulated: [] }

it('keeps its web app when another stack of the checkout removes the build', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'askback-web-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Askback</title>')
  writeFileSync(join(folder, 'assets/app-1.js'), 'export {}')
  const routes = createWebAppRoutes(Promise.resolve(folder), { publishableKey: 'k', functions: {}, local })
  const statuses = async () => {
    const paths = ['/', '/assets/app-1.js', '/assets/no.js']
    return await Promise.all(
      paths.map(async (path) => (await routes.request(`http://127.0.0.1:1${path}`)).status),
    )
  }
  expect(await statuses()).toEqual([200, 200, 404])
  rmSync(folder, { recursive: true })
  expect(await statuses()).toEqual([200, 200, 404])
})
