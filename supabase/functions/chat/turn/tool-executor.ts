import { z } from 'zod'
import type { Said } from '../../../../shared/engine/core/asked.ts'
import { isObject, readJsonOrText } from '../../../../shared/engine/core/json-value.ts'
import { bodyLimits, readText } from '../../../../shared/engine/core/outside-body.ts'
import type { Look } from '../../../../shared/engine/core/seen.ts'
import { storableJson } from '../../../../shared/engine/core/storable-json.ts'
import { timeouts } from '../../../../shared/engine/core/timeouts.ts'
import {
  isWholeToolError,
  saidError,
  ToolCallError,
  type ToolError,
  type ToolResult,
} from '../../../../shared/engine/core/tool-error.ts'
import type {
  ExecuteContext,
  LookContext,
  Tool,
  ToolLibrary,
  ToolSpecification,
  Verification,
} from '../../../../shared/engine/core/tool-specification.ts'
import { isVerification } from '../../../../shared/engine/core/verification.ts'
import { classifyError } from '../../../../shared/engine/failures/classify-error.ts'
import { outcomeUnknown } from '../../../../shared/engine/failures/outcome-unknown.ts'
import { toolValues } from '../../../../shared/engine/wording/question-values.ts'
import { findMissingAccess } from '../../../../shared/integrations/definition/missing-access.ts'
import { compareSeen, seeDefinition } from '../../../../shared/integrations/mcp/seen-definition.ts'
import { ticketHeaders } from '../../../../shared/server/client-calls/between-functions.ts'
import { readModelUse } from '../../../../shared/server/integration-function/model-use.ts'
import { type AppUrls, withAppLink } from '../../../../shared/server/links/app-urls.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'
import { callRoute } from '../../../../shared/server/server-calls/server-call.ts'
import type { CallerHeaders } from './caller-headers.ts'
import type { PermittedTool } from './catalogue.ts'
import type { FoundOutcome } from './run-ledger.ts'
import { testConnections } from './test-connections.ts'

/** Who calls tools of servers, and what signs that. */
interface ServerCalls {
  userId: string
  /** The program over MCP for which it is done. */
  clientId: string | undefined
  functionSecret: string | undefined
}

export interface ExecutorSettings {
  /** URL of a function of this project, or of one of its routes. */
  functionUrl: (route: string) => string
  agentId: string
  /** What the conversation belongs to in the app. */
  scope?: string
  headersFor: CallerHeaders
  /** For whom tools of servers are called. */
  serverCalls: ServerCalls
  findOutcome: (idempotencyKey: string) => Promise<FoundOutcome>
  /** Base URL of links in questions. */
  appUrls: AppUrls
  /** The header that ties what a function does to the run's trace, if it is traced. */
  traceparentOf?: ((toolCallId: string) => string) | undefined
  fetch: typeof fetch
}

/** One executor for every tool: it posts the call to the tool's function and returns the result. */
export function createToolExecutors(
  tools: readonly PermittedTool[],
  settings: ExecutorSettings,
): ToolLibrary {
  return new Map(tools.map((tool) => [tool.specification.name, new FunctionTool(tool, settings)]))
}

/**
 * Whether an error is our own code's, so that it counts as a whole; else it is a tool's own words. Integrations are made of
 * our code, and so is what compares what a function of the app returned. What others say, those functions and servers, has
 * no sentence of ours (`asked`).
 */
function isOurs({ details }: ToolError, source: PermittedTool['source']): boolean {
  if (details.changed !== undefined) return true
  return source === 'server' ? details.asked !== undefined : source !== 'application'
}

/** Whether a function made of our code carries it out, so that its reports are trusted. */
function isIntegration({ source }: PermittedTool): boolean {
  return source === 'askback' || source === 'project'
}

const changeSchema = z.object({ what: z.string(), before: z.unknown(), now: z.unknown() })
const lookedSchema = z.object({
  ok: z.literal(true),
  data: z.object({
    look: z
      .object({
        seen: z.record(z.string(), z.unknown()),
        fixed: z.record(z.string(), z.unknown()).optional(),
        changed: z.array(changeSchema).optional(),
      })
      .nullable(),
  }),
})

/** A class, since a turn makes one for each tool of its agent, and calls few. */
class FunctionTool implements Tool {
  readonly specification: ToolSpecification
  private readonly tool: PermittedTool
  private readonly settings: ExecutorSettings

  constructor(tool: PermittedTool, settings: ExecutorSettings) {
    this.specification = tool.specification
    this.tool = tool
    this.settings = settings
  }

  async execute(args: Record<string, unknown>, context: ExecuteContext) {
    const { tool, settings } = this
    const outcome = await post(tool, args, context, settings)
    const isUnknown = tool.specification.effect === 'write' && mayHaveRun(outcome)
    const result = isUnknown ? await askLedger(outcome, tool, context, settings) : outcome
    if (isWholeToolError(result) && isOurs(result, tool.source)) throw new ToolCallError(result)
    return result
  }

  async look(args: Record<string, unknown>, { signal, seen }: LookContext): Promise<Look | undefined> {
    const { server } = this.tool
    if (server) {
      const now = await seeDefinition(server.tool, server.definition)
      return { seen: now, ...(seen && { changed: compareSeen(seen, now) }) }
    }
    const context = { signal, attempt: 1, idempotencyKey: crypto.randomUUID(), seen }
    const answer = await post(
      this.tool,
      args,
      { ...context, effectBegins() {}, usedModel() {} },
      this.settings,
      {
        look: true,
      },
    )
    return lookedSchema.safeParse(answer).data?.data.look ?? undefined
  }

  requirement(args: Record<string, unknown>) {
    const missing = findMissing(this.tool, args)
    return missing && withAppLink(missing, this.settings.appUrls)
  }

  checkConnection(args: Record<string, unknown>, signal: AbortSignal) {
    return testConnections(this.tool, args, signal, this.settings)
  }

  verify(args: Record<string, unknown>, context: ExecuteContext) {
    return verifyOutcome(this.tool, args, context, this.settings)
  }
}

/**
 * Whether a write with a lost answer happened: integration functions settle before they answer, and if one has not,
 * it asks its provider.
 */
async function verifyOutcome(
  tool: PermittedTool,
  args: Record<string, unknown>,
  context: ExecuteContext,
  settings: ExecutorSettings,
): Promise<Verification> {
  const found = await settings.findOutcome(context.idempotencyKey)
  if (found === 'not_run') return 'not_sent'
  if (found !== 'unknown') return found.settled.ok ? 'sent' : 'not_sent'
  if (tool.server && !tool.server.isVerified) return 'unknown'
  const answer = await post(tool, args, context, settings, { verify: true })
  const verification = isObject(answer) && isObject(answer.data) ? answer.data.verification : undefined
  return isVerification(verification) ? verification : 'unknown'
}

/** The missing connection or permission without which a call cannot be made. */
function findMissing(tool: PermittedTool, args: Record<string, unknown>): ToolError | undefined {
  const providers = tool.providers.map(({ oauth, builtIn, connections, ...provider }) => ({
    connections,
    provider: {
      ...provider,
      description: '',
      oauth: oauth || undefined,
      builtIn: builtIn ? (true as const) : undefined,
    },
  }))
  return findMissingAccess(tool.specification, args, providers)
}

/** The function's own ToolResult, or what its silence, its crash or the gateway's answer means. */
async function post(
  tool: PermittedTool,
  args: Record<string, unknown>,
  context: ExecuteContext,
  settings: ExecutorSettings,
  extra: { verify?: true; look?: true } = {},
): Promise<unknown> {
  const { specification, function: name } = tool
  const { signal, toolCallId, usedModel } = context
  const { functionUrl, traceparentOf, fetch: send } = settings
  const facts = { toolName: specification.name, effect: specification.effect }
  const { route, text, authority } = tool.server
    ? await askServer(tool, tool.server, args, context, settings, extra)
    : await askFunction(tool, args, context, settings, extra)
  const headers: Record<string, string> = { 'content-type': 'application/json', ...authority }
  if (traceparentOf && toolCallId !== undefined) headers.traceparent = traceparentOf(toolCallId)
  try {
    const response = await send(functionUrl(route), {
      method: 'POST',
      headers,
      // A Blob is sent once; with a string, Deno 2.9 repeats the request if the connection breaks.
      body: new Blob([text]),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.functionMs)]),
    })
    const body = readJsonOrText(await readText(response, bodyLimits.function))
    // Reports of foreign tools about model calls are not trusted.
    for (const use of isIntegration(tool) ? readModelUse(response.headers) : []) usedModel(use)
    if (response.ok) return isToolResult(body) ? body : unreadable(specification)
    return (
      refusalOfGateway(name, specification, response.status, body) ??
      classifyError(body, { ...facts, httpStatus: response.status, headers: response.headers, body })
    )
  } catch (cause) {
    throwIfHeldBack(cause, specification)
    return classifyError(cause, facts)
  }
}

/** A call as it is sent. */
interface Request {
  route: string
  text: string
  /** Headers that let it in. */
  authority: Record<string, string>
}

async function askFunction(
  { specification, function: route, action }: PermittedTool,
  args: Record<string, unknown>,
  { idempotencyKey, freePlaces, seen }: ExecuteContext,
  { agentId, scope, headersFor }: ExecutorSettings,
  extra: { verify?: true; look?: true },
): Promise<Request> {
  const sent = { action, agentId, scope, params: args, idempotencyKey, freePlaces, seen, ...extra }
  // As it is kept: an approved call is read from the database.
  const text = storableJson(JSON.stringify(sent))
  const authority = await headersFor(specification.name, args, idempotencyKey, { seen, look: extra.look })
  return { route, text, authority }
}

/** Never with the user's token. What nobody has approved is called under the definition that the model has read. */
async function askServer(
  { specification, function: name }: PermittedTool,
  server: NonNullable<PermittedTool['server']>,
  args: Record<string, unknown>,
  { idempotencyKey, seen = { definition: server.definition }, reply }: ExecuteContext,
  { agentId, serverCalls: { userId, clientId, functionSecret } }: ExecutorSettings,
  { verify }: { verify?: true },
): Promise<Request> {
  if (!functionSecret)
    throw new ToolCallError(saidError('not_configured', { code: 'user_away' }, { resolver: 'nobody' }))
  const { name: tool, effect } = specification
  const call = {
    userId,
    server: { id: server.id },
    tool,
    arguments: args,
    effect,
    idempotencyKey,
    agentId,
    clientId,
    seen,
    reply,
    verify,
  }
  const text = storableJson(JSON.stringify(call))
  const authority = await ticketHeaders(callRoute, JSON.parse(text), functionSecret)
  return { route: `${name}/${callRoute}`, text, authority }
}

/**
 * Hosted functions may call each other about 5,000 times a minute; beyond that `fetch` throws `Deno.errors.RateLimitError`
 * with `retryAfterMs`, and sends nothing. https://supabase.com/docs/guides/functions/recursive-functions
 */
function throwIfHeldBack(cause: unknown, specification: ToolSpecification): void {
  if (!(cause instanceof Error) || cause.name !== 'RateLimitError') return
  const { retryAfterMs = 1000 } = cause as { retryAfterMs?: number }
  const said: Said = { code: 'tool_held_back', values: toolValues(specification) }
  throw new ToolCallError(saidError('rate_limit_exceeded', said, { retryAfterMs }))
}

/** Codes of gateways (Supabase's, the local stack's) for a function that they could not call. */
const notDeployed = ['NOT_FOUND', 'function_not_found']
const notStarted = ['BOOT_ERROR', 'function_not_started']

/** Answers from something in front of the function: it did not run. */
function refusalOfGateway(
  name: string,
  specification: ToolSpecification,
  status: number,
  body: unknown,
): ToolError | undefined {
  const values = toolValues(specification)
  const { code, error } = (typeof body === 'object' ? (body ?? {}) : {}) as {
    code?: string
    error?: { code?: string }
  }
  const said = code ?? error?.code ?? ''
  if (status === 404 && notDeployed.includes(said)) {
    writeLog('function-not-deployed', { function: name, tool: specification.name })
    return saidError('not_configured', { code: 'tool_not_deployed', values }, { resolver: 'nobody' })
  }
  if (status === 503 && notStarted.includes(said)) {
    writeLog('function-not-started', { function: name, tool: specification.name })
    return saidError('unavailable', { code: 'tool_not_started', values })
  }
  return status === 401 ? saidError('execution_error', { code: 'session_ended' }) : undefined
}

/** Something answered for the function, or the answer was empty: in any case it is not a result. */
function unreadable(specification: ToolSpecification): ToolError {
  return specification.effect === 'write'
    ? outcomeUnknown()
    : saidError('unavailable', { code: 'tool_unreadable', values: toolValues(specification) })
}

/** True if this answer does not tell whether a write has happened. */
function mayHaveRun(outcome: unknown): outcome is ToolError {
  return (
    isWholeToolError(outcome) && (outcome.errorType === 'outcome_unknown' || outcome.errorType === 'timeout')
  )
}

/** What the ledger knows better than the broken connection: integration functions settle before they answer. */
async function askLedger(
  unknown: ToolError,
  tool: PermittedTool,
  { idempotencyKey }: ExecuteContext,
  { findOutcome }: ExecutorSettings,
): Promise<unknown> {
  const found = await findOutcome(idempotencyKey).catch((): FoundOutcome => 'unknown')
  if (found === 'unknown') return unknown
  if (found !== 'not_run') return didNotHappen(found.settled)
  // Its claim is closed now, so trying again is a new call: the model or the user decides on that.
  const said: Said = { code: 'tool_failed_first', values: toolValues(tool.specification) }
  return saidError('unavailable', said, { resolver: 'nobody' })
}

/** From a timeout the engine cannot tell whether a write happened; this one has settled, and its own words say why. */
function didNotHappen(settled: ToolResult): ToolResult {
  const timedOut = !settled.ok && settled.errorType === 'timeout'
  return timedOut ? { ...settled, errorType: 'unavailable' } : settled
}

function isToolResult(body: unknown): boolean {
  return (
    isWholeToolError(body) ||
    (typeof body === 'object' && body !== null && (body as { ok?: unknown }).ok === true)
  )
}
