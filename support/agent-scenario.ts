import type { Clock } from '../shared/engine/core/clock.ts'
import type { Tool } from '../shared/engine/core/tool-specification.ts'
import { resumeAgent } from '../shared/engine/loop/resume-agent.ts'
import type { AgentEvent, AgentResponse } from '../shared/engine/loop/run/agent-response.ts'
import { createMemoryLedger, type MemoryLedger } from '../shared/engine/loop/run/memory-ledger.ts'
import type { ResumeAgentOptions, RunAgentOptions } from '../shared/engine/loop/run/run-options.ts'
import { runAgent } from '../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../shared/engine/models/create-model-client.ts'
import type { ModelClient, Sampling } from '../shared/engine/models/protocol/model-client.ts'
import type { ModelWindows } from '../shared/engine/models/window-settings.ts'
import { defineTool, type ToolDefinition } from '../shared/engine/tools/define-tool.ts'
import { createToolLibrary } from '../shared/engine/tools/tool-library.ts'
import { type ModelScript, type ModelServerRequest, startModelServer } from './model-server.ts'

export interface TestClock extends Clock {
  /** Every wait asked for, in milliseconds. */
  readonly slept: number[]
  advance(milliseconds: number): void
  /** Ends every time limit that is running now. */
  expire(): void
}

/** A clock that stands still but for the sleeps it is asked for, which end at once. */
export function testClock(start = Date.UTC(2026, 10, 21, 10)): TestClock {
  let now = start
  const slept: number[] = []
  const timers = new Set<() => void>()
  return {
    slept,
    now: () => now,
    random: () => 0.5,
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
      now += milliseconds
    },
    after: (_milliseconds, run) => {
      timers.add(run)
      return () => timers.delete(run)
    },
    advance: (milliseconds) => {
      now += milliseconds
    },
    expire: () => {
      for (const run of [...timers]) run()
    },
  }
}

type Arguments = Record<string, unknown>

/** A tool that notes each execution. */
export function recordingTool(
  definition: Partial<ToolDefinition<Arguments>> & Pick<ToolDefinition<Arguments>, 'name' | 'parameters'>,
): Tool & { runs: Arguments[]; keys: string[] } {
  const runs: Arguments[] = []
  const keys: string[] = []
  const tool = defineTool<Arguments>({
    description: `The tool ${definition.name}.`,
    ...definition,
    execute: (args, context) => {
      runs.push(args)
      keys.push(context.idempotencyKey)
      return definition.execute ? definition.execute(args, context) : { done: runs.length }
    },
  })
  return { ...tool, runs, keys }
}

const text = { type: 'string' }

/** An email with recipient, subject and text; `to` need not come from the user. */
export function mailTool(more: Partial<ToolDefinition<Arguments>> = {}) {
  return recordingTool({
    name: 'send_email',
    effect: 'write',
    parameters: {
      type: 'object',
      properties: {
        to: {
          type: 'string',
          format: 'email',
          question: 'Who should I send this email to?',
          hint: 'Please provide the recipient email address.',
          description: 'recipient email address',
        },
        subject: text,
        body: text,
      },
      required: ['to', 'subject', 'body'],
      additionalProperties: false,
    },
    ...more,
  })
}

export function searchTool(more: Partial<ToolDefinition<Arguments>> = {}) {
  return recordingTool({
    name: 'web_search',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { query: text, count: { type: 'integer', minimum: 1, maximum: 20 } },
      required: ['query'],
      additionalProperties: false,
    },
    execute: ({ query }) => ({ results: [`About ${query}`] }),
    ...more,
  })
}

export interface Scenario {
  /** Runs one turn. */
  run(options?: Partial<RunAgentOptions>): Promise<AgentResponse>
  resume(
    options: Partial<ResumeAgentOptions> & Pick<ResumeAgentOptions, 'transcript'>,
  ): Promise<AgentResponse>
  readonly requests: ModelServerRequest[]
  readonly events: AgentEvent[]
  readonly clock: TestClock
  readonly ledger: MemoryLedger
  use(script: ModelScript): void
  waitForRequest(number: number): Promise<ModelServerRequest>
  /** The text of the last tool message that the n-th request (from 1) carried. */
  lastToolText(request: number): string
  [Symbol.asyncDispose](): Promise<void>
}

export interface ScenarioOptions {
  stream: boolean
  tools: readonly Tool[]
  script: ModelScript
  models?: string[]
  sampling?: Sampling
  /** Tokens that the models read, by `any/` and their name. */
  windows?: ModelWindows
}

/** What a run of an agent with these tools and this model needs besides its input. */
export function runSettings<Model extends ModelClient>({
  tools,
  model,
  clock = testClock(),
}: {
  tools: readonly Tool[]
  model: Model
  clock?: TestClock
}) {
  return {
    agent: {
      name: 'Mira',
      instructions: 'Help the user.',
      tools: tools.map((tool) => tool.specification),
    },
    library: createToolLibrary(tools),
    model,
    clock,
    ledger: createMemoryLedger(clock.now),
  }
}

/** An agent with tools, a scripted model server and the real model client in between. */
export async function startScenario(options: ScenarioOptions): Promise<Scenario> {
  const { stream, tools, script, models = ['scripted-model'], sampling = {}, windows } = options
  const server = await startModelServer(script)
  const clock = testClock()
  const events: AgentEvent[] = []
  const [model = '', ...fallbacks] = models
  const client = createModelClient({
    baseURL: server.url,
    apiKey: 'any',
    model,
    fallbacks,
    clock,
    sampling,
    ...(windows ? { windows } : {}),
  })
  const { agent, ...own } = runSettings({ tools, model: client, clock })
  const settings = {
    ...own,
    stream,
    onEvent: (event: AgentEvent) => {
      events.push(event)
    },
  }
  return {
    run: (more = {}) => runAgent({ agent, input: 'Please do it.', ...settings, ...more }),
    resume: (more) => resumeAgent({ ...settings, ...more }),
    requests: server.requests,
    events,
    clock,
    ledger: own.ledger,
    use: (next) => server.use(next),
    waitForRequest: (number) => server.waitForRequest(number),
    lastToolText(number) {
      const messages = server.requests[number - 1]?.body.messages ?? []
      const message = messages.findLast(({ role }) => role === 'tool')
      return typeof message?.content === 'string' ? message.content : ''
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}
