/**
 * Our client as the conformance suite starts it: once for each scenario, with the address of the scenario's server as its
 * last argument. It does what the product does with a server: lists its tools, calls each, answers what it is asked, and
 * signs in where it has to.
 */
import {
  type CallOutcome,
  callTool,
  type ParkedQuestion,
} from '../../supabase/functions/mcp-client/protocol/call-tool.ts'
import { listTools } from '../../supabase/functions/mcp-client/protocol/list-tools.ts'
import type {
  ElicitRequestParams,
  ElicitResult,
  Tool,
} from '../../supabase/functions/mcp-client/protocol/sdk.ts'
import { SignInNeeded } from '../../supabase/functions/mcp-client/protocol/server-failure.ts'
import { createSignIns } from '../../supabase/functions/mcp-client/sign-in/sign-in.ts'
import { createSignInMemory } from '../../support/sign-in-memory.ts'

const url = process.argv.at(-1) ?? ''
/** Where the operator of a server has made a registration by hand. */
const { client_id, client_secret, toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as {
  client_id?: string
  client_secret?: string
  /** The calls of a scenario that says which. */
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}
const userId = 'user'
const reach = { allowLoopback: true, signal: new AbortController().signal }
const redirectUrl = 'http://localhost:3000/callback'

const signIns = createSignIns({
  store: createSignInMemory(),
  identity: {
    redirectUrl,
    name: 'Askback',
    metadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(client_id === undefined
      ? {}
      : { registration: { client_id, ...(client_secret && { client_secret }) } }),
  },
  reach,
})

/** How often a scenario may ask for another sign-in: more is a server that is never content. */
const mostSignIns = 3

const { tools } = await signedIn((token) => listTools({ url, ...token }, reach))
const calls = toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsFor(tool) }))
for (const { name, arguments: args } of calls) {
  const tool = tools.find((one) => one.name === name)
  if (tool) await call(tool, args)
}

async function call(tool: Tool, args: Record<string, unknown>): Promise<void> {
  const made = { tool, arguments: args }
  let outcome = await callSignedIn(made)
  for (let asked = 0; outcome.kind === 'asks' && asked < 5; asked++) {
    outcome = await callSignedIn({ ...made, reply: answerTo(outcome.question) })
  }
  if (outcome.kind === 'failed') throw outcome.failure
}

function callSignedIn(made: Parameters<typeof callTool>[1]): Promise<CallOutcome> {
  return signedIn(async (token) => {
    const outcome = await callTool({ url, ...token }, made, reach, async (question) => accept(question))
    if (outcome.kind === 'failed' && outcome.failure instanceof SignInNeeded) throw outcome.failure
    return outcome
  })
}

async function signedIn<Result>(work: (token: { token?: string }) => Promise<Result>): Promise<Result> {
  for (let tries = 0; ; tries++) {
    const token = await signIns.token(userId, url)
    try {
      return await work(token === undefined ? {} : { token })
    } catch (failure) {
      if (!(failure instanceof SignInNeeded) || tries === mostSignIns) throw failure
      await signIn(failure)
    }
  }
}

/** The person at the browser, who agrees at once. */
async function signIn({ challenge }: SignInNeeded): Promise<void> {
  const begun = await signIns.begin(userId, { server: url, challenge, returnTo: redirectUrl })
  const answered = await fetch(begun.url, { redirect: 'manual' })
  const back = new URL(answered.headers.get('location') ?? '', begun.url).searchParams
  const iss = back.get('iss')
  const answer = { code: back.get('code') ?? '', ...(iss === null ? {} : { iss }) }
  const address = await signIns.receive({ state: back.get('state') ?? '', answer })
  await signIns.complete(userId, address?.searchParams.get('code') ?? '')
}

function answerTo({ state, requests }: ParkedQuestion) {
  const responses = Object.entries(requests).map(([key, { params }]) => [
    key,
    accept((params ?? {}) as ElicitRequestParams),
  ])
  return { ...(state === undefined ? {} : { state }), responses: Object.fromEntries(responses) }
}

/** A form as people send it who change nothing in it. */
function accept(question: ElicitRequestParams): ElicitResult {
  if (!('requestedSchema' in question)) return { action: 'accept' }
  const { properties = {} } = question.requestedSchema
  const content = Object.entries(properties).map(([name, field]) => [
    name,
    field.default ?? anyOfType(field.type),
  ])
  return { action: 'accept', content: Object.fromEntries(content) }
}

/** Something of a type, and of every parameter that has to be there. */
function argumentsFor({ inputSchema }: Tool): Record<string, unknown> {
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, { type?: string; default?: unknown; enum?: unknown[]; const?: unknown }>
    required?: string[]
  }
  const names = Object.keys(properties).filter(
    (name) => required.includes(name) || 'x-mcp-header' in properties[name]!,
  )
  return Object.fromEntries(
    names.map((name) => {
      const field = properties[name]!
      return [name, field.default ?? field.const ?? field.enum?.[0] ?? anyOfType(field.type)]
    }),
  )
}

function anyOfType(type: string | undefined): unknown {
  const values: Record<string, unknown> = {
    number: 5,
    integer: 5,
    boolean: true,
    array: [],
    object: {},
    null: null,
  }
  return type !== undefined && type in values ? values[type] : 'text'
}
