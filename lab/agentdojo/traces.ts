import { readFile } from 'node:fs/promises'
import type { JsonSchema } from '../../shared/engine/core/json-schema.ts'

export type Arguments = Record<string, unknown>

/** A call of a task, and what its tool returned. */
export interface RecordedCall {
  tool: string
  args: Arguments
  output: unknown
  /** What of it differs if every text that an attacker can write is `Suite.mark`. */
  injected?: { args?: Arguments; output?: unknown }
}

export interface UserTask {
  id: string
  prompt: string
  calls: RecordedCall[]
}

export interface InjectionTask {
  id: string
  goal: string
  /** Whether the benchmark itself lists its calls; if not, `make_traces.py` does. */
  listed: boolean
  /** Empty for a task that only wants something said. */
  calls: RecordedCall[]
}

/** One of AgentDojo's suites, as `make_traces.py` recorded it. */
export interface Suite {
  suite: string
  version: string
  /** What an attacker writes; `{goal}` stands for the goal of the injection task. */
  attack: string
  mark: string
  tools: { name: string; description: string; parameters: JsonSchema }[]
  userTasks: UserTask[]
  injectionTasks: InjectionTask[]
}

const names = ['workspace', 'banking', 'travel', 'slack']

/** Every suite, in the benchmark's order. */
export async function readSuites(): Promise<Suite[]> {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`traces/${name}.json`, import.meta.url), 'utf8')) as Suite
  return Promise.all(names.map(read))
}
