import { estimateTokens } from '../window/estimate-tokens.ts'
import { type Cut, cutOver, cutTo, fitRequest, nextCutScale } from '../window/fit-request.ts'
import { nothing, sizeOf } from '../window/request-size.ts'
import { longestPossible } from './longest-possible.ts'
import { askForWindows, findWindow } from './model-lists.ts'
import type { ModelMemory } from './model-memory.ts'
import { hasPrices, loadedPrices, loadPrices, windowOf } from './prices.ts'
import type { TooLong } from './protocol/call-failure.ts'
import type { ModelReads, ModelRequest, ModelUsage } from './protocol/model-client.ts'
import type { ProviderName } from './protocol/presets.ts'
import type { WindowRefusal } from './protocol/window-refusal.ts'
import {
  acceptedTokens,
  learnedWindow,
  learnFromReport,
  learnScale,
  learnWindow,
  mostScale,
  nothingLearned,
  type WindowKnowledge,
} from './window-knowledge.ts'
import { leastWindow, type ModelWindows } from './window-settings.ts'

/** Tokens of a model of which nobody says what it reads. */
const assumedWindow = 128_000
/** Every model of the price list that takes tools reads requests up to this many tokens: for them it is not waited for. */
const listedReads = 7_000
/** A server is asked for its list again after this long, in milliseconds. */
const listedMs = 3_600_000
/** What is kept for an answer whose length nobody limits: so much of the window, and at most so many tokens. */
const answerShare = 1 / 8
const mostKept = 4_096
/** Tokens for each estimated one, until a model has reported some. */
const unmeasured = 1.5
/** A message of so many tokens is a short one. */
const shortMessage = 500
/** A limit that a server names is at least so many tokens. */
const leastLimit = 256
/** Fewer characters say nothing about what a model reads. */
const leastCounted = 2_000

/** Who says what a model reads. */
type Source = ModelReads['by'] | 'assumed'

/** A request for one model. */
export interface Fitting {
  request: ModelRequest
  /** Tokens that the model reads. */
  window: number
  /** The most tokens that it can have (`longestPossible`), before it was cut. */
  longest: number
  /** Tokens of the request by the model's scale; undefined if it is far from the window. */
  estimated: number | undefined
  cut: Cut | undefined
  /** This turn, or what is never cut, is too large. */
  isTooSmall: boolean
  /** Why it cannot be sent at all. */
  tooLong: TooLong | undefined
}

/** What is known of the size of a request that is sent. */
export interface FittedSize {
  /** The most tokens that it can have. */
  longest: number
  /** Its tokens were counted. */
  isCounted: boolean
}

interface Place {
  /** Server and model. */
  key: string
  provider: ProviderName
  model: string
  /** Everything before `/models`. */
  baseURL: string
  headers: Readonly<Record<string, string>>
  windows: ModelWindows
  memory: ModelMemory
  now: () => number
  fetch: typeof fetch
}

/** What was made of a refusal. */
export interface Heeded {
  /** Tokens of the request. */
  sent: number
  /** The limit that it has to keep. */
  window: number
  /** Estimated tokens, unscaled, to which it has to be cut; undefined if it cannot be. */
  most: number | undefined
  /** What cannot be cut. */
  tooLong: TooLong
  /** The limit counts for other requests too. */
  isLearned: boolean
}

/** What one model reads, and what is learned of it. */
export class ModelWindow {
  private readonly place: Place
  /** Its name in the setting. */
  private readonly name: string
  /** The router looks before it asks. */
  private last: { of: ModelRequest; left: number; scale: number; fitting: Fitting } | undefined

  constructor(place: Place) {
    this.place = place
    this.name = `${place.provider}/${place.model}`
  }

  private get knowledge(): WindowKnowledge {
    const { memory, key } = this.place
    const known = memory.windows.get(key)
    if (known) return known
    const fresh = nothingLearned()
    memory.windows.set(key, fresh)
    return fresh
  }

  /** Tokens that the model reads, as far as is known, and who says so: a smaller window that was learned goes first. */
  read(): { tokens: number; source: Source } {
    const { place, knowledge } = this
    const said = this.readSaid()
    const learned = learnedWindow(knowledge, place.now())
    return learned !== undefined && learned < said.tokens ? { tokens: learned, source: 'learned' } : said
  }

  /** The same if somebody says so. */
  known(): ModelReads | undefined {
    const { tokens, source } = this.read()
    return source === 'assumed' ? undefined : { tokens, by: source }
  }

  private readSaid(): { tokens: number; source: Source } {
    const { provider, model, windows, memory, baseURL } = this.place
    const set = windows.get(this.name)
    if (set !== undefined) return { tokens: set, source: 'setting' }
    const listed = windowOf(loadedPrices(), provider, model)
    if (listed !== undefined) return { tokens: listed, source: 'prices' }
    const list = memory.lists.get(baseURL)?.windows
    const named = list && findWindow(list, model)
    if (named !== undefined) return { tokens: Math.max(named, leastWindow), source: 'server' }
    return { tokens: assumedWindow, source: 'assumed' }
  }

  /** Asks the server for its list of models, if nobody else says what the model reads. Nothing waits for it. */
  private look(): void {
    const { memory, baseURL, headers, fetch, now } = this.place
    const { source } = this.readSaid()
    if (source !== 'assumed' && source !== 'server') return
    const known = memory.lists.get(baseURL)
    const askedAt = now()
    if (known && askedAt - known.askedAt < listedMs) return
    memory.lists.set(baseURL, { askedAt, windows: known?.windows ?? new Map() })
    void askForWindows({ baseURL, headers, fetch }).then((windows) => {
      if (windows.size > 0) memory.lists.set(baseURL, { askedAt, windows })
    })
  }

  /** The request as the model can read it. `most`: estimated tokens, unscaled, after a refusal. */
  async fit(request: ModelRequest, most = Number.POSITIVE_INFINITY): Promise<Fitting> {
    const { provider } = this.place
    const longest = longestPossible(request)
    // Every model reads so much.
    if (longest > leastWindow) {
      if (longest > listedReads && hasPrices(provider)) await loadPrices(provider)
      this.look()
    }
    const { tokens: window, source } = this.read()
    const room = tokensLeft(window, request)
    if (longest <= cutOver * room && longest <= most) {
      const whole = { estimated: undefined, cut: undefined, isTooSmall: false, tooLong: undefined }
      return { request, window, longest, ...whole }
    }
    const { knowledge } = this
    const { scale } = knowledge
    knowledge.cutScale = nextCutScale(knowledge.cutScale, scale)
    const tokens = Math.min(room, (most * scale) / cutTo)
    const { last } = this
    if (last?.of === request && last.left === tokens && last.scale === scale) return last.fitting
    const {
      request: shorter,
      estimated,
      cut,
    } = fitRequest(request, { tokens, scale, cutScale: knowledge.cutScale })
    const fits = estimated <= tokens
    const fitting: Fitting = {
      request: limitAnswer(shorter, window - estimated, window),
      window,
      longest,
      estimated,
      cut,
      isTooSmall: !fits || (cut?.ofThisTurn ?? 0) > 0,
      // Where nobody has said what the model reads, it is asked.
      tooLong:
        fits || (source === 'assumed' && tokens === room) ? undefined : whyTooLong(request, tokens / scale),
    }
    this.last = { of: request, left: tokens, scale, fitting }
    return fitting
  }

  /** Learns from a refusal of what was sent, of a request that was perhaps longer. */
  async heed(
    { limit, sent: said, isPerMinute }: WindowRefusal,
    sent: ModelRequest,
    whole: ModelRequest,
  ): Promise<Heeded> {
    const { place, knowledge } = this
    const now = place.now()
    const estimated = estimateTokens(sent)
    if (limit !== undefined && !isPlausible(limit, estimated, sent)) {
      const size = said ?? Math.ceil(estimated * knowledge.scale)
      return {
        sent: size,
        window: limit,
        most: undefined,
        tooLong: 'turn',
        isLearned: false,
      }
    }
    if (said !== undefined) learnScale(knowledge, { estimated, reported: said })
    else if (limit !== undefined && estimated * knowledge.scale < limit)
      learnScale(knowledge, { estimated, reported: limit }, true)
    const { scale } = knowledge
    const size = said ?? Math.ceil(estimated * scale)
    const accepted = acceptedTokens(knowledge, now)
    const window = limit ?? Math.floor(size / 2)
    const isLearned = !isPerMinute && window < this.read().tokens
    const learned = isLearned ? learnWindow(knowledge, Math.max(window, accepted), now) : window
    // Without a number, what it has read before is sure.
    const sure = limit === undefined && accepted >= leastWindow ? Math.min(window, accepted) : window
    const goal = limit === undefined ? sure : cutTo * tokensLeft(limit, sent)
    // A model that has reported nothing yet may count more than is estimated.
    const perEstimated = limit !== undefined && !knowledge.isMeasured ? Math.max(scale, unmeasured) : scale
    const most = Math.min(goal / perEstimated, estimated * cutTo)
    const next = await this.fit(whole, most)
    // Of a request that every model reads nobody can say what is too long.
    const isShort = (limit ?? estimated * mostScale) < leastWindow
    const tooLong = isShort ? 'turn' : (next.tooLong ?? whyTooLong(whole, most / cutTo))
    const isShorter = next.tooLong === undefined && next.request !== whole
    return { sent: size, window: learned, most: isShorter ? most : undefined, tooLong, isLearned }
  }

  /**
   * Takes what the server says of a request that it has answered. Returns the window at which it cuts without a word, and
   * the tokens of the request as estimated.
   */
  report(
    sent: ModelRequest,
    { longest, isCounted }: FittedSize,
    usage: ModelUsage,
  ): { window: number; sent: number } | undefined {
    const { place, knowledge } = this
    const now = place.now()
    const { inputTokens: reported, cachedInputTokens = 0 } = usage
    const isLong = longest >= leastCounted && (!knowledge.isMeasured || this.readSaid().source === 'assumed')
    const size = isCounted || isLong ? sizeOf(sent) : nothing
    const learned = learnedWindow(knowledge, now)
    const found = learnFromReport(knowledge, { ...size, reported }, { now, hasCached: cachedInputTokens > 0 })
    if (found === undefined) return undefined
    const before = Math.min(learned ?? Number.POSITIVE_INFINITY, this.readSaid().tokens)
    return found < before ? { window: found, sent: size.estimated } : undefined
  }
}

/** No model reads so few tokens, and no request that is surely shorter than a limit is refused because of it. */
function isPlausible(
  limit: number,
  estimated: number,
  { maxOutputTokens = mostKept }: ModelRequest,
): boolean {
  return limit >= leastLimit && limit <= estimated * mostScale + maxOutputTokens
}

/** Tokens of a window, less what is kept for the answer. */
function tokensLeft(window: number, { maxOutputTokens }: ModelRequest): number {
  const kept = Math.min(maxOutputTokens ?? Math.min(mostKept, window * answerShare), window / 2)
  return Math.floor(window - kept)
}

/** Servers refuse answers that would not fit beside the request. */
function limitAnswer(request: ModelRequest, left: number, window: number): ModelRequest {
  const { maxOutputTokens } = request
  const most = Math.max(Math.floor(left), Math.floor(window / 2))
  return maxOutputTokens !== undefined && maxOutputTokens > most
    ? { ...request, maxOutputTokens: most }
    : request
}

/** `room`: in estimated tokens, unscaled. */
function whyTooLong({ messages, tools }: ModelRequest, room: number): TooLong {
  const setup = estimateTokens({ messages: messages.filter(isInstruction), tools })
  if (setup + shortMessage > room) return 'setup'
  const newest = messages.findLastIndex(({ role }) => role === 'user')
  const count = (some: ModelRequest['messages']) => estimateTokens({ messages: some, tools: [] })
  const message = count(messages.slice(newest, newest + 1))
  return count(messages.slice(newest + 1)) > message ? 'turn' : 'message'
}

function isInstruction({ role }: ModelRequest['messages'][number]): boolean {
  return role === 'system' || role === 'developer'
}
