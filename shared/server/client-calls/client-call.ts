import { z } from 'zod'
import { isObject } from '../../engine/core/json-value.ts'
import type { ToolError } from '../../engine/core/tool-error.ts'

// What the function `mcp` asks of `chat`, which carries calls out.

/** Below the function `chat`. */
export const callRoute = 'client-calls'
export const toolsRoute = 'client-tools'

const program = z.object({
  /** As it calls itself. */
  name: z.string().max(200),
  version: z.string().max(200).optional(),
})

const caller = {
  userId: z.string(),
  agentId: z.string().optional(),
  /** Of a program that has a grant: it may do what that says. */
  grantId: z.string().optional(),
  /** What let it in: its grant, or its API token. */
  grantKey: z.string(),
}

export const toolsRequest = z.object(caller)
export type ToolsRequest = z.infer<typeof toolsRequest>

/** A tool, as a program is told of it. */
export const clientTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  effect: z.enum(['read', 'write']),
  isDestructive: z.boolean(),
})
export type ClientTool = z.infer<typeof clientTool>
export const toolsAnswer = z.object({ tools: z.array(clientTool) })

/** The tool that asks the agent itself, unless the agent has another one of this name. */
export const askAgentName = 'ask_agent'
export const askedAgent = z.object({
  message: z.string().trim().min(1).max(100_000),
  /** Of an earlier answer. */
  conversation: z.string().optional(),
})
export type AskedAgent = z.infer<typeof askedAgent>

/** What can be asked through the program: forms, links. */
const canAsk = z.object({ form: z.boolean(), url: z.boolean() })
export type CanAsk = z.infer<typeof canAsk>

export const callRequest = z.object({
  ...caller,
  program,
  tool: z.string().max(200),
  arguments: z.record(z.string(), z.unknown()),
  canAsk,
  /** Milliseconds after which it is answered, whatever is still going on. */
  waitMs: z.number(),
  /** What the program says to what it was asked. */
  reply: z
    .object({
      conversationId: z.string(),
      itemId: z.string(),
      action: z.enum(['accept', 'decline', 'cancel']),
      content: z.record(z.string(), z.unknown()).optional(),
    })
    .optional(),
})
export type CallRequest = z.infer<typeof callRequest>

/** How a call waits for a person or the clock. */
const waiting = z.object({
  kind: z.literal('waits'),
  conversationId: z.string(),
  itemId: z.string(),
  /** The whole question, in the language of the user. */
  question: z.string(),
  /** The page where it is decided; absent if the project has none. */
  href: z.string().optional(),
  /** How the program is to ask it; absent if it is not to. */
  ask: z
    .discriminatedUnion('mode', [
      z.object({
        mode: z.literal('form'),
        schema: z.record(z.string(), z.unknown()),
        /** What it says instead of the question. */
        message: z.string().optional(),
      }),
      z.object({ mode: z.literal('url') }),
    ])
    .optional(),
  /** ISO 8601: when the clock goes on with it; nobody has to do anything. */
  resumeAt: z.string().optional(),
  /** The program has just said that nobody answers it. */
  declined: z.boolean().optional(),
})
export type WaitingCall = z.infer<typeof waiting>

export const callAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('done'),
    conversationId: z.string(),
    data: z.unknown(),
    /** ISO 8601: it was done then, and not again. */
    doneAt: z.string().optional(),
  }),
  z.object({
    kind: z.literal('failed'),
    conversationId: z.string(),
    /** For the program's model. */
    text: z.string(),
    error: z.custom<ToolError>(isObject).optional(),
  }),
  waiting,
  /** Nothing has begun. */
  z.object({ kind: z.literal('refused'), text: z.string() }),
  z.object({ kind: z.literal('running') }),
])
export type CallAnswer = z.infer<typeof callAnswer>
