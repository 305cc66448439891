import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
  ChatCompletionFunctionTool,
} from 'openai/resources/chat/completions'
import { answerAsDemo } from './answer.ts'
import type { DemoAnswer, DemoCall } from './conversation.ts'

const demoModelName = 'askback-demo'

/**
 * Serves `…/chat/completions` and `…/models` like an OpenAI-compatible server, plain and streamed. It keeps no state.
 */
export async function answerAsDemoModel(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET' && pathname.endsWith('/models')) {
    const model = { id: demoModelName, object: 'model', created: 0, owned_by: 'askback' }
    return Response.json({ object: 'list', data: [model] })
  }
  if (request.method !== 'POST' || !pathname.endsWith('/chat/completions')) {
    return refuse(404, `The demo model answers POST …/chat/completions, not ${request.method} ${pathname}.`)
  }
  const body = await readBody(request)
  if (body === undefined) return refuse(400, 'The body is not a chat completion request: it needs messages.')
  const mayCall = body.tool_choice !== 'none'
  const tools = (mayCall ? (body.tools ?? []) : []).filter(
    (tool): tool is ChatCompletionFunctionTool => tool.type === 'function',
  )
  const answer = answerAsDemo(body.messages, tools)
  const usage = countTokens(body, answer)
  return body.stream === true
    ? streamAnswer(answer, body.stream_options?.include_usage === true ? usage : undefined)
    : Response.json(writeCompletion(answer, usage))
}

async function readBody(request: Request): Promise<ChatCompletionCreateParams | undefined> {
  try {
    const body = (await request.json()) as ChatCompletionCreateParams | null
    return Array.isArray(body?.messages) ? body : undefined
  } catch {
    return undefined
  }
}

function refuse(status: number, message: string): Response {
  return Response.json(
    { error: { message, type: 'invalid_request_error', param: null, code: null } },
    { status },
  )
}

type Usage = NonNullable<ChatCompletion['usage']>

/** About four characters per token. */
function countTokens(body: ChatCompletionCreateParams, answer: DemoAnswer): Usage {
  const prompt_tokens = Math.ceil(JSON.stringify(body.messages).length / 4)
  const completion_tokens = Math.ceil(JSON.stringify(answer).length / 4)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

function envelope<T extends string>(object: T) {
  const id = `chatcmpl-demo-${crypto.randomUUID()}`
  return { id, object, created: Math.floor(Date.now() / 1000), model: demoModelName }
}

function writeToolCall({ name, arguments: args }: DemoCall) {
  const id = `call_${crypto.randomUUID()}`
  return { id, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } }
}

function writeCompletion(answer: DemoAnswer, usage: Usage): ChatCompletion {
  const calls = 'calls' in answer
  const message = {
    role: 'assistant' as const,
    content: calls ? null : answer.text,
    refusal: null,
    tool_calls: calls ? answer.calls.map(writeToolCall) : undefined,
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(answer) }
  return { ...envelope('chat.completion'), choices: [choice], usage }
}

function streamAnswer(answer: DemoAnswer, usage: Usage | undefined): Response {
  const head = envelope('chat.completion.chunk')
  const chunk = (
    delta: ChatCompletionChunk.Choice.Delta,
    finish_reason: ReturnType<typeof finishReason> | null = null,
  ): ChatCompletionChunk => ({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
  const chunks = [
    chunk({ role: 'assistant', content: 'calls' in answer ? null : '' }),
    ...splitDeltas(answer).map((delta) => chunk(delta)),
    chunk({}, finishReason(answer)),
    ...(usage === undefined ? [] : [{ ...head, choices: [], usage }]),
  ]
  const events = [...chunks.map((part) => JSON.stringify(part)), '[DONE]']
  return new Response(events.map((data) => `data: ${data}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  })
}

/** Word by word, as a language model would. */
function splitDeltas(answer: DemoAnswer): ChatCompletionChunk.Choice.Delta[] {
  if ('text' in answer) return (answer.text.match(/\s*\S+|\s+$/g) ?? []).map((content) => ({ content }))
  return answer.calls.flatMap((written, index) => {
    const call = writeToolCall(written)
    const start = { index, ...call, function: { name: call.function.name, arguments: '' } }
    const pieces = call.function.arguments.match(/.{1,12}/gsu) ?? []
    return [
      { tool_calls: [start] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]
  })
}

function finishReason(answer: DemoAnswer): 'tool_calls' | 'stop' {
  return 'calls' in answer ? 'tool_calls' : 'stop'
}
