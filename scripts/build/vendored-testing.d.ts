/** Types of `_askback/testing.js`: what tests of a project's own integrations stand on. */
import type { Environment, Implementation, Integration, ToolError } from './vendored-integration.d.ts'

export interface ProviderRequest {
  method: string
  /** With the query. */
  path: string
  headers: Record<string, string>
  body: string
}

/** Answers, or: refuses the connection, says nothing, hangs up after the request, hangs up within the answer. */
export type ProviderReply =
  | 'refused'
  | 'silent'
  | 'lost'
  | 'cut'
  | { status: number; headers?: Record<string, string>; body: unknown }

/** Stands in for a provider's HTTP API. */
export interface ScriptedProvider {
  url: string
  /** Since the last script. */
  requests: ProviderRequest[]
  /** What happens from now on to requests whose path begins like this; undefined: all is well again. */
  script(reply: ProviderReply | undefined, path: string): Promise<void>
  asked(path: string): number
  silence(): Promise<void>
}

/** Starts one that answers well with these bodies, by the beginning of the path. */
export declare function startScriptedProvider(answers: Record<string, unknown>): Promise<ScriptedProvider>

export interface IntegrationUnderTest {
  integration: Integration
  createActions: (env: Environment) => Implementation
  env: Environment
  /** What the user has connected. */
  connection?: { provider: string; values: Record<string, unknown> }
  provider: ScriptedProvider
  /** Calls that work; `path` begins the path of the request that can go wrong. */
  cases: readonly {
    action: string
    params: Record<string, unknown>
    path: string
    /** Where the provider says more than its status does, by the name of the fault. */
    endings?: Record<string, { errorType: ToolError['errorType']; resolver: ToolError['resolver'] }>
  }[]
}

/** Registers tests (`node:test`) of everything that a provider can do wrong, and of what has to follow. */
export declare function describeIntegration(subject: IntegrationUnderTest): void

/** The function with an empty ledger, as a signed-in user calls it. */
export declare function openIntegration(subject: IntegrationUnderTest): Promise<{
  post(body: unknown, signal?: AbortSignal): Promise<Response>
  call(body: unknown): Promise<{ answer: ToolError & { ok: boolean }; log: string }>
}>
