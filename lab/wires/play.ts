import { runAgent } from '../../shared/engine/loop/run-agent.ts'
import { createModelClient } from '../../shared/engine/models/create-model-client.ts'
import { presets } from '../../shared/engine/models/protocol/presets.ts'
import { defineTool } from '../../shared/engine/tools/define-tool.ts'
import { createToolLibrary } from '../../shared/engine/tools/tool-library.ts'
import type { WireRow } from './rows.ts'

/** How the bytes of an answer arrive: all at once, cut anywhere, without the end mark, or with the connection kept open. */
export type Cut = 'whole' | 'bytes' | 'unmarked' | 'open'

export interface Played {
  calls: { name: string; arguments: unknown }[]
  /** The model's words: in the transcript, and as they were streamed. */
  text: string
  streamed: string | undefined
  requests: SentRequest[]
  failure: { kind: 'retry' | 'operator' | 'user'; text: string } | undefined
  /** The run did not end in time. */
  isHung: boolean
}

export interface SentMessage {
  role: string
  content?: unknown
  tool_call_id?: string
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  [member: string]: unknown
}

interface SentRequest {
  stream?: boolean
  messages: SentMessage[]
}

const longestMs = 15_000
const lookup = {
  name: 'lookup',
  description: 'Looks something up.',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

/** Plays one answer to an agent that is offered the recorded tools; every later answer is "Done.". */
export async function playRow(row: WireRow, cut: Cut, stream: boolean): Promise<Played> {
  const played: Played = {
    calls: [],
    text: '',
    streamed: undefined,
    requests: [],
    failure: undefined,
    isHung: false,
  }
  const tools = (row.request_tools.length > 0 ? row.request_tools : [lookup]).map((tool) =>
    defineTool({
      name: tool.name,
      description: tool.description || tool.name,
      parameters: tool.parameters,
      effect: 'read',
      execute: async (given: unknown) => {
        played.calls.push({ name: tool.name, arguments: structuredClone(given) })
        return { ok: true, data: 'done' }
      },
    }),
  )
  let passed = 0
  const model = createModelClient({
    baseURL: addressOf(row.provider),
    apiKey: 'test-key-0123456789',
    model: row.model,
    timeoutMs: 8000,
    clock: {
      now: () => Date.now() + passed,
      sleep: async (ms) => {
        passed += ms
      },
      random: () => 0.5,
    },
    fetch: async (_url, init) => {
      const request = JSON.parse(String(init?.body)) as SentRequest
      played.requests.push(request)
      const isRecorded = played.requests.length === 1 || row.expected.kind === 'error'
      return isRecorded ? answerOf(row, cut, request) : wordsOf('Done.', request)
    },
  })
  const run = runAgent({
    agent: {
      name: 'Agent',
      instructions: 'Help the user.',
      tools: tools.map(({ specification }) => specification),
    },
    input: 'Please do it.',
    library: createToolLibrary(tools),
    model,
    stream,
    limits: { maxRounds: 4 },
    onEvent: (event) => {
      if (event.type === 'restart') played.streamed = ''
      if (event.type === 'text-delta' && stream && played.requests.length <= 1)
        played.streamed = (played.streamed ?? '') + event.delta
    },
  })
  try {
    const response = await Promise.race([run, late()])
    if (response === undefined) return { ...played, isHung: true }
    for (const entry of response.transcript) {
      if (entry.type === 'model-text') played.text += entry.text
      if (entry.type === 'step-end') break
    }
    const failed = response.transcript.some(
      (entry) => entry.type === 'notice' && entry.notice === 'model-failed',
    )
    if (failed) played.failure = { kind: kindOf(response.text), text: response.text }
  } catch (cause) {
    const { cause: inner } = cause as { cause?: { forPeople?: string } }
    played.failure = { kind: 'operator', text: inner?.forPeople ?? '' }
  }
  return played
}

function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), longestMs).unref())
}

function kindOf(text: string): 'retry' | 'operator' | 'user' {
  if (/did not accept this conversation|too long for the language model/.test(text)) return 'user'
  return /tell whoever runs it/.test(text) ? 'operator' : 'retry'
}

/** The address that an operator would configure: the client chooses its rules by it. */
function addressOf(provider: string): string {
  const preset = (presets as Record<string, { baseURL?: string }>)[provider]
  return preset?.baseURL ?? `https://${provider.replace(/[^a-z0-9-]/gi, '-')}.example/v1`
}

function answerOf(row: WireRow, cut: Cut, request: SentRequest): Response {
  if (row.form === 'raw-text') return wordsOf(row.text ?? '', request)
  const body = row.body ?? ''
  const sent = cut === 'whole' ? body : body.replace(/(^|\n)data: ?\[DONE\][\r\n]*$/, '$1')
  const bytes = new TextEncoder().encode(cut === 'bytes' ? body : sent)
  const pieces = cut === 'bytes' ? cutAnywhere(bytes) : [bytes]
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces.shift()
      if (piece !== undefined) controller.enqueue(piece)
      else if (cut !== 'open') controller.close()
    },
  })
  return new Response(stream, { status: row.status, headers: row.headers })
}

/** Pieces of a random size, the same for the same answer; they cut characters in two. */
function cutAnywhere(bytes: Uint8Array): Uint8Array[] {
  const most = bytes.length < 3000 ? 7 : bytes.length < 20_000 ? 40 : 300
  const pieces: Uint8Array[] = []
  let random = bytes.length + 1
  for (let at = 0; at < bytes.length; ) {
    random = (random * 48_271) % 2_147_483_647
    const size = 1 + (random % most)
    pieces.push(bytes.slice(at, at + size))
    at += size
  }
  return pieces
}

function wordsOf(content: string, { stream }: SentRequest): Response {
  if (!stream) return Response.json({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }] })
  const pieces = content.match(/[\s\S]{1,4}/gu) ?? []
  const choices = [
    ...pieces.map((piece) => ({ index: 0, delta: { content: piece } })),
    { index: 0, delta: {}, finish_reason: 'stop' },
  ]
  const events = choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`)
  return new Response(`${events.join('')}data: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  })
}
