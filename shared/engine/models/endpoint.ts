import { hideSecret } from '../core/hide-secret.ts'
import { maskSecrets } from '../core/mask-secrets.ts'
import { withoutTrailingSlash } from '../core/without-trailing-slash.ts'
import { estimateTokens } from '../window/estimate-tokens.ts'
import { countTokens } from '../wording/count-tokens.ts'
import type { ModelMemory } from './model-memory.ts'
import { type FittedSize, ModelWindow } from './model-window.ts'
import { computeCost, hasPrices, loadPrices } from './prices.ts'
import { CallFailure, type TooLong } from './protocol/call-failure.ts'
import { callChat } from './protocol/chat-call.ts'
import { type ChatTarget, chatRequestBody } from './protocol/chat-request.ts'
import type { DispensableParameter } from './protocol/dispensable-parameters.ts'
import { describeLeftOut } from './protocol/left-out-words.ts'
import type {
  LateUsage,
  ModelReply,
  ModelRequest,
  ModelToolCall,
  ModelUsage,
  RequestCut,
} from './protocol/model-client.ts'
import { ownEvents } from './protocol/own-events.ts'
import { hasPictures, withoutPictures } from './protocol/pictures.ts'
import { findProvider, getPreset, nameModel, type ProviderName } from './protocol/presets.ts'
import { finishCalls, finishText, type ReplyDraft, startDraft } from './protocol/reply-draft.ts'
import { chooseMember, keepForModel } from './protocol/thoughts.ts'
import { chooseToolRules } from './protocol/tool-rules.ts'
import type { WireKeys } from './protocol/wire-keys.ts'
import { ownNames, wireNames } from './protocol/wire-names.ts'
import { keysOf } from './protocol/wire-tools.ts'
import { askWithoutRefused, chooseOffer, lastMessage, type Offer, type Trial } from './refused-tools.ts'
import type { AskOptions, Candidate } from './router.ts'
import { nothingKnown, type ToolKnowledge } from './tool-knowledge.ts'
import type { ModelWindows } from './window-settings.ts'
import { asksForForm } from './written-calls/asked-form.ts'
import { thinksFirst } from './written-calls/families.ts'
import { quotedIn } from './written-calls/quoted-sources.ts'
import { readReply, type WrittenReply } from './written-calls/read-reply.ts'
import { openTextGate } from './written-calls/text-gate.ts'

/** One model at one server that supports OpenAI's chat completions. */
export interface ModelEndpoint {
  /** Everything before `/chat/completions`. */
  baseURL: string
  /** Absent for servers that need none. */
  apiKey?: string
  model: string
  /** The preset to use; by default the one for the base URL's host. */
  provider?: ProviderName
  /** More members of the request body, e.g. `{ reasoning_effort: 'low' }`. */
  parameters?: Readonly<Record<string, unknown>>
}

/** Shared by all endpoints of a client. */
interface EndpointEnvironment {
  memory: ModelMemory
  timeoutMs: number
  fetch: typeof fetch
  /** Milliseconds since the epoch. */
  now: () => number
  windows: ModelWindows
}

/** Makes an endpoint callable. An invalid configuration is kept as a sentence and costs no request. */
export function createCandidate(endpoint: ModelEndpoint, environment: EndpointEnvironment): Candidate {
  const { memory } = environment
  const { model } = endpoint
  const apiKey = endpoint.apiKey?.trim()
  const provider = endpoint.provider ?? findProvider(endpoint.baseURL)
  const misconfigured = findMisconfiguration(endpoint)
  const url = chatCompletionsUrl(endpoint.baseURL)
  const host = URL.canParse(url) ? new URL(url).host : ''
  const key = `${url} ${model}`
  const toolRules = chooseToolRules(provider, host, model)
  const isThinker = thinksFirst(model)
  const target: ChatTarget = {
    provider,
    model,
    ...(endpoint.parameters ? { parameters: withoutReserved(endpoint.parameters) } : {}),
  }
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
  }

  const reads = new ModelWindow({
    ...{ key, provider, model, memory },
    baseURL: url.replace(/\/chat\/completions$/, ''),
    headers: apiKey ? { authorization: headers.authorization ?? '' } : {},
    windows: environment.windows,
    now: environment.now,
    fetch: environment.fetch,
  })

  /** `whole`: as it was before it was cut to what the model reads. */
  async function ask(whole: ModelRequest, options: AskOptions): Promise<ModelReply> {
    const { request, window, longest, estimated, cut, tooLong } = await reads.fit(whole, options.most)
    if (tooLong) throw unreadable(tooLong, { window, estimated })
    try {
      const reply = await askWhole(request, {
        ...options,
        whole: whole.messages,
        size: { longest, isCounted: estimated !== undefined },
      })
      const known = reads.known()
      if (known) reply.reads = known
      return cut ? { ...reply, cut: { window, sent: estimated ?? 0, ...cut } satisfies RequestCut } : reply
    } catch (cause) {
      if (cause instanceof CallFailure && cause.refusal) {
        const { isLearned, ...heeded } = await reads.heed(cause.refusal, request, whole)
        Object.assign(cause, heeded)
        const { sent, window } = heeded
        if (isLearned) reportWindow(options, { window, sent, by: 'refusal' })
      }
      throw cause
    }
  }

  function reportWindow(
    { onEvent }: AskOptions,
    found: { window: number; sent: number; by: 'refusal' | 'silence' },
  ) {
    onEvent?.({ type: 'window-learned', provider, model, ...found })
  }

  async function askWhole(request: ModelRequest, options: SendOptions): Promise<ModelReply> {
    const known = memory.tools.get(key) ?? nothingKnown()
    memory.tools.set(key, known)
    // A search that came to no end goes on with the next message.
    if (known.suspects.size > 0 && known.message !== lastMessage(request)) known.suspects.clear()
    const offer = chooseOffer(request, toolRules, known)
    try {
      return await askOnce(request, offer, options)
    } catch (cause) {
      const isAboutTools = cause instanceof CallFailure && cause.isAboutTools && offer.tools.length > 0
      if (!isAboutTools) throw cause
      return askForTools(cause, request, known, options)
    }
  }

  /** Finds out which definitions were refused. */
  async function askForTools(
    cause: CallFailure,
    request: ModelRequest,
    known: ToolKnowledge,
    options: SendOptions,
  ): Promise<ModelReply> {
    let probed = 0
    const trial: Trial = {
      request,
      rules: toolRules,
      names: wireNames(request.tools),
      ask: (offer) => askOnce(request, offer, options),
      async probe(offer) {
        const refusal = await probe(request, offer, options)
        if (!refusal) probed += estimateTokens({ messages: request.messages, tools: offer.tools })
        return refusal
      },
      report: ({ name, why }) =>
        options.onEvent?.({ type: 'tool-refused', provider, model, tool: name, why }),
    }
    const reply = await askWithoutRefused(cause, trial, known)
    const withProbes = (usage: ModelUsage) => ({ ...usage, inputTokens: usage.inputTokens + probed })
    const late = reply.lateUsage?.then((said) => said && { ...said, usage: withProbes(said.usage) })
    return { ...reply, usage: withProbes(reply.usage), ...(late ? { lateUsage: late } : {}) }
  }

  /** Whether the server takes a request, without its answer. */
  async function probe(
    request: ModelRequest,
    offer: Offer,
    { signal, whole, size }: SendOptions,
  ): Promise<CallFailure | undefined> {
    const answering = new AbortController()
    const stop = () => answering.abort()
    signal?.addEventListener('abort', stop)
    const onEvent = () => answering.abort()
    try {
      await askOnce(request, offer, { signal: answering.signal, stream: true, onEvent, whole, size })
      return undefined
    } catch (cause) {
      signal?.throwIfAborted()
      if (answering.signal.aborted) return undefined
      if (cause instanceof CallFailure && cause.kind === 'rejected') return cause
      throw cause
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async function askOnce(request: ModelRequest, offer: Offer, options: SendOptions): Promise<ModelReply> {
    const { signal, stream = false, onEvent, deltas = true, whole, size } = options
    const refused = memory.refused.get(key)
    const names = wireNames(request.tools)
    const own = ownNames(names)
    const keys = keysOf(request.tools, offer.rulesOf)
    const tools = keys ? withWireKeys(request.tools, keys) : request.tools
    const opensInPrompt = memory.thinksFirst.get(key) ?? isThinker
    const isShown = stream && deltas && onEvent
    const gate = isShown
      ? openTextGate({
          tools,
          thinksFirst: opensInPrompt,
          show: (delta) => onEvent({ type: 'text-delta', delta }),
          restart: () => onEvent({ type: 'restart', provider, model }),
        })
      : undefined
    const events = isShown ? ownEvents(onEvent, own, keys) : undefined
    const prices = hasPrices(provider) ? loadPrices(provider) : undefined
    const isLast = request.toolChoice === 'none'
    const finish = async (draft: ReplyDraft, read: WrittenReply) =>
      finishReply(draft, read, { isLast, target, own, keys, prices: await prices })
    const sent: ModelRequest = {
      ...request,
      tools: offer.tools,
      messages: describeLeftOut(request.messages, offer.left, names),
    }
    const wire = {
      stream,
      names,
      refused,
      keys,
      rulesOf: offer.rulesOf,
      demandsThoughts: memory.demandsThoughts.has(key),
    }
    const writeBody = () => chatRequestBody(target, sent, wire)
    try {
      const draft = await callChat({
        url,
        headers,
        host,
        writeBody,
        timeoutMs: environment.timeoutMs,
        fetch: environment.fetch,
        signal,
        emit:
          gate && events
            ? (event) => {
                if (event.type === 'text-delta') return gate.add(event.delta)
                if (event.type === 'thought-delta') gate.pass()
                events.add(event)
              }
            : undefined,
      })
      if (draft.usage) {
        const found = reads.report(sent, size, draft.usage)
        if (found) reportWindow(options, { ...found, by: 'silence' })
      } else void draft.lateUsage?.then((late) => late?.usage && reads.report(sent, size, late.usage))
      // So that no call is free in a budget.
      draft.usage ??= { inputTokens: estimateTokens(sent), outputTokens: countTokens(writtenBy(draft)) }
      const read = readText(draft, whole, tools, opensInPrompt)
      learnThinking(memory, key, draft, read)
      const reply = await finish(draft, read)
      gate?.finish(reply.text)
      events?.end()
      return reply
    } catch (thrown) {
      if (!(thrown instanceof CallFailure)) throw thrown
      let cause: CallFailure = thrown
      if (cause.failedGeneration !== undefined) {
        const draft = draftMalformed(cause.failedGeneration)
        const read = readText(draft, whole, tools, opensInPrompt)
        const isRead = read.toolCalls.length > 0
        draft.finishReason = isRead ? 'tool_calls' : 'malformed_function_call'
        return finish(draft, isRead ? read : { ...read, text: '' })
      }
      if (wantsThoughts.test(cause.said ?? '') && !memory.demandsThoughts.has(key)) {
        memory.demandsThoughts.add(key)
        return askOnce(request, offer, options)
      }
      if (isQuotation(cause.refusal?.words, sent)) cause = asRejected(cause)
      const hasThem = hasPictures(request.messages)
      const { parameter } = cause
      // Words about pictures in the answer to a request without any are about something else.
      if (parameter !== undefined && (parameter !== 'pictures' || hasThem)) {
        if (learnRefusal(memory, key, parameter)) return askOnce(request, offer, options)
      }
      // One of them may be the problem: too large, or broken.
      if (
        (cause.kind === 'rejected' || cause.httpStatus === 413) &&
        hasThem &&
        !refused?.has('pictures') &&
        cause.isAboutTools !== 'surely'
      ) {
        return askOnce({ ...request, messages: withoutPictures(request.messages) }, offer, options)
      }
      const advice = adviceOn(cause, provider)
      cause.why += advice
      cause.message = hide(`${cause.message}${advice}`, apiKey)
      throw cause
    }
  }

  return {
    ...{ key, provider, model, ask },
    misconfigured,
    window: () => reads.read().tokens,
    isTooSmall: async (request, most) => (await reads.fit(request, most)).isTooSmall,
  }
}

/** How a request is sent that may have been cut. */
interface SendOptions extends Omit<AskOptions, 'most'> {
  /** Its messages before that: what is a quotation is told by them. */
  whole: ModelRequest['messages']
  size: FittedSize
}

/** A request that is not sent, because its model cannot read it. */
function unreadable(
  tooLong: TooLong,
  { window, estimated = 0 }: { window: number; estimated: number | undefined },
): CallFailure {
  const size = `about ${estimated.toLocaleString('en')} tokens`
  const why = `the request of ${size} is longer than the ${window.toLocaleString('en')} that the model reads`
  const failure = new CallFailure('window', why, { errorType: 'window' })
  return Object.assign(failure, { sent: estimated, window, tooLong })
}

/** Whether the words of a refusal were sent to it. */
function isQuotation(words: string | undefined, { messages, tools }: ModelRequest): boolean {
  if (words === undefined) return false
  return JSON.stringify({ messages, tools })
    .toLowerCase()
    .includes(JSON.stringify(words.toLowerCase()).slice(1, -1))
}

function asRejected({ httpStatus, said, cause }: CallFailure): CallFailure {
  return new CallFailure('rejected', 'it refused the request', {
    httpStatus,
    cause,
    ...(said ? { said } : {}),
  })
}

/** DeepSeek and Kimi, behind any gateway: https://api-docs.deepseek.com/guides/thinking_mode. */
const wantsThoughts =
  /reasoning_content.{0,80}(?:must|missing|required)|(?:must|missing|required).{0,80}reasoning_content/i

/** Everything that the model has written, for counting. */
function writtenBy({ text, thoughts, calls }: ReplyDraft): string {
  return [thoughts, text, ...calls.flatMap((call) => [call.name, call.arguments])].join(' ')
}

/** `tools`: as the model knows them. */
function readText(
  draft: ReplyDraft,
  messages: ModelRequest['messages'],
  tools: ModelRequest['tools'],
  opensInPrompt: boolean,
): WrittenReply {
  return readReply(finishText(draft), {
    tools,
    thinksFirst: opensInPrompt && draft.thoughts === '',
    isQuoted: quotedIn(messages),
    asksForForm: () => asksForForm(messages),
  })
}

/** Whether a model thinks before its answer without saying where its thoughts begin is seen once, and then expected. */
function learnThinking(memory: ModelMemory, key: string, draft: ReplyDraft, read: WrittenReply): void {
  if (read.isUnopened) memory.thinksFirst.set(key, true)
  else if (
    read.text !== '' &&
    read.thoughts === '' &&
    draft.calls.length === 0 &&
    read.toolCalls.length === 0
  )
    memory.thinksFirst.set(key, false)
}

/** The tools with the parameters as the model knows them. */
function withWireKeys(
  tools: ModelRequest['tools'],
  keys: ReadonlyMap<string, WireKeys>,
): ModelRequest['tools'] {
  return tools.map((tool) => {
    const parameters = keys.get(tool.name)?.schema
    return parameters ? { ...tool, parameters } : tool
  })
}

/** What a reply is read with. */
interface Reading {
  /** No call is possible. */
  isLast: boolean
  target: ChatTarget
  own: ReadonlyMap<string, string> | undefined
  keys: ReadonlyMap<string, WireKeys> | undefined
  prices: Awaited<ReturnType<typeof loadPrices>>
}

function finishReply(
  draft: ReplyDraft,
  read: WrittenReply,
  { isLast, target, own, keys, prices }: Reading,
): ModelReply {
  const { provider, model } = target
  const native = finishCalls(draft, own)
  // Markup beside native calls says the same once more; where no call is possible, one that is written is none either.
  const isUnread = native.length === 0 && (read.isUnread || (isLast && read.toolCalls.length > 0))
  const written = native.length > 0 ? native : isUnread ? [] : read.toolCalls
  const calls = keys ? written.map((call) => withOwnKeys(call, keys)) : written
  const thoughts = [draft.thoughts, read.thoughts].filter((text) => text !== '').join('\n')
  const member = chooseMember(getPreset(provider), draft)
  const costOf = ({ usage, cost }: Pick<ReplyDraft, 'usage' | 'cost'>) =>
    cost ?? (usage && computeCost(prices, provider, model, usage))
  const cost = costOf(draft)
  const lateUsage = draft.lateUsage?.then((said): LateUsage | undefined => {
    if (!said?.usage) return undefined
    const late = costOf(said)
    return { usage: said.usage, cost: late }
  })
  return {
    text: read.text,
    thoughts: thoughts === '' ? undefined : thoughts,
    toolCalls: keepForModel(calls, draft, member, nameModel(provider, model)),
    finishReason: isUnread ? 'malformed_function_call' : draft.finishReason,
    hasChoice: draft.hasChoice,
    usage: draft.usage ?? { inputTokens: 0, outputTokens: 0 },
    lateUsage,
    cost,
    provider,
    model,
  }
}

/** The call with the parameters' own names. */
function withOwnKeys(call: ModelToolCall, keys: ReadonlyMap<string, WireKeys>): ModelToolCall {
  const renamed = keys.get(call.name)
  return renamed ? { ...call, rawArguments: renamed.toOwn(call.rawArguments) } : call
}

/** Groq answers 400 if its model wrote a call that Groq could not parse: often we can. */
function draftMalformed(text: string): ReplyDraft {
  return { ...startDraft(), text, hasChoice: true }
}

/** False if the server refuses the parameter although it was not sent. */
function learnRefusal(memory: ModelMemory, key: string, parameter: DispensableParameter): boolean {
  const refused = memory.refused.get(key) ?? new Set()
  if (refused.has(parameter)) return false
  memory.refused.set(key, refused.add(parameter))
  return true
}

/** The variable to check, if that is the reason; `''` otherwise. */
function adviceOn({ isKeyRefused, errorType }: CallFailure, provider: ProviderName): string {
  const { apiKey, baseURL } = getPreset(provider).variables
  const isElsewhere = errorType === 'web_page' || errorType === 'other_api'
  const variable = isKeyRefused ? apiKey : isElsewhere ? baseURL : undefined
  return variable === undefined ? '' : `, check ${variable}`
}

/** The failure's text for the operator never contains a key. */
function hide(text: string, apiKey: string | undefined): string {
  return maskSecrets(apiKey ? hideSecret(text, apiKey) : text)
}

/** Why an endpoint cannot be called at all, as a sentence for the operator; undefined if it can. */
export function findMisconfiguration(endpoint: ModelEndpoint): string | undefined {
  const { apiKey, model, baseURL, provider = findProvider(baseURL) } = endpoint
  const { keyless, variables } = getPreset(provider)
  if (baseURL === '') return `There is no address of a language model. Set ${variables.baseURL}.`
  if (!URL.canParse(baseURL) || !/^https?:/i.test(baseURL.trim()))
    return `The base URL of the language model is not an http URL: ${JSON.stringify(baseURL)}.`
  // Not quoted: it would end up in logs.
  const { username, password } = new URL(baseURL)
  if (username !== '' || password !== '')
    return `The base URL of the language model holds a user or a password. Set ${variables.apiKey ?? 'the API key'} instead.`
  if (model.trim() === '')
    return `No language model is named. Set ${variables.model}, or the model of the agent.`
  const keyVariable = variables.apiKey ?? 'the API key'
  if (apiKey === undefined) {
    return keyless ? undefined : `There is no API key for ${provider}. Set ${keyVariable}.`
  }
  if (apiKey.trim() === '') return `The API key for ${provider} is empty. Set ${keyVariable}.`
  if (!/^[\x21-\x7e]+$/.test(apiKey.trim())) {
    return `The API key for ${provider} has characters no key has. Set ${keyVariable} again.`
  }
  return undefined
}

/** Members of the body that belong to the request itself, or lift its limits: for length there is `maxOutputTokens`. */
const reserved = [
  'model',
  'messages',
  'tools',
  'tool_choice',
  'functions',
  'function_call',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'n',
  'best_of',
  // OpenRouter falls back to these (openrouter.ai/docs/features/model-routing).
  'models',
  'route',
]

function withoutReserved(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !reserved.includes(name)))
}

function chatCompletionsUrl(baseURL: string): string {
  if (!URL.canParse(baseURL)) return baseURL
  const url = new URL(baseURL)
  // Some people paste the whole URL.
  const path = withoutTrailingSlash(url.pathname).replace(/\/chat\/completions$/, '')
  url.pathname = `${path}/chat/completions`
  return url.href
}
