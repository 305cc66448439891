import type { UIMessageChunk } from 'ai'
import type { DeletedAccount } from './account.ts'
import type { AgentModel, ApiToken, NewApiToken } from './api-token.ts'
import { failureOf } from './askback-error.ts'
import type { Connection, ConnectionChange, Provider, RemovedConnection } from './connection.ts'
import { callFunction, createFunctionFetch, type Method, type SupabaseParts } from './function-call.ts'
import type {
  ChatAnswer,
  Conversation,
  ConversationPage,
  ModelChoice,
  OpenItem,
  Rating,
  StopAnswer,
  ToolDescription,
  ToolOutcome,
} from './message.ts'

/** What a person says to an approval. */
export interface ApprovalDecision {
  decision: 'approve' | 'deny' | 'draft'
  /** From `pending`: names the question that is decided. */
  approvalId: string
  /** The whole call as it was edited. */
  input?: Record<string, unknown> | undefined
  reason?: string | undefined
}

export interface NewMessage {
  /** The conversation; without one, a new one. */
  id?: string
  agentId?: string
  message: string
  /** Answers in this conversation from now on, one of `models`; null: as the agent has it. */
  model?: string | null
  /** Makes sending it twice one message. */
  messageId?: string
}

/** Which conversations are listed. */
export interface ConversationQuery {
  /** 1 to 200, by default 50. */
  limit?: number
  /** `next` of the page before. */
  before?: string | undefined
  /** Words that were said in them, or are in their titles: their beginnings are enough. Newest first then. */
  q?: string
  /** The archived ones instead; a search finds both. */
  archived?: boolean
}

/** What of a conversation is changed; what is absent stays. */
export interface ConversationChange {
  title?: string
  pinned?: boolean
  archived?: boolean
}

/**
 * Askback for a web app: conversations, decisions and connections of whoever is signed in at `supabase`.
 * Everything rejects with an AskbackError, whose message is a sentence for people.
 */
export function createAskback(supabase: SupabaseParts) {
  const call = <Answer>(method: Method, path: string, body?: object) =>
    callFunction<Answer>(supabase, method, path, body)
  const fetchFunction = createFunctionFetch(supabase)
  const place = (id: string) => `chat/${encodeURIComponent(id)}`
  const stored = (id: string) => `chat/conversations/${encodeURIComponent(id)}`
  const connection = (id: string) => `integration-settings/connections/${encodeURIComponent(id)}`

  return {
    /** `fetch` of the user's session, for `createChatTransport`. */
    fetch: fetchFunction,

    /** Sends a message and waits for the whole answer. */
    send: (message: NewMessage) => call<ChatAnswer>('POST', 'chat', message),

    /**
     * Sends a message; the parts of the answer arrive as they are written. The first one names the conversation in its
     * metadata. Leaving the stream stops nothing.
     */
    async stream({
      id,
      agentId,
      model,
      message,
      messageId,
    }: NewMessage): Promise<ReadableStream<UIMessageChunk>> {
      // Loaded when it is needed: pages without a chat are lighter.
      const [{ createChatTransport }, { withSentences }] = await Promise.all([
        import('./chat-transport.ts'),
        import('./broken-stream.ts'),
      ])
      const transport = createChatTransport({
        fetch: fetchFunction,
        agentId: () => agentId,
        model: () => model,
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

    /** Completes a call that waits for values: they have the shape of `pending.schema`. */
    answer: (id: string, itemId: string, values: Record<string, unknown>) =>
      call<ChatAnswer>('POST', `${place(id)}/answer`, { itemId, values }),
    /** Goes on without what a question or a connection asks for; the model is told. */
    skip: (id: string, itemId: string) => call<ChatAnswer>('POST', `${place(id)}/skip`, { itemId }),
    /** Decides a call that waits for an approval. */
    approve: (id: string, toolCallId: string, decision: ApprovalDecision) =>
      call<ChatAnswer>('POST', `${place(id)}/approval`, { toolCallId, ...decision }),
    /** Goes on, after something was connected; `itemId`: from which card. Safe to repeat. */
    resume: (id: string, itemId?: string) =>
      call<ChatAnswer>('POST', `${place(id)}/resume`, itemId === undefined ? {} : { itemId }),
    /** Ends the run; what has begun to be sent is still finished. */
    stop: (id: string) => call<StopAnswer>('POST', `${place(id)}/stop`, {}),

    /** What a conversation can be answered by, and which of it was chosen there; null: nothing. */
    models: (place: { agentId?: string | undefined; conversationId?: string | undefined } = {}) => {
      const named = Object.entries(place).filter((entry): entry is [string, string] => entry[1] !== undefined)
      return call<{ models: ModelChoice[]; chosen: string | null }>(
        'GET',
        `chat/models?${new URLSearchParams(named)}`,
      )
    },

    /** What waits for the user, in all conversations or with one agent: oldest first. */
    open: (agentId?: string) =>
      call<{ items: OpenItem[] }>(
        'GET',
        agentId === undefined ? 'chat/open' : `chat/open?${new URLSearchParams({ agentId })}`,
      ),

    /** How much waits for the user, over all conversations: cheap enough to be asked every few seconds. */
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

    conversations: {
      /** The pinned ones first, then the newest first; a page at a time. */
      list: (query: ConversationQuery = {}) => {
        const given = Object.entries(query).filter(([, value]) => value !== undefined)
        return call<ConversationPage>(
          'GET',
          `chat/conversations?${new URLSearchParams(given as [string, string][])}`,
        )
      },
      /** The newest messages, or those before one: `next` of the page before. */
      get: (id: string, before?: string) =>
        call<Conversation>(
          'GET',
          `${stored(id)}?${new URLSearchParams({ times: 'true', ...(before === undefined ? {} : { before }) })}`,
        ),
      change: (id: string, change: ConversationChange) =>
        call<{ id: string } & ConversationChange>('PATCH', stored(id), change),
      delete: (id: string) => call<{ deleted: string }>('DELETE', stored(id)),
    },

    /** Keeps what the user thinks of an answer; `null` takes it back. */
    rate: (id: string, messageId: string, rating: Rating | null, reason?: string) =>
      call<{ messageId: string; rating: Rating | null }>('PUT', `${stored(id)}/feedback`, {
        messageId,
        rating,
        reason,
      }),

    connections: {
      /** Everything that can be connected, with the user's connections. */
      list: async () => (await call<{ providers: Provider[] }>('GET', 'integration-settings')).providers,
      /** Tested before it is stored. */
      create: (provider: string, values: Record<string, unknown>, label?: string) =>
        call<{ connection: Connection }>('POST', 'integration-settings/connections', {
          provider,
          values,
          label,
        }),
      change: (id: string, change: ConnectionChange) =>
        call<{ connection: Connection }>('PATCH', connection(id), change),
      delete: (id: string) => call<RemovedConnection>('DELETE', connection(id)),
      test: (id: string) => call<{ ok: boolean; error?: string }>('POST', `${connection(id)}/test`),
      /** The provider's page to send the user to. */
      startSignIn: (request: {
        provider: string
        returnTo?: string
        tools?: string[]
        connectionId?: string
      }) => call<{ url: string }>('POST', 'integration-settings/oauth/start', request),
      /** With the `code` that the provider's page came back with. */
      completeSignIn: (code: string) =>
        call<{ connection: Connection }>('POST', 'integration-settings/oauth/complete', { code }),
    },

    /** For OpenAI clients, which reach the user's agents at `{url}/functions/v1/chat/v1`. */
    tokens: {
      list: async () => (await call<{ tokens: ApiToken[] }>('GET', 'integration-settings/tokens')).tokens,
      /** The only time that `value` is seen. */
      create: async (token: NewApiToken) => {
        type Made = { token: ApiToken & { value: string } }
        return (await call<Made>('POST', 'integration-settings/tokens', token)).token
      },
      /** Ends it for good. */
      revoke: (id: string) =>
        call<{ deleted: string }>('DELETE', `integration-settings/tokens/${encodeURIComponent(id)}`),
      /** What such clients may call: the agents of the user, who has at least one afterwards. */
      models: async () => (await call<{ data: AgentModel[] }>('GET', 'chat/v1/models')).data,
    },

    /** Deletes the user with everything of theirs; `email` is the address of the account, typed once more. */
    deleteAccount: (email: string) =>
      call<DeletedAccount>('DELETE', 'integration-settings/account', { email }),

    /**
     * Runs a tool by hand, as the user: nobody is asked first. What has the same `idempotencyKey` happens once.
     * `agentId` chooses the account that this agent uses.
     */
    runTool: (
      { function: name, action }: ToolDescription,
      params: Record<string, unknown>,
      { agentId, idempotencyKey = crypto.randomUUID() }: { agentId?: string; idempotencyKey?: string } = {},
    ) => call<ToolOutcome>('POST', name, { action, params, idempotencyKey, agentId }),

    /** Every tool that an agent can be given, those too that are switched off for everybody at the moment. */
    async tools(): Promise<ToolDescription[]> {
      const { data, error } = await supabase
        .schema('askback')
        .from('tools')
        .select('name, specification, providers, function, action, approval, offReason:off_reason')
        .order('position')
      if (error) throw failureOf('tools_unread')
      const rows: { name: string; specification: object; providers: string[] }[] = data
      return rows.map(
        ({ specification, ...tool }) => ({ title: tool.name, ...specification, ...tool }) as ToolDescription,
      )
    },
  }
}

export type Askback = ReturnType<typeof createAskback>
