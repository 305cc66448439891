import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { environment, hostedDeno } from '../../scripts/platform.ts'
import { version } from '../../shared/server/version.ts'
import { askback, builtPackage } from '../../support/askback-command.ts'
import { runDev } from '../../support/developed-project.ts'
import { startLoneFunction } from '../../support/lone-function.ts'
import { type Registry, startRegistry } from '../../support/registry.ts'
import { makeSupabaseProject, readFiles } from '../../support/supabase-project.ts'

const run = promisify(execFile)
const newFolder = () => mkdtempSync(join(tmpdir(), 'askback-registry-'))
const pins = 'supabase/functions/chat/deno.json'

describe('from a registry', () => {
  let registry: Registry
  let folder: string
  let fromRegistry: Record<string, string>
  const local = process.env.ASKBACK_TEST_LOCAL_PACKAGE ?? ''
  const newerLocal = newFolder()
  beforeAll(async () => {
    cpSync(local, newerLocal, { recursive: true })
    const manifest = readFileSync(join(local, 'package.json'), 'utf8')
    writeFileSync(join(newerLocal, 'package.json'), manifest.replace(`"${version}"`, '"99.0.0"'))
    registry = await startRegistry([builtPackage(), local, newerLocal])
    fromRegistry = { NPM_CONFIG_REGISTRY: registry.url, DENO_DIR: newFolder() }
    folder = makeSupabaseProject()
  })
  afterAll(() => {
    registry?.close()
    for (const one of [folder, newerLocal, fromRegistry.DENO_DIR ?? '']) rmSync(one, { recursive: true })
  })

  it('is added by npx to a project that has no package.json, and gets none', async () => {
    // npx keeps what it has installed once, by name.
    const env = { ...environment, npm_config_registry: registry.url, npm_config_cache: newFolder() }
    const { stdout, stderr } = await run('npx', ['--yes', 'askback', 'add', '--no-vendor', '--yes'], {
      cwd: folder,
      env,
    })
    expect(stdout).toContain('  npx askback dev\n')
    expect(stderr).not.toMatch(/warn/i)
    expect(
      Object.keys(readFiles(folder)).filter((path) => /package|node_modules|bundles/.test(path)),
    ).toEqual([])
  })

  it('has no integration of its own, which needs the code in the project', async () => {
    expect(await askback(folder, ['new-integration', 'weather'])).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'An integration of your own needs the code of Askback in the project. Run `npx askback add --vendor` first.\n',
    })
  })

  for (const [name, deno] of [
    ['2.9', findDeno()],
    ['2.1', hostedDeno],
  ] as const) {
    it.skipIf(!existsSync(deno))(`has functions that start on Deno ${name}`, async () => {
      const flags = ['--config', join(folder, pins)]
      const chat = await startLoneFunction({ deno, folder, slug: 'chat', flags, env: fromRegistry })
      expect((await fetch(`${chat.url}/health`)).status).toBe(503)
      chat.stop()
      expect(registry.fetched).toContain(`askback-${version}.tgz`)
    })
  }

  it('is younger than Deno takes packages, but for the exception in deno.json', async () => {
    const without = join(folder, 'deno.without.json')
    const { minimumDependencyAge, ...rest } = JSON.parse(readFileSync(join(folder, pins), 'utf8'))
    writeFileSync(without, JSON.stringify({ ...rest, minimumDependencyAge: minimumDependencyAge.age }))
    const flags = ['--config', without]
    await expect(
      startLoneFunction({ deno: findDeno(), folder, slug: 'chat', flags, env: fromRegistry }),
    ).rejects.toThrow(/askback/)
  })

  it('runs with the local stack of the same version, which is fetched once', async () => {
    const XDG_CACHE_HOME = newFolder()
    const { npm_config_cache = '' } = environment
    const env = { ...fromRegistry, ASKBACK_REGISTRY: registry.url, XDG_CACHE_HOME, npm_config_cache }
    const running = await runDev(folder, [], env)
    expect(running.lines[0]).toBe(
      `Installing askback-local ${version} from ${registry.url} (about 160 MB, once)`,
    )
    const installed = join(XDG_CACHE_HOME, 'askback', version, 'node_modules/askback-local/package.json')
    expect(JSON.parse(readFileSync(installed, 'utf8')).version).toBe(version)
    const { stdout: size } = await run('du', ['-sm', XDG_CACHE_HOME])
    expect(Number.parseInt(size, 10)).toBeLessThan(400)
    const health = await fetch(`${running.url}/functions/v1/chat/health`)
    expect(await health.json()).toEqual({ status: 'ok', version })
    expect(await (await fetch(running.url)).text()).toContain('<title>Askback')
    expect(await running.stop()).toBe(0)
    const again = await runDev(folder, [], env)
    expect(again.lines.join('\n')).not.toContain('Installing')
    expect(await again.stop()).toBe(0)
  })
})
