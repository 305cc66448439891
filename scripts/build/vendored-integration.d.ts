/** Types of `_askback/integration.js`, for the functions of a project. */

type JsonSchema = Record<string, unknown>
export type Environment = Readonly<Record<string, string | undefined>>

export interface ToolSpecification {
  name: string
  description: string
  parameters: JsonSchema
  effect: 'read' | 'write'
  title?: string
  summary?: string
  confirm?: string
  button?: string
  providers?: readonly string[]
  approval?: 'always' | 'never' | Record<string, readonly string[]>
  destructive?: boolean | 'delete' | Record<string, readonly string[] | Record<string, true | 'delete'>>
  private?: boolean
  repeats?: boolean
  emptyText?: true
  repliesTo?: string
  maxOutputBytes?: number
  readsOn?: { parameter: string; text: string }
  trustedOutput?: readonly string[]
}

export interface CatalogueTool {
  specification: ToolSpecification
  action: string
}

export interface Integration {
  name: string
  providers: readonly {
    id: string
    name: string
    description: string
    service: string
    purpose: string
    connection: JsonSchema
  }[]
  tools: readonly CatalogueTool[]
  words?: IntegrationWords
}

export interface FieldWords {
  title: string
  short?: string
  question?: string
  hint?: string
  unfit?: string
  choices?: Readonly<Record<string, string>>
}

export interface ToolWords {
  title: string
  fields: Readonly<Record<string, FieldWords>>
  confirm?: string
  summary?: string
  button?: string
}

export interface ProviderWords {
  description: string
  purpose: string
  fields: Readonly<Record<string, FieldWords>>
  scopes?: Readonly<Record<string, string>>
}

export type IntegrationWords = Readonly<
  Record<
    string,
    { tools: Readonly<Record<string, ToolWords>>; providers: Readonly<Record<string, ProviderWords>> }
  >
>

export interface ActionContext {
  signal: AbortSignal
  idempotencyKey?: string
  attempt: number
  connection?: { values: Record<string, unknown> }
  effectBegins(): Promise<void>
}

export interface IntegrationAction<Arguments = Record<string, unknown>> {
  tool: CatalogueTool
  run(args: Arguments, context: ActionContext): Promise<unknown>
}

export interface Implementation {
  // biome-ignore lint/suspicious/noExplicitAny: each action has arguments of its own
  actions: readonly IntegrationAction<any>[]
  testConnection?: Record<string, (values: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>>
}

export declare function integrationTool(
  definition: Omit<ToolSpecification, 'parameters'> & { parameters: unknown; action: string },
): CatalogueTool

export declare function askJson(
  url: string | URL,
  request: { signal: AbortSignal; method?: string; headers?: Record<string, string>; json?: unknown },
): Promise<unknown>

export declare class Question extends Error {
  constructor(sentence: string, options?: { parameter?: string; resolver?: 'model' | 'user'; hint?: string })
}

export declare function createIntegrationHandler(
  integration: Integration,
  createActions: (env: Environment) => Implementation,
  env: Environment,
): (request: Request) => Response | Promise<Response>
