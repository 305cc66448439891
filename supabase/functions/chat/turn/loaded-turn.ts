import { z } from 'zod'
import { approvedBy } from '../../../../shared/api/item-link.ts'
import { isObject } from '../../../../shared/engine/core/json-value.ts'
import type { ModelPreference } from '../../../../shared/engine/models/model-settings.ts'
import type { DecidedBy, QuestionEntry } from '../../../../shared/engine/transcript/entry.ts'
import { liveWriteSchema, writeSchema } from '../../../../shared/server/database/write-schema.ts'
import { sealedModelKeySchema } from '../../../../shared/server/model-keys/open-model-keys.ts'
import { openItemSchema } from '../answer/open-item.ts'
import { runViewSchema } from '../answer/run-view.ts'
import { doneSchema, storedEntrySchema } from '../entries/stored-entry.ts'
import { reservationSchema } from './budget-reservation.ts'
import type { PermittedTool } from './catalogue.ts'
import { aboutLimitSchema } from './limit-words.ts'

/** Which tools of the catalogue the agent may use. */
const agentToolsSchema = z.object({
  /** `all`: those that no permission forbids; `listed`: only those that one allows. */
  access: z.enum(['all', 'listed']),
  /** Names of those that the program may use which has begun the conversation; absent: its user has. */
  granted: z.array(z.string()).nullish(),
  /** Who approves calls of these, if not the user alone. */
  approvers: z.array(
    z.object({
      names: z.array(z.string()),
      who: z.enum(['group', 'both']),
      groupId: z.string(),
      group: z.string(),
    }),
  ),
  permissions: z.array(
    z.object({
      /** Of the tools that it is about. */
      names: z.array(z.string()),
      allowed: z.boolean(),
      /** Undefined: the tool's own rule. */
      approval: z.enum(['always', 'never']).nullish(),
      /** The connection that the agent's owner has chosen for them. */
      connectionId: z.string().nullish(),
    }),
  ),
})
export type AgentTools = z.infer<typeof agentToolsSchema>

const connectionSchema = z.object({
  provider: z.string(),
  id: z.string(),
  status: z.string(),
  scopes: z.array(z.string()).nullable(),
  /** The account it sends from, if known. */
  account: z.string().nullish(),
})
export type ToolConnection = z.infer<typeof connectionSchema>

/** What the tools of an agent are made from. */
export const toolsOfAgentSchema = z.object({
  /** The version of the catalogue. */
  catalogue: z.string(),
  tools: agentToolsSchema,
  /** The user's, to all providers. */
  connections: z.array(connectionSchema),
})

const historyMessageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  entries: z.array(storedEntrySchema),
})

const asked = z.custom<QuestionEntry>((value) => isObject(value) && value.type === 'question')

/** Who decided an item, as far as the database has found it out. */
const madeSchema = z.object({
  by: z.custom<DecidedBy>(isObject).optional(),
  approvedBy: z.array(approvedBy()).optional(),
})

/** An open item that a run continues. */
const decidedItemSchema = openItemSchema
  .partial()
  .required({ itemId: true, type: true, toolCallId: true })
  .extend({ expired: z.boolean().optional(), made: madeSchema.optional() })
export type DecidedItem = z.infer<typeof decidedItemSchema>

/** Everything a run needs, loaded in the round trip that started it. */
const loadedTurnSchema = toolsOfAgentSchema.extend({
  /** `continue`: it continues a run that waited. */
  kind: z.enum(['run', 'continue']),
  conversationId: z.string(),
  /** It is the first run of its conversation. */
  created: z.boolean(),
  runId: z.string(),
  /** Of the assistant message that the run writes. */
  messageId: z.string(),
  /** What was decided. */
  decided: z.array(decidedItemSchema),
  /** Number of the conversation's next intent. */
  nextIntent: z.number(),
  agent: z.object({ id: z.string(), name: z.string(), instructions: z.string() }),
  /** The program that has begun its conversation over MCP, as Supabase's OAuth server knows it. */
  clientId: z.string().nullish(),
  preference: z.custom<ModelPreference>(isObject).nullable(),
  /** What the conversation belongs to in the app. */
  scope: z.string().nullable(),
  /** The model that the user has chosen for this conversation, `provider/model`. */
  chosenModel: z.string().nullable(),
  /** The servers of MCP that its user's agents can use, ready ones first. */
  servers: z.array(z.object({ id: z.string(), version: z.string() })),
  /** Names of tools for which the agent has a standing permission; the claim decides whether it covers a call. */
  permissions: z.array(z.string()),
  /** The user's own keys, encrypted, preferred one first. */
  modelKeys: z.array(sealedModelKeySchema),
  /** Messages, oldest first, starting with a user message; long entries of earlier turns as their briefs. */
  history: z.array(historyMessageSchema),
  /** How many current messages the history leaves out. */
  olderMessages: z.number(),
  /** The entries of its own message so far, by the runs that it continues. */
  entries: z.array(storedEntrySchema),
  /** Of the history. */
  unreportedWrites: z.array(writeSchema),
  /** What later messages ask that relies on something. */
  openLater: z.array(storedEntrySchema.pipe(asked)),
  user: z.object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    accounts: z.array(z.string()),
    timezone: z.string().nullish(),
    language: z.string().nullish(),
  }),
  /**
   * Something private was read in this conversation, whatever part of it is loaded: the tools that have shown it, if all of
   * them are tools of servers.
   */
  privateBefore: z.union([z.boolean(), z.array(z.string())]),
  /** What it may use of its user's budgets. */
  reserved: reservationSchema,
  /** Runs of the conversation that were told to stop for a newer one. */
  overtaken: z.array(z.string()),
  /** Writes whose repetition asks first: of this turn by runs whose message was replaced, and unknown ones of earlier turns. */
  priorWrites: z.array(
    z.object({
      write: liveWriteSchema,
      isEarlier: z.boolean(),
      isAsked: z.boolean(),
      done: doneSchema.nullable(),
    }),
  ),
})
/** With the tools as the catalogue describes them. */
export type LoadedTurn = Omit<z.infer<typeof loadedTurnSchema>, 'tools' | 'connections'> & {
  tools: PermittedTool[]
}

/** What the database says a POST means (RPCs `begin_turn` and `begin_resume`). */
export const turnReplySchema = z.discriminatedUnion('kind', [
  loadedTurnSchema,
  z.object({
    kind: z.literal('join'),
    conversationId: z.string(),
    runId: z.string(),
    messageId: z.string(),
  }),
  z.object({
    kind: z.literal('busy'),
    conversationId: z.string(),
    runId: z.string(),
    messageId: z.string(),
  }),
  z.object({ kind: z.literal('return'), run: runViewSchema }),
  z.object({
    kind: z.literal('error'),
    code: z.string(),
    /** Seconds. */
    retryAfter: z.number().nullish(),
    /** The limit that is reached. */
    about: aboutLimitSchema.nullish(),
  }),
])
export type TurnReply = z.infer<typeof turnReplySchema>
/** The same as the database sends it. */
export type DatabaseReply = z.input<typeof turnReplySchema>
