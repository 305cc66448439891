import { z } from 'zod'
import type { Said } from '../../engine/core/asked.ts'
import { isObject } from '../../engine/core/json-value.ts'

// What other functions ask of `mcp-client`, which alone talks to servers of MCP. Each request carries a ticket for its body.

/** Below the function `mcp-client`. */
export const toolsRoute = 'tools'
export const callRoute = 'calls'
export const signInRoute = 'sign-ins'
export const completeRoute = 'sign-ins/complete'
export const signOutRoute = 'sign-ins/end'

const members = z.record(z.string(), z.unknown())

const server = z.object({
  url: z.string().max(2_000),
  /** Such as a key: they go to the server's origin only. */
  headers: z.record(z.string(), z.string()).optional(),
})

/** Of the tools that a server has right now. */
export const toolsRequest = z.object({ userId: z.string(), server })

const said = z.custom<Said>(isObject)

const challenge = z.object({ metadataUrl: z.string().optional(), scope: z.string().optional() })

export const toolsAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('listed'),
    name: z.string(),
    title: z.string().optional(),
    version: z.string(),
    /** The revision of MCP that was agreed on. */
    protocol: z.string(),
    /** For models; nobody has read them. */
    instructions: z.string().optional(),
    /** As the server describes them, at most 1,000. */
    tools: z.array(members),
    /** How many it has. */
    total: z.number(),
  }),
  z.object({
    kind: z.literal('sign_in'),
    said,
    /** What it says about whom it lets in. */
    challenge,
  }),
  z.object({ kind: z.literal('unusable'), said }),
])
export type ToolsAnswer = z.infer<typeof toolsAnswer>

/**
 * Of one call. Answers a ToolResult, and writes settle in the ledger as those of every function do. A question of the server
 * is an error with `details.parked`: the same request with `reply` goes on.
 */
export const callRequest = z.object({
  userId: z.string(),
  server: z.object({ id: z.guid() }),
  /** As models call it. */
  tool: z.string().max(64),
  arguments: members,
  /** As the caller took it: nobody was asked about what only reads. */
  effect: z.enum(['read', 'write']),
  idempotencyKey: z.string().min(1).max(256),
  agentId: z.string().optional(),
  clientId: z.string().optional(),
  /** The definition under which it is called: with another one it is not done. */
  seen: z.looseObject({ definition: z.string() }).optional(),
  /**
   * Calls nothing, but asks the server what became of the write with this key, if somebody has named a tool that tells:
   * answers `{ ok: true, data: { verification } }`.
   */
  verify: z.literal(true).optional(),
  /** To what the server has asked. */
  reply: z.object({ state: z.string().optional(), responses: members }).optional(),
})
export type CallRequest = z.infer<typeof callRequest>

/** Of where a user signs in with a server. `challenge`: as of `toolsAnswer`. `returnTo`: where the browser goes at the end. */
export const signInRequest = z.object({ userId: z.string(), url: z.string(), challenge, returnTo: z.url() })

export const signInAnswer = z.discriminatedUnion('kind', [
  /** `host`: who asks the user there; show it before they go. */
  z.object({ kind: z.literal('page'), url: z.string(), host: z.string() }),
  z.object({ kind: z.literal('unusable'), said }),
])
export type SignInAnswer = z.infer<typeof signInAnswer>

/** With the `code` that the browser came back with. */
export const completeRequest = z.object({ userId: z.string(), code: z.string() })

export const completeAnswer = z.discriminatedUnion('kind', [
  /** The server's URL. */
  z.object({ kind: z.literal('signed_in'), url: z.string() }),
  z.object({ kind: z.literal('unusable'), said }),
])
export type CompleteAnswer = z.infer<typeof completeAnswer>

export const signOutRequest = z.object({ userId: z.string(), url: z.string() })
