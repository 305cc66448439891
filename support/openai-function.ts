import OpenAI from 'openai'
import type {
  CompleteOptions,
  ModelReply,
  ModelRequest,
} from '../shared/engine/models/protocol/model-client.ts'
import type { Entry } from '../shared/engine/transcript/entry.ts'
import { openItems } from '../shared/engine/transcript/open-items.ts'
import { hashApiToken } from '../shared/server/authentication/api-token.ts'
import { createApp } from '../supabase/functions/chat/app.ts'
import { readDependencies } from '../supabase/functions/chat/turn/dependencies.ts'
import type { DatabaseReply } from '../supabase/functions/chat/turn/loaded-turn.ts'

export const agentId = '0b7c9c0e-6c5a-4f37-9d0a-3f7c8a1b2c3d'
export const apiToken = 'askb_a-token-of-a-test'

interface StoredRun {
  runId: string
  conversationId: string
  status: string
  entries: object[]
  pending: object[]
}

/** What the RPCs are called with, as far as it is looked at. */
interface RpcArguments {
  p_hash: string
  p_run_id: string
  p_skip: number
  p_follower: string
  p_conversation_id: string
  p_request: {
    conversationId?: string
    runId: string
    key: string
    client?: object
    agentId: string
    messages: { entry: object }[]
  }
  p_result: { status: string; entries: { entry: object }[]; pending?: object[] }
}

/** What a scripted model does with a request. */
export type ScriptedModel = (request: ModelRequest, options: CompleteOptions) => Promise<Words> | Words

/** Words of a model, also such as were cut. */
type Words = string | { text: string; finishReason: string }

/**
 * The chat function with the real OpenAI client in front, a scripted model behind, and as much of the database in
 * memory as completions need.
 */
export async function startOpenAiFunction(model: ScriptedModel) {
  const runs: StoredRun[] = []
  const calls: string[] = []
  const asked: ModelRequest[] = []
  /** What clients say of themselves. */
  const clients: (object | undefined)[] = []
  const work: Promise<unknown>[] = []
  const left: { runId: string; connection: string }[] = []
  /** What `begin_completion` refuses the next request with. */
  let refusal: string | undefined
  const watchers = new Set<() => void>()
  const hash = await hashApiToken(apiToken)

  const view = (run: StoredRun) => ({
    ...run,
    messageId: `of-${run.runId}`,
    tools: [],
    closed: {},
    replacedBy: null,
    unreportedWrites: [],
  })
  const rpcs: Record<string, (args: RpcArguments) => unknown> = {
    use_api_token: ({ p_hash }) =>
      p_hash === hash
        ? { kind: 'valid', id: agentId, userId: crypto.randomUUID(), name: 'A client', agents: null }
        : { kind: 'unknown' },
    load_catalogue: () => ({ version: '1', tools: [mailTool], providers: [] }),
    list_agents: () => [{ id: agentId, name: 'Mail agent', createdAt: 1 }],
    begin_completion: ({ p_request }) => {
      const told = (reply: object) => ({ reply, isTask: false, isForeign: false, outcomes: [] })
      const { key, runId, client, agentId: wanted, messages } = p_request
      const { conversationId = `openai-${key.slice(0, 40)}` } = p_request
      clients.push(client)
      if (refusal !== undefined) return told({ kind: 'error', code: refusal })
      if (wanted !== agentId) return told({ kind: 'error', code: 'agent_not_found' })
      const latest = runs.findLast((run) => run.conversationId === conversationId)
      if (latest?.status === 'running') return told({ ...view(latest), kind: 'join' })
      if (latest && latest.pending.length > 0) return told({ kind: 'return', run: view(latest) })
      runs.push({ runId, conversationId, status: 'running', entries: [], pending: [] })
      return told(begun(conversationId, runId, messages as { entry: Entry }[]))
    },
    finish_run: ({ p_run_id, p_result }) => {
      const { status, entries } = p_result
      const run = runs.find(({ runId }) => runId === p_run_id)
      const stored = entries.map(({ entry }) => entry)
      const pending = run ? openItemsOf(run, stored) : []
      if (run) Object.assign(run, { status, pending, entries: [...run.entries, ...stored] })
      return { pending, isStored: run !== undefined, replacedBy: null }
    },
    get_run: ({ p_run_id }) => {
      const run = runs.find(({ runId }) => runId === p_run_id)
      return run ? view(run) : null
    },
    follow_run: ({ p_run_id, p_skip }) => {
      const run = runs.find(({ runId }) => runId === p_run_id)
      return run ? { ...view(run), entries: run.entries.slice(p_skip), hasWritten: true } : null
    },
    remove_follower: ({ p_run_id, p_follower }) => left.push({ runId: p_run_id, connection: p_follower }),
    delete_conversation: ({ p_conversation_id }) => ({ deleted: p_conversation_id }),
    heartbeat_run: () => ({ stopRequested: false, isOver: false }),
  }

  const app = createApp({
    ...readDependencies(
      {
        SUPABASE_URL: 'http://127.0.0.1:1',
        SUPABASE_SERVICE_ROLE_KEY: 'key',
        ASKBACK_JWT_SECRET: 'a-secret-of-the-local-stack-with-32-characters',
        ASKBACK_APP_URLS: 'https://app.example.com',
        LLM_PROVIDER: 'none',
      },
      (more) => work.push(more),
    ),
    rpc: async (name, args) => {
      calls.push(name)
      for (const look of watchers) look()
      return rpcs[name]?.(args as unknown as RpcArguments)
    },
    createModel: () => ({
      model: 'scripted',
      models: ['scripted'],
      complete: async (request, options = {}) => {
        asked.push(request)
        return reply(await model(request, options))
      },
    }),
  })
  /** Retry counts of the requests that came. */
  const counts: (string | null)[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    const request = new Request(url instanceof Request ? url : String(url), init)
    counts.push(request.headers.get('x-stainless-retry-count'))
    return await app.fetch(request)
  }
  /** Resolves when an RPC was called so often. */
  const called = (name: string, times: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (calls.filter((one) => one === name).length < times) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    })
  const client = (apiKey = apiToken) =>
    new OpenAI({
      apiKey,
      baseURL: 'http://chat.example/chat/v1',
      fetch,
      dangerouslyAllowBrowser: true,
      // Its own ten minutes, three times over, hide what went wrong.
      timeout: 30_000,
    })
  return {
    client,
    fetch,
    asked,
    clients,
    calls,
    counts,
    refuseWith: (code: string | undefined) => {
      refusal = code
    },
    /** What an HTTP server is to answer with. */
    handle: (request: Request) => app.fetch(request),
    called,
    /** Resolves when so many requests have come to the database. */
    begun: (number: number) => called('begin_completion', number),
    /** Connections that were closed, by their run. */
    left,
    /** Resolves when nothing goes on behind the answers. */
    settled: () => Promise.all(work),
  }
}

/** As the database lists what is open after a run. */
function openItemsOf({ runId, conversationId }: StoredRun, entries: readonly object[]): object[] {
  return openItems(entries as Entry[]).map((entry) => ({
    itemId: entry.itemId,
    conversationId,
    conversationTitle: null,
    messageId: `of-${runId}`,
    agentId,
    type: entry.kind,
    toolCallId: entry.toolCallId,
    entry,
    write: null,
    account: null,
    tool: mailTool.specification,
  }))
}

/** Typed, so that what the database tells from now on is told here, too: without it nothing answers, and a test waits. */
function begun(conversationId: string, runId: string, messages: { entry: Entry }[]): DatabaseReply {
  return {
    kind: 'run',
    conversationId,
    runId,
    messageId: `of-${runId}`,
    decided: [],
    nextIntent: 1,
    agent: { id: agentId, name: 'Mail agent', instructions: 'Help.' },
    preference: null,
    scope: null,
    chosenModel: null,
    catalogue: '1',
    tools: { access: 'all', approvers: [], permissions: [] },
    connections: [],
    servers: [],
    permissions: [],
    modelKeys: [],
    history: [{ id: 'u', role: 'user', entries: messages.map(({ entry }) => ({ entry, private: null })) }],
    olderMessages: 0,
    entries: [],
    unreportedWrites: [],
    user: { name: null, email: null, accounts: [] },
    priorWrites: [],
    openLater: [],
    privateBefore: false,
    reserved: { modelCalls: 4, tokens: 20_000, costUsd: 0.1, hold: null, near: [] },
    overtaken: [],
    created: false,
  }
}

const mailTool = {
  name: 'send_mail',
  specification: {
    name: 'send_mail',
    description: 'Sends a mail.',
    effect: 'write',
    parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
  },
  function: 'mail-api',
  action: 'send',
  source: 'askback',
  providers: [],
  approval: 'always',
  enabled: true,
}

/** Words, or a call where they are `name {…}`. */
function reply(words: Words): ModelReply {
  const { text, finishReason } = typeof words === 'string' ? { text: words, finishReason: 'stop' } : words
  const call = /^(\w+) (\{.*\})$/s.exec(text)
  return {
    text: call ? '' : text,
    toolCalls: call ? [{ name: call[1] ?? '', rawArguments: call[2] ?? '' }] : [],
    finishReason: call ? 'tool_calls' : finishReason,
    hasChoice: true,
    usage: { inputTokens: 20, outputTokens: 10 },
    provider: 'test',
    model: 'scripted',
  }
}
