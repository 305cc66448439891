import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { Said } from '../../core/asked.ts'
import type { ToolSpecification } from '../../core/tool-specification.ts'
import type { FailureCause, TooLong } from './call-failure.ts'

/** OpenAI's chat message: the form in which histories are kept and sent. */
export type ChatMessage = ChatCompletionMessageParam

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** The part of `inputTokens` that the provider read from its cache, if it says so. */
  cachedInputTokens?: number
}

export interface LateUsage {
  usage: ModelUsage
  /** US dollars; undefined if the model's price is unknown. */
  cost?: number
}

/** A tool call as the model wrote it; `id` is the provider's and may repeat or be missing. */
export interface ModelToolCall {
  id?: string
  name: string
  rawArguments: string
  /** The model wrote the call into its text: a repair that the caller reports. */
  writtenAsText?: true
  /** Gemini's `extra_content` (its thought signature): sent back on the tool call of the assistant message. */
  extraContent?: unknown
}

export interface ModelRequest {
  messages: ChatMessage[]
  tools: readonly ToolSpecification[]
  temperature?: number
  maxOutputTokens?: number
  /** `none` asks for text only. */
  toolChoice?: 'auto' | 'none'
}

export interface ModelReply {
  text: string
  /** The model's earlier thoughts, if its server shows them. */
  thoughts?: string
  toolCalls: ModelToolCall[]
  /**
   * The provider's value, `''` if there is none. `length` and `malformed_function_call` matter to the
   * loop: other providers' names for these two are mapped to them.
   */
  finishReason: string
  /** False if the answer had no `choices` at all. */
  hasChoice: boolean
  usage: ModelUsage
  /** What the server says of `usage`, which is estimated, after the answer was complete; undefined if nothing in time. */
  lateUsage?: Promise<LateUsage | undefined>
  /** US dollars; undefined if the model's price is unknown. */
  cost?: number
  provider: string
  /** As configured, so that it can be passed to `avoid`. */
  model: string
  /** What the model reads at once; undefined if nobody says it. */
  reads?: ModelReads
  /** What was cut from the request, if something was. */
  cut?: RequestCut
}

/** How many tokens a model reads, and who says so: a refusal or a silent cut, a setting, the price list, its server. */
export interface ModelReads {
  tokens: number
  by: 'learned' | 'setting' | 'prices' | 'server'
}

/** What a model that reads less was not sent. */
export interface RequestCut {
  /** Tokens that the model reads. */
  window: number
  /** Tokens of the request that was sent, as estimated. */
  sent: number
  /** Results of earlier turns that were shortened. */
  results: number
  /** Texts of earlier turns that were shortened. */
  texts: number
  /** Turns that were left out. */
  turns: number
  /** Results of this turn that were shortened. */
  ofThisTurn: number
}

/** A tool that a model is not told of, because its server does not take the definition. */
export interface LeftOutTool {
  name: string
  /** In our own words. */
  why: string
}

/** The events of a model's reply. Text after `restart` starts over. */
export type ModelEvent =
  | { type: 'text-delta'; delta: string }
  | { type: 'thought-delta'; delta: string }
  | { type: 'tool-input-start'; index: number; toolName: string }
  | { type: 'tool-input-delta'; index: number; delta: string }
  | { type: 'restart'; provider: string; model: string }
  /** The model is not told of this tool from now on. `why`: in our own words. */
  | { type: 'tool-refused'; provider: string; model: string; tool: string; why: string }
  /**
   * What the model reads is less than was known: its server refused a request of `sent` tokens, or cut it without a word.
   * It counts for an hour.
   */
  | {
      type: 'window-learned'
      provider: string
      model: string
      window: number
      sent: number
      by: 'refusal' | 'silence'
    }
  /** `failure`: of the model that is left, if it has failed. */
  | { type: 'model-switch'; from: string; to: string; reason: string; failure?: FailureCause }
  | {
      type: 'model-retry'
      model: string
      attempt: number
      waitMs: number
      reason: string
      failure: FailureCause
    }

export interface CompleteOptions {
  signal?: AbortSignal
  /** True asks the provider for a stream; the reply is the same either way. */
  stream?: boolean
  onEvent?: (event: ModelEvent) => void
  /** False: only switches and retries are reported, not the text as it is written. */
  deltas?: boolean
  /** Asks for a configured model other than the ones in this list of `ModelReply.model`, if there is one. */
  avoid?: readonly string[]
  /** Asked after a refusal of too long a request: the tools to ask with from then on; undefined if they stay. */
  fewerTools?: () => ModelRequest['tools'] | undefined
}

/** An agent's preferences for sampling; they override the loop's own temperatures and limits. */
export interface Sampling {
  /** For a first attempt, instead of 0.5. */
  temperature?: number
  /** While an intent is being retried, instead of 0.7. */
  retryTemperature?: number
  maxOutputTokens?: number
}

/** One or more models behind one interface: retries, fallbacks and cooldown happen inside. */
export interface ModelClient {
  /** The first model's name. */
  readonly model: string
  /** Every configured model's name, including fallbacks. */
  readonly models: readonly string[]
  /** Tokens that the first model reads, as far as is known now; undefined if the client does not know. */
  window?(): number
  /** Set if the agent's owner chose values: the caller puts them into its requests. */
  readonly sampling?: Sampling
  /**
   * Rejects with `ModelError` if every model failed, with `AgentError('configuration')` if none could be
   * called at all (no key, no model name), or with the signal's reason.
   */
  complete(request: ModelRequest, options?: CompleteOptions): Promise<ModelReply>
}

/** A failure of one model. */
export interface ModelFailure extends FailureCause {
  provider: string
  model: string
}

/**
 * Every configured model failed. The message tells the operator why each one did. `refused`: the request reached nobody
 * who would answer it (bad key, no server).
 */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly httpStatus: number | undefined
  readonly refused: boolean
  /** The model that was asked last did not accept its key. */
  readonly isKeyRefused: boolean
  readonly retryAfterMs: number | undefined
  /** Of the model that was asked last. */
  readonly failure: ModelFailure | undefined
  /** What does not fit into any model; undefined if that is not the reason. */
  readonly tooLong: TooLong | undefined
  /** What the agent's user is told, without status, model and provider. */
  readonly said: Said
  constructor(
    message: string,
    facts: {
      httpStatus?: number | undefined
      refused?: boolean
      isKeyRefused?: boolean
      retryAfterMs?: number
      failure?: ModelFailure | undefined
      tooLong?: TooLong | undefined
      said?: Said
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: facts.cause })
    this.httpStatus = facts.httpStatus
    this.refused = facts.refused ?? false
    this.isKeyRefused = facts.isKeyRefused ?? false
    this.retryAfterMs = facts.retryAfterMs
    this.failure = facts.failure
    this.tooLong = facts.tooLong
    this.said =
      facts.said ??
      (facts.tooLong
        ? { code: 'context_too_long', values: { why: facts.tooLong } }
        : { code: 'model_unavailable', values: { why: 'busy' } })
  }
}
