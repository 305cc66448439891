import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { askback } from '../../support/askback-command.ts'
import { type DevelopedProject, develop, installLocalStack } from '../../support/developed-project.ts'
import { pidOf } from '../../support/pid-of.ts'
import { findQuietPort } from '../../support/quiet-port.ts'
import { project } from '../../support/stack.ts'
import { makeSupabaseProject } from '../../support/supabase-project.ts'

/** A Supabase project with a Vite app, whose own settings name the hosted project. */
function makeProject(port: number, files: Record<string, string> = {}): string {
  return makeSupabaseProject({
    'package.json': '{ "name": "shop", "private": true, "type": "module" }',
    'vite.config.ts': `export default { base: '/shop/', server: { port: ${port} } }`,
    'index.html': '<!doctype html><title>Shop</title><script type="module" src="/src/main.ts"></script>',
    'src/main.ts': 'console.log(import.meta.env)\nimport.meta.hot?.accept()',
    '.env': 'VITE_SUPABASE_URL=https://hosted.supabase.example\nVITE_TITLE=Shop',
    ...files,
  })
}

function installVite(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(join(project, 'node_modules/vite'), join(folder, 'node_modules/vite'))
}

describe('askback dev --app', () => {
  let folder: string
  let running: DevelopedProject
  let app: string
  beforeAll(async () => {
    const port = await findQuietPort()
    folder = makeProject(port)
    installVite(folder)
    expect(await askback(folder, ['add', '--yes', '--integrations', 'smtp'])).toMatchObject({ code: 0 })
    app = `http://localhost:${port}/shop`
    running = await develop(folder, ['--app'])
  })
  afterAll(async () => {
    await running?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const { publishableKey } = running.stack()
    const response = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: {
        origin: new URL(app).origin,
        apikey: publishableKey,
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    })
    return { origin: response.headers.get('access-control-allow-origin'), json: await response.json() }
  }

  it('serves the app of the project, which knows the stack by its environment', async () => {
    expect(running.lines).toContain(`app: ${app}/`)
    expect(await (await fetch(`${app}/`)).text()).toContain('<title>Shop</title>')
    const [, env = ''] = /import\.meta\.env = (\{.*?\});/.exec(
      await (await fetch(`${app}/src/main.ts`)).text(),
    ) ?? ['', '']
    const { publishableKey } = running.stack()
    expect(JSON.parse(env)).toMatchObject({
      VITE_SUPABASE_URL: running.url,
      VITE_SUPABASE_PUBLISHABLE_KEY: publishableKey,
      VITE_SUPABASE_ANON_KEY: publishableKey,
      VITE_TITLE: 'Shop',
    })
  })

  it('replaces what has changed in pages that are open', async () => {
    const [, token] = /wsToken = "([^"]+)"/.exec(await (await fetch(`${app}/@vite/client`)).text()) ?? []
    const socket = new WebSocket(`${app.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
    const heard: string[] = []
    socket.on('message', (message) => heard.push(JSON.parse(String(message)).type))
    await expect.poll(() => heard).toContain('connected')
    writeFileSync(join(folder, 'src/main.ts'), 'console.log("changed")\nimport.meta.hot?.accept()')
    await expect.poll(() => heard).toContain('update')
    socket.close()
  })

  it('lets the app sign users in and call functions, and sends them to its settings page', async () => {
    const credentials = { email: 'ada@shop.example', password: 'correct horse' }
    const signedUp = await post('/auth/v1/signup', {}, credentials)
    const authorization = `Bearer ${signedUp.json.access_token}`
    const message = 'Send an email about the meeting to grace@example.com'
    const answer = await post('/functions/v1/chat', { authorization }, { message })
    expect([signedUp.origin, answer.origin]).toEqual(['*', '*'])
    expect(answer.json).toMatchObject({
      status: 'needs_connection',
      pending: [{ href: `${app}/settings/integrations?provider=smtp` }],
    })
  })

  it('gives away no key of the stack, and does not watch its database', async () => {
    const paths = ['/.askback/keys.json', '/.askback/stack.json', `/@fs${folder}/.askback/keys.json`]
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(`${app}${path}`)).status))
    expect(statuses).toEqual([403, 403, 403])
  })

  it('ends with everything that it has started', async () => {
    const { pids } = running.stack()
    expect(await running.stop()).toBe(0)
    await expect(fetch(app)).rejects.toThrow()
    expect(() => process.kill(pidOf(pids, 'postgres'), 0)).toThrow()
  })
})

describe('askback dev --app refuses, with one sentence,', () => {
  const refused = async (folder: string) => {
    installLocalStack(folder)
    const { code, stderr } = await askback(folder, ['dev', '--app'], { ASKBACK_PORT: '0' })
    rmSync(folder, { recursive: true, force: true })
    return { code, stderr }
  }

  it('a project without a Vite app', async () => {
    const folder = makeSupabaseProject()
    expect(await refused(folder)).toEqual({
      code: 1,
      stderr: `There is no Vite app in ${folder}: it has no index.html, no vite.config.ts or the like, and its package.json does not depend on "vite". Add one, or start your app yourself with the address and the key that the page /status shows.\n`,
    })
  })

  // What Vite itself would serve is no question of its configuration.
  const apps: Record<string, Record<string, string>> = {
    'a configuration': { 'vite.config.ts': 'export default {}' },
    'an index.html': { 'index.html': '<!doctype html>' },
    'a dependency': { 'package.json': '{ "devDependencies": { "vite": "7" } }' },
  }
  it.each(Object.entries(apps))('one with %s, where Vite is not installed', async (_, files) => {
    const folder = makeSupabaseProject(files)
    expect(await refused(folder)).toEqual({
      code: 1,
      stderr: `--app needs the project's own Vite, which is not installed in ${folder}. Run npm install there.\n`,
    })
  })

  it('a configuration that cannot be used', async () => {
    const folder = makeProject(1, { 'vite.config.ts': 'throw new Error("No token is set.")' })
    installVite(folder)
    const { code, stderr } = await refused(folder)
    expect(code).toBe(1)
    expect(stderr).toMatch(/The app's vite\.config\.ts cannot be used: No token is set\.\n$/)
  })

  it('a port that is taken, and keeps nothing running', async () => {
    const server = createServer().listen(0, 'localhost')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const folder = makeProject(port)
    installVite(folder)
    const added = await askback(folder, ['add', '--yes', '--integrations', 'smtp'])
    expect(added.code).toBe(0)
    installLocalStack(folder)
    const { code, stderr } = await askback(folder, ['dev', '--app'], { ASKBACK_PORT: '0' })
    server.close()
    expect(code).toBe(1)
    expect(stderr).toBe(
      `The app cannot be served: Port ${port} is already in use. Stop whatever uses its port, or set server.port in vite.config.ts.\n`,
    )
    expect(existsSync(join(folder, '.askback/postgres/postmaster.pid'))).toBe(false)
    rmSync(folder, { recursive: true, force: true })
  })
})
