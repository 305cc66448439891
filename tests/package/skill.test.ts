import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { environment } from '../../scripts/platform.ts'
import { askback, builtPackage } from '../../support/askback-command.ts'
import { readPage } from '../../support/docs-pages.ts'
import { blocksUnder, commandsIn } from '../../support/readme-blocks.ts'
import { makeSupabaseProject } from '../../support/supabase-project.ts'

const skill = readPage('skills/askback/SKILL.md')
const prefix = 'npx --no-install askback '

/** Commands of a heading that are Askback's own, as words. */
const commandsUnder = (heading: string) =>
  blocksUnder(skill, heading)
    .filter(({ language }) => language === 'sh')
    .flatMap(commandsIn)
    .filter((command) => command.startsWith(prefix))
    .map((command) => command.slice(prefix.length).split(' '))

describe('the skill for coding agents', () => {
  let folder: string
  beforeAll(() => {
    folder = makeSupabaseProject()
    mkdirSync(join(folder, 'node_modules'))
    cpSync(builtPackage(), join(folder, 'node_modules/askback'), { recursive: true })
  })

  it('says in its front matter what it is called and when to use it', () => {
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(skill) ?? []
    const members = Object.fromEntries(front.split('\n').map((line) => line.split(/: (.*)/, 2)))
    // https://agentskills.io/specification: the name is the folder's, and the description has 1024 characters at most.
    expect(members.name).toBe('askback')
    expect(members.description).toMatch(/^.{20,1024}$/)
    expect(Object.keys(members)).toEqual(['name', 'description'])
  })

  it('adds, writes tools and upgrades by its commands, in their order', { timeout: 300_000 }, async () => {
    const env = {
      PATH: `${join(findDeno(), '..')}:${process.env.PATH}`,
      DENO_DIR: environment.DENO_DIR ?? '',
    }
    const headings = ['Add it', "Write tools of the project's own", 'Upgrade']
    // What needs a database looks at the hosted project or a running one: tests/package/doctor.test.ts.
    const commands = headings.flatMap(commandsUnder).filter(([name]) => name !== 'doctor')
    expect(commands.map(([name]) => name)).toEqual([
      'add',
      'add',
      'upgrade',
      'new-integration',
      'test',
      'new-integration',
      'upgrade',
    ])
    for (const words of commands) {
      const { code, stdout, stderr } = await askback(folder, words, env)
      expect(code, `${words.join(' ')}: ${stdout}${stderr}`).toBe(0)
    }
  })

  it('finds the chat where it says that it is', () => {
    expect(skill).toContain('node_modules/askback/README.md')
    expect(existsSync(join(folder, 'node_modules/askback/README.md'))).toBe(true)
    expect(readFileSync(join(folder, 'node_modules/askback/README.md'), 'utf8')).toContain(
      'export function Chat()',
    )
  })
})
