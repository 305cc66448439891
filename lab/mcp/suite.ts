import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { node, packagePath } from './packages.ts'

const suite = packagePath('@modelcontextprotocol/conformance')

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

/** Runs a frozen set against a server at `url`. */
export async function runSuite(revision: (typeof revisions)[number], url: string): Promise<Outcome[]> {
  return await runSet('server', revision, ['--url', url])
}

/**
 * Runs a frozen set against our client: a program that the suite starts for each scenario, all at once, with the address of the
 * scenario's server as its last argument.
 */
export async function runClientSuite(
  revision: (typeof revisions)[number],
  program: string,
): Promise<Outcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'askback-mcp-client-'))
  // So many compilers at once would take longer than the suite waits.
  const bundle = await rolldown({ input: program, platform: 'node' })
  const file = join(folder, 'client.mjs')
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  await bundle.close()
  try {
    return await runSet('client', revision, ['--command', `${node} ${file}`])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** A scenario that the suite does not report has passed nothing. */
async function runSet(
  side: 'server' | 'client',
  revision: (typeof revisions)[number],
  given: string[],
): Promise<Outcome[]> {
  const required = await requiredScenarios(side, revision)
  const results = await mkdtemp(join(tmpdir(), 'askback-mcp-'))
  const child = spawn(
    node,
    [join(suite, 'dist/index.js'), side, ...given, '--requirements', revision, '-o', results],
    {
      cwd: results,
      // Clients say there how their scenarios end, which fail on purpose.
      stdio: ['ignore', 'pipe', side === 'client' ? 'ignore' : 'inherit'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    },
  )
  const said = new Map<string, { passed: number; failed: number }>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [, scenario, passed, failed] = /^\S+ ([\w/-]+): (\d+) passed, (\d+) failed/.exec(line) ?? []
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

/** The scenarios of one side in the file of a revision: a list of YAML, one a line. */
async function requiredScenarios(side: 'server' | 'client', revision: string): Promise<string[]> {
  const text = await readFile(join(suite, `requirements/${revision}.yaml`), 'utf8')
  const [, list = ''] = new RegExp(`^${side}:\\n((?: {2}- .+\\n)+)`, 'm').exec(text) ?? []
  return list.split('\n').flatMap((line) => (line === '' ? [] : [line.slice('  - '.length)]))
}
