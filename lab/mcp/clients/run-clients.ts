import { setTimeout as wait } from 'node:timers/promises'
import type { TestStack } from '../../../support/stack.ts'
import { readVersions } from '../packages.ts'
import type { Client, Mode } from './client.ts'
import { startInspector } from './inspector.ts'
import { makePerson } from './person.ts'
import { makeScene, type Scene } from './scene.ts'
import { setStage } from './stage.ts'
import { startProgram } from './start-program.ts'
import { type Step, steps } from './steps.ts'

interface Participant {
  /** As people call it. */
  name: string
  packageName: string
  about?: string
  /** How it can ask its user. */
  modes: readonly Mode[]
  start(): Client
}

const participants: readonly Participant[] = [
  {
    name: 'SDK',
    packageName: '@modelcontextprotocol/sdk',
    modes: ['form', 'url'],
    start: () => startProgram('sdk-1'),
  },
  {
    name: 'SDK',
    packageName: '@modelcontextprotocol/client',
    about: 'legacy',
    modes: ['form', 'url'],
    start: () => startProgram('sdk-2', 'legacy'),
  },
  {
    name: 'SDK',
    packageName: '@modelcontextprotocol/client',
    about: '2026-07-28',
    modes: ['form', 'url'],
    start: () => startProgram('sdk-2', '2026-07-28'),
  },
  {
    name: '@ai-sdk/mcp',
    packageName: '@ai-sdk/mcp',
    modes: ['form'],
    start: () => startProgram('ai-sdk'),
  },
  {
    name: 'Inspector',
    packageName: '@modelcontextprotocol/inspector',
    about: '--cli --strict',
    modes: [],
    start: startInspector,
  },
]

/** Milliseconds for a step: some clients wait for ever. */
const longestStep = 60_000

/**
 * Plays the steps with each client as it is published, all at once, and prints how many went as they should. Resolves to
 * whether all did.
 */
export async function runClients(stack: TestStack): Promise<boolean> {
  const versions = await readVersions()
  const played = participants.map((one) => playWith(one, titleOf(one, versions), stack))
  const reports = await Promise.all(played)
  for (const { lines } of reports) console.log(lines.join('\n'))
  return reports.every(({ isWhole }) => isWhole)
}

function titleOf({ name, packageName, about }: Participant, versions: Record<string, string>): string {
  return `${name} ${versions[packageName]}${about ? `, ${about}` : ''}`
}

async function playWith({ modes, start }: Participant, title: string, stack: TestStack) {
  const client = start()
  const stage = await setStage(stack)
  try {
    const person = await makePerson(stack)
    const scene = makeScene({ stage, person, client, modes, name: title })
    if (!client.signIn) scene.token = await person.makeToken()
    const faults = await play(scene)
    const failed = faults.filter(([, fault]) => fault !== undefined)
    const isWhole = failed.length === 0
    const lines = failed.map(([what, fault]) => `FAILED ${title} ${what}: ${fault}`)
    lines.push(`${title}: ${faults.length - failed.length} of ${faults.length}`)
    return { lines, isWhole }
  } finally {
    await client.end()
    await stage.close()
  }
}

/** What each step is, and what went wrong in it. */
async function play(scene: Scene): Promise<[what: string, fault: string | undefined][]> {
  const faults: [string, string | undefined][] = []
  for (const step of steps) {
    if (step.isFor?.(scene) === false) continue
    faults.push([step.what, await faultOf(step, scene)])
  }
  return faults
}

async function faultOf(step: Step, scene: Scene): Promise<string | undefined> {
  const inTime = new AbortController()
  const late = wait(longestStep, undefined, { signal: inTime.signal }).then(() => {
    throw new Error(`It took more than ${longestStep / 1000} s.`)
  })
  try {
    const { complaints } = scene.client
    const before = complaints.length
    await Promise.race([step.run(scene), late])
    return step.breaks ? undefined : complaints[before]
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    inTime.abort()
  }
}
