import type { UIMessageChunk } from 'ai'
import type { DeletedAccount } from './api/account.ts'
import type { AgentModel, ApiToken, MadeApiToken, NewApiToken } from './api/api-token.ts'
import type { Connection, ConnectionChange, Provider, RemovedConnection } from './api/connection.ts'
import type {
  ChatAnswer,
  Conversation,
  ConversationPage,
  ModelChoice,
  OpenItem,
  Rating,
  StopAnswer,
  ToolDescription,
} from './api/message.ts'
import type { NewPermission, Permission } from './api/permission.ts'
import type {
  Approval,
  ConversationChange,
  GroupDecision,
  ItemLink,
  ItemToApprove,
  LinkedDecision,
  LinkedItem,
  ListedLink,
  NewConnection,
  NewItemLink,
  NewSchedule,
  Schedule,
  ScheduleChange,
  SignIn,
  ToolResult,
  UnaskedTool,
  UploadedFile,
} from './api/types.ts'
import { AskbackError, failureOf } from './askback-error.ts'
import type { FilePart } from './attached-files.ts'
import {
  callFunction,
  createFunctionFetch,
  type FunctionNames,
  type Method,
  ownAnswer,
  type SupabaseParts,
  withFunctionNames,
} from './function-call.ts'

export type { ConversationChange } from './api/types.ts'

/** What a person says to an approval. */
export type ApprovalDecision = Omit<Approval, 'toolCallId'>

export interface NewMessage {
  /** The conversation; a new one if absent. */
  id?: string
  agentId?: string
  message: string
  /** The model for this conversation from now on, one of `models`; null goes back to the agent's own. */
  model?: string | null
  /** A message that is sent twice with the same id is stored once. */
  messageId?: string
  /** What a new conversation belongs to in the app, such as an organisation: up to 200 characters. */
  scope?: string
}

/** Which conversations to list. */
export interface ConversationQuery {
  /** 1 to 200, by default 50. */
  limit?: number
  /** `next` of the previous page. */
  before?: string | undefined
  /** Words, or their beginnings, to find in messages and titles. Results are newest first. */
  q?: string
  /** Lists archived conversations instead; a search always finds both. */
  archived?: boolean
  /** Only those that were begun with this scope. */
  scope?: string
  /** The id of a call over MCP: the calls of its app on its day instead, one by one. */
  callsOf?: string | undefined
}

/** A path with those parameters that are given. */
function withQuery(path: string, parameters: Record<string, unknown>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(given as [string, string][])}`
}

export interface AskbackOptions {
  functions?: FunctionNames
  language?: () => string | undefined
}

/**
 * Askback for a web app: the conversations, decisions and connections of the user who is signed in at `supabase`.
 * Everything rejects with an AskbackError, whose message is a sentence for people.
 *
 * @param options.functions What functions are called in the project, if not by their own names: `{ chat: 'assistant' }`.
 * @param options.language The language that the user has chosen, such as `de`: what people read comes in it. By default that
 *   of the React pieces; without them, the account's or the browser's.
 */
export function createAskback(client: SupabaseParts, { functions = {}, language }: AskbackOptions = {}) {
  const supabase = withFunctionNames(client, functions, language)
  /** `member`: what Askback's answer always has, and another function's hardly ever. */
  const call = async <Answer>(
    member: keyof Answer,
    method: Method,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ) =>
    ownAnswer(
      await callFunction<Answer>(supabase, method, path, body, functions, headers),
      member,
      path,
      functions,
    )
  const fetchFunction = createFunctionFetch(supabase, functions)
  const place = (id: string) => `chat/${encodeURIComponent(id)}`
  const stored = (id: string) => `chat/conversations/${encodeURIComponent(id)}`
  const scheduled = (id: string) => `chat/schedules/${encodeURIComponent(id)}`
  const connection = (id: string) => `integration-settings/connections/${encodeURIComponent(id)}`

  return {
    /**
     * Tells who is signed in at `supabase.auth`, now and after each change: the user's id, or null. Returns a function
     * that ends that.
     */
    followUser(hear: (userId: string | null) => void): () => void {
      if (!client.auth) {
        throw new AskbackError(
          'This client has no sign-in. Say who is signed in: <AskbackChat userId={…}>.',
          {
            code: 'no_sign_in',
          },
        )
      }
      const { data } = client.auth.onAuthStateChange((_, session) => hear(session?.user.id ?? null))
      return () => data.subscription.unsubscribe()
    },

    /** `fetch` with the user's session, for `createChatTransport`. */
    fetch: fetchFunction,

    /** Sends a message and waits for the whole answer. */
    send: (message: NewMessage) => call<ChatAnswer>('runId', 'POST', 'chat', message),

    /**
     * Sends a message; the parts of the answer arrive as they are written. The first one names the conversation in its
     * metadata. Leaving the stream does not stop the run.
     */
    async stream({
      id,
      agentId,
      model,
      message,
      messageId,
      scope,
    }: NewMessage): Promise<ReadableStream<UIMessageChunk>> {
      // Loaded on demand to keep pages without a chat light.
      const [{ createChatTransport }, { withSentences }] = await Promise.all([
        import('./chat-transport.ts'),
        import('./lost-connection.ts'),
      ])
      const transport = createChatTransport({
        fetch: fetchFunction,
        agentId: () => agentId,
        model: () => model,
        scope: () => scope,
      })
      const parts = await transport.sendMessages({
        chatId: id ?? crypto.randomUUID(),
        trigger: 'submit-message',
        messageId: undefined,
        abortSignal: undefined,
        messages: [
          { id: messageId ?? crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: message }] },
        ],
      })
      return withSentences(parts)
    },

    /** Stores a file, and returns it as a part for a message. A file that no message has used within a day is deleted. */
    async upload(file: File): Promise<FilePart> {
      const path = withQuery('chat/files', { name: file.name })
      const { file: stored } = await call<{ file: UploadedFile }>('file', 'POST', path, file)
      return { type: 'file', ...stored }
    },

    /** Completes a call that is waiting for values, which have the shape of `pending.schema`. */
    answer: (id: string, itemId: string, values: Record<string, unknown>) =>
      call<ChatAnswer>('runId', 'POST', `${place(id)}/answer`, { itemId, values }),
    /** Continues without what a question or a connection asks for; the model is told. */
    skip: (id: string, itemId: string) => call<ChatAnswer>('runId', 'POST', `${place(id)}/skip`, { itemId }),
    /** Decides a call that is waiting for approval. */
    approve: (id: string, toolCallId: string, decision: ApprovalDecision) =>
      call<ChatAnswer>('runId', 'POST', `${place(id)}/approval`, { toolCallId, ...decision }),
    /** Continues after something was connected; `itemId` is the card it was connected from. Safe to repeat. */
    resume: (id: string, itemId?: string) =>
      call<ChatAnswer>('runId', 'POST', `${place(id)}/resume`, itemId === undefined ? {} : { itemId }),
    /** Stops the run; anything already being sent is finished first. */
    stop: (id: string) => call<StopAnswer>('stopped', 'POST', `${place(id)}/stop`, {}),

    /** Links to one open item, and what whoever has one sees and decides. */
    approvals: {
      /** What waits for the user as one of a group, oldest first: items of others. */
      list: () => call<{ items: ItemToApprove[] }>('items', 'GET', 'chat/open/approvals'),
      decide: (itemId: string, decision: GroupDecision) =>
        call<ItemToApprove>('item', 'POST', `chat/open/approvals/${itemId}`, decision),
    },

    links: {
      /** By default whoever opens it has to sign in as the user; with `decides`, it decides by itself. */
      create: async (itemId: string, link: NewItemLink = {}) =>
        (await call<{ link: ItemLink }>('link', 'POST', `chat/open/${itemId}/link`, link)).link,
      /** Those that still lead to an open item. */
      list: async () => (await call<{ links: ListedLink[] }>('links', 'GET', 'chat/open/links')).links,
      revoke: (id: string) => call<{ deleted: string }>('deleted', 'DELETE', `chat/open/links/${id}`),
      /** Reading decides nothing. `token`: what stands behind the `#` of the link. */
      read: (token: string) =>
        call<LinkedItem>('item', 'GET', 'chat/open/linked', undefined, { 'x-askback-link': token }),
      decide: (token: string, decision: LinkedDecision) =>
        call<LinkedItem>('item', 'POST', 'chat/open/linked', decision, { 'x-askback-link': token }),
    },

    /** To whom agents may send without asking, and how often. */
    permissions: {
      list: async (agentId?: string) =>
        (
          await call<{ permissions: Permission[] }>(
            'permissions',
            'GET',
            withQuery('chat/permissions', { agentId }),
          )
        ).permissions,
      /** The same tool and pattern again changes the limit. */
      add: async (permission: NewPermission) =>
        (await call<{ permission: Permission }>('permission', 'POST', 'chat/permissions', permission))
          .permission,
      /** It holds from the next call on. */
      revoke: (id: string) =>
        call<{ deleted: string }>('deleted', 'DELETE', `chat/permissions/${encodeURIComponent(id)}`),
    },

    /** Messages that the clock sends to an agent, as the user. */
    schedules: {
      list: async () =>
        (await call<{ schedules: Schedule[] }>('schedules', 'GET', 'chat/schedules')).schedules,
      add: async (schedule: NewSchedule) =>
        (await call<{ schedule: Schedule }>('schedule', 'POST', 'chat/schedules', schedule)).schedule,
      /** `paused` pauses and resumes it. */
      change: async (id: string, change: ScheduleChange) =>
        (await call<{ schedule: Schedule }>('schedule', 'PATCH', scheduled(id), change)).schedule,
      /** Its next time stays; resolves once the run has begun. */
      run: async (id: string) =>
        (await call<{ schedule: Schedule }>('schedule', 'POST', `${scheduled(id)}/run`)).schedule,
      /** Its conversation stays. */
      delete: (id: string) => call<{ deleted: string }>('deleted', 'DELETE', scheduled(id)),
    },

    /** Tools that write and never ask, with how often agents used them so. */
    unaskedTools: {
      list: async () => (await call<{ tools: UnaskedTool[] }>('tools', 'GET', 'chat/unasked-tools')).tools,
      /** The agent asks before it uses the tool, from its next message or decision on. */
      askFirst: ({ agentId, toolName }: Pick<UnaskedTool, 'agentId' | 'toolName'>) =>
        call<{ deleted: string }>(
          'deleted',
          'DELETE',
          `chat/unasked-tools/${encodeURIComponent(agentId)}/${encodeURIComponent(toolName)}`,
        ),
    },

    /** The models that can answer a conversation, and the chosen one, or null. */
    models: (place: { agentId?: string | undefined; conversationId?: string | undefined } = {}) =>
      call<{ models: ModelChoice[]; chosen: string | null }>(
        'models',
        'GET',
        withQuery('chat/models', place),
      ),

    /** What is waiting for the user, in all conversations or with one agent: oldest first. */
    open: (agentId?: string) =>
      call<{ items: OpenItem[] }>('items', 'GET', withQuery('chat/open', { agentId })),

    /** How many items are waiting for the user in all conversations; cheap enough to poll every few seconds. */
    async countOpen(): Promise<number> {
      const { data, error } = await supabase
        .schema('askback')
        .from('conversations')
        .select('open_count')
        .gt('open_count', 0)
      if (error) throw failureOf('open_items_unread')
      const rows: { open_count: number }[] = data
      return rows.reduce((sum, { open_count }) => sum + open_count, 0)
    },

    /** The same with what others' agents ask and a group of the user approves; as cheap. */
    async countWaiting(): Promise<number> {
      const { data, error } = await supabase.schema('askback').rpc('count_waiting')
      if (error) throw failureOf('open_items_unread')
      return data ?? 0
    },

    conversations: {
      /** Pinned conversations first, then newest first; one page at a time. */
      list: (query: ConversationQuery = {}) =>
        call<ConversationPage>('conversations', 'GET', withQuery('chat/conversations', { ...query })),
      /** The newest messages, or those before `before`: `next` of the previous page. */
      get: (id: string, before?: string) =>
        call<Conversation>('messages', 'GET', withQuery(stored(id), { times: 'true', before })),
      /** The answers that one has taken the place of, oldest first: the conversation goes on without them. */
      former: async (id: string, formerOf: string) =>
        (await call<Conversation>('messages', 'GET', withQuery(stored(id), { times: 'true', formerOf })))
          .messages,
      change: (id: string, change: ConversationChange) =>
        call<{ id: string } & ConversationChange>('id', 'PATCH', stored(id), change),
      delete: (id: string) => call<{ deleted: string }>('deleted', 'DELETE', stored(id)),
    },

    /** Stores the user's rating of an answer; `null` removes it. */
    rate: (id: string, messageId: string, rating: Rating | null, reason?: string) =>
      call<{ messageId: string; rating: Rating | null }>('messageId', 'PUT', `${stored(id)}/feedback`, {
        messageId,
        rating,
        reason,
      }),

    connections: {
      /** All providers, with the user's connections. */
      list: async () =>
        (await call<{ providers: Provider[] }>('providers', 'GET', 'integration-settings')).providers,
      /** The connection is tested before it is stored. */
      create: (provider: string, values: Record<string, unknown>, label?: string) =>
        call<{ connection: Connection }>('connection', 'POST', 'integration-settings/connections', {
          provider,
          values,
          label,
        } satisfies NewConnection),
      change: (id: string, change: ConnectionChange) =>
        call<{ connection: Connection }>('connection', 'PATCH', connection(id), change),
      delete: (id: string) => call<RemovedConnection>('deleted', 'DELETE', connection(id)),
      test: (id: string) => call<ToolResult>('ok', 'POST', `${connection(id)}/test`),
      /** The provider's sign-in page, to send the user to. */
      startSignIn: (request: SignIn) =>
        call<{ url: string }>('url', 'POST', 'integration-settings/oauth/start', request),
      /** Takes the `code` that the provider's page returned. */
      completeSignIn: (code: string) =>
        call<{ connection: Connection }>('connection', 'POST', 'integration-settings/oauth/complete', {
          code,
        }),
    },

    /** For OpenAI clients, which use the user's agents at `{url}/functions/v1/chat/v1`. */
    tokens: {
      list: async () =>
        (await call<{ tokens: ApiToken[] }>('tokens', 'GET', 'integration-settings/tokens')).tokens,
      /** The only time `value` is returned. */
      create: async (token: NewApiToken) =>
        (await call<{ token: MadeApiToken }>('token', 'POST', 'integration-settings/tokens', token)).token,
      /** Revokes the token for good. */
      revoke: (id: string) =>
        call<{ deleted: string }>(
          'deleted',
          'DELETE',
          `integration-settings/tokens/${encodeURIComponent(id)}`,
        ),
      /** Revokes all of the user's tokens for good: part of signing out everywhere. */
      revokeAll: () => call<{ revoked: number }>('revoked', 'DELETE', 'integration-settings/tokens'),
      /** The user's agents, which such clients can call. Creates the first agent if the user has none. */
      models: async () => (await call<{ data: AgentModel[] }>('data', 'GET', 'chat/v1/models')).data,
    },

    /**
     * Deletes the user and all their data; `email` is the account's address, typed again to confirm, or the user's id if
     * the account has none.
     */
    deleteAccount: (email: string) =>
      call<DeletedAccount>('deleted', 'DELETE', 'integration-settings/account', { email }),

    /**
     * Runs a tool directly as the user, without asking for approval. The same `idempotencyKey` runs once.
     * `agentId`: use the connection that this agent uses.
     */
    runTool: (
      { function: name, action }: ToolDescription,
      params: Record<string, unknown>,
      { agentId, idempotencyKey = crypto.randomUUID() }: { agentId?: string; idempotencyKey?: string } = {},
    ) => call<ToolResult>('ok', 'POST', name, { action, params, idempotencyKey, agentId }),

    /** Every tool an agent can be given, including tools that are currently switched off for everybody. */
    tools: async () => (await call<{ tools: ToolDescription[] }>('tools', 'GET', 'chat/tools')).tools,
  }
}

export type Askback = ReturnType<typeof createAskback>
