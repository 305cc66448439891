import { execFileSync } from 'node:child_process'
import { sep } from 'node:path'
import { expect, it } from 'vitest'
import { environment, root } from '../../../scripts/platform.ts'

it('commands of tests and checks keep their caches in the checkout, not in the home directory', () => {
  const print = 'console.log(JSON.stringify([require("os").homedir(), process.env]))'
  const output = execFileSync(process.execPath, ['-e', print], { env: environment, encoding: 'utf8' })
  const [home, variables] = JSON.parse(output)
  const { XDG_CACHE_HOME, XDG_CONFIG_HOME, DENO_DIR, npm_config_cache } = variables
  for (const path of [home, XDG_CACHE_HOME, XDG_CONFIG_HOME, DENO_DIR, npm_config_cache]) {
    expect(path.startsWith(root + sep)).toBe(true)
  }
})
