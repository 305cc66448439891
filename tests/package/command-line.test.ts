import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../../shared/server/version.ts'
import { askback } from '../../support/askback-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'askback-cli-'))

/** Environment in which Node says that it is another version. */
const on = (node: string) => {
  const code = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${node}'}})`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
}

describe('the command line', () => {
  it('prints the version alone', async () => {
    expect(await askback(folder, ['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0'])(
    'ends with 1 and one sentence on Node %s',
    async (node) => {
      expect(await askback(folder, ['--version'], on(node))).toEqual({
        code: 1,
        stdout: '',
        stderr: `askback needs Node 20.19, 22.12 or later; this is Node ${node}.\n`,
      })
    },
  )

  it.each(['20.19.0', '22.12.0', '23.0.0', '24.0.0'])('runs on Node %s', async (node) => {
    expect(await askback(folder, ['--version'], on(node))).toMatchObject({ code: 0, stdout: `${version}\n` })
  })

  it('lists its commands', async () => {
    const { code, stdout } = await askback(folder, ['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('web  ')
  })

  it('ends with 2 for an unknown command, and says which there are', async () => {
    const { code, stdout, stderr } = await askback(folder, ['remodel'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^There is no command "remodel"\.\n\nUsage: askback COMMAND/)
  })

  it('ends with 2 for an unknown flag, and names the flags', async () => {
    const { code, stderr } = await askback(folder, ['web', '--colour'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Unknown option '--colour'\.\n\nUsage: askback web\n/)
  })

  it('ends with 2 for a flag without its value', async () => {
    const { code, stderr } = await askback(folder, ['web', '--out'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--out <value>/)
  })

  it('ends with 1 when it refuses', async () => {
    expect(await askback(folder, ['web'])).toEqual({ code: 1, stdout: '', stderr: '--out is missing.\n' })
  })
})
