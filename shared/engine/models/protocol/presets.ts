import type { ThoughtsMember } from './thoughts.ts'

/**
 * What the servers with OpenAI's chat completions accept. Data only: a new provider is one more entry,
 * a new rule for one provider one more field.
 */
export interface ProviderPreset {
  /** Absent if every installation has its own. */
  baseURL?: string
  /** The environment variables that configure it. */
  variables: { apiKey?: string; baseURL?: string; model: string }
  /** The server answers without an `Authorization` header. */
  keyless?: true
  /** Used if nobody named a model. */
  defaultModel?: string
  /**
   * The cheapest of its chat models that are on sale, by the price list: it names conversations. (The list itself has
   * embeddings and models that are gone.) Absent where a model is the operator's own.
   */
  titleModel?: string
  maxTokensParameter: 'max_tokens' | 'max_completion_tokens'
  /** Accepts `parallel_tool_calls`; otherwise the server's default applies. */
  parallelToolCalls: boolean
  /** Accepts `stream_options: { include_usage: true }`. */
  streamOptions: boolean
  /** Ignores `tool_choice: "none"`: a text-only request is sent without tools instead. */
  ignoresToolChoice?: true
  /** Accepts tool call ids only with nine letters or digits. */
  nineCharacterIds?: true
  /** Refuses a user message directly after a tool message. */
  needsAssistantBeforeUser?: true
  /** Added to the first call of a message in which no call has that member, which the server would refuse. */
  defaultExtraContent?: unknown
  /** Wants this member of a tool call's `extra_content` back; all others get calls without it. */
  extraContent?: 'google'
  /** The member of an assistant message in which it wants its own thoughts back beside their tool calls. */
  thoughts?: ThoughtsMember
  /** Refuses thoughts in messages, whatever model has had them. */
  refusesThoughts?: true
}

export const presets = {
  openai: {
    // https://platform.openai.com/docs/api-reference/chat: max_tokens is deprecated and refused by reasoning models.
    baseURL: 'https://api.openai.com/v1',
    variables: { apiKey: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL', model: 'OPENAI_MODEL' },
    defaultModel: 'gpt-4.1-mini',
    titleModel: 'gpt-4.1-nano',
    maxTokensParameter: 'max_completion_tokens',
    parallelToolCalls: true,
    streamOptions: true,
    refusesThoughts: true,
  },
  anthropic: {
    // https://docs.claude.com/en/api/openai-sdk: `strict` is ignored, temperatures above 1 are capped.
    baseURL: 'https://api.anthropic.com/v1',
    variables: { apiKey: 'ANTHROPIC_API_KEY', model: 'ANTHROPIC_MODEL' },
    defaultModel: 'claude-sonnet-4-5',
    titleModel: 'claude-haiku-4-5',
    maxTokensParameter: 'max_completion_tokens',
    parallelToolCalls: true,
    streamOptions: true,
  },
  gemini: {
    // https://ai.google.dev/gemini-api/docs/openai
    baseURL: 'https://generativelanguage.googleapis.com/v1beta/openai',
    variables: { apiKey: 'GEMINI_API_KEY', model: 'GEMINI_MODEL' },
    defaultModel: 'gemini-2.5-flash',
    titleModel: 'gemini-2.5-flash-lite',
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: false,
    streamOptions: true,
    extraContent: 'google',
    // https://ai.google.dev/gemini-api/docs/thought-signatures: the documented value for calls of other models.
    defaultExtraContent: { thought_signature: 'skip_thought_signature_validator' },
  },
  openrouter: {
    // https://openrouter.ai/docs/api-reference/parameters: parameters unknown to the routed model are dropped.
    baseURL: 'https://openrouter.ai/api/v1',
    variables: { apiKey: 'OPENROUTER_API_KEY', model: 'OPENROUTER_MODEL' },
    defaultModel: 'openai/gpt-4.1-mini',
    titleModel: 'openai/gpt-4.1-nano',
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: true,
    streamOptions: true,
    // https://openrouter.ai/docs/guides/best-practices/reasoning-tokens: Gemini answers 400 without them.
    thoughts: 'reasoning_details',
  },
  groq: {
    // https://console.groq.com/docs/api-reference: max_tokens is deprecated.
    baseURL: 'https://api.groq.com/openai/v1',
    variables: { apiKey: 'GROQ_API_KEY', model: 'GROQ_MODEL' },
    defaultModel: 'llama-3.3-70b-versatile',
    titleModel: 'llama-3.1-8b-instant',
    maxTokensParameter: 'max_completion_tokens',
    parallelToolCalls: true,
    streamOptions: true,
    refusesThoughts: true,
  },
  mistral: {
    // https://docs.mistral.ai/api: unknown fields are refused with 422, and so are other tool call ids.
    baseURL: 'https://api.mistral.ai/v1',
    variables: { apiKey: 'MISTRAL_API_KEY', model: 'MISTRAL_MODEL' },
    defaultModel: 'mistral-small-latest',
    titleModel: 'mistral-small-latest',
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: true,
    streamOptions: false,
    nineCharacterIds: true,
    needsAssistantBeforeUser: true,
    refusesThoughts: true,
  },
  deepseek: {
    // https://api-docs.deepseek.com/guides/thinking_mode: 400 if the thoughts of a tool call are not sent back.
    baseURL: 'https://api.deepseek.com',
    variables: { apiKey: 'DEEPSEEK_API_KEY', model: 'DEEPSEEK_MODEL' },
    defaultModel: 'deepseek-v4-flash',
    titleModel: 'deepseek-v4-flash',
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: false,
    streamOptions: true,
    thoughts: 'reasoning_content',
  },
  moonshot: {
    // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model: the same rule.
    baseURL: 'https://api.moonshot.ai/v1',
    variables: { apiKey: 'MOONSHOT_API_KEY', model: 'MOONSHOT_MODEL' },
    titleModel: 'moonshot-v1-8k',
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: false,
    streamOptions: true,
    thoughts: 'reasoning_content',
  },
  ollama: {
    // https://docs.ollama.com/api/openai-compatibility: the key is ignored.
    baseURL: 'http://127.0.0.1:11434/v1',
    variables: { baseURL: 'OLLAMA_BASE_URL', model: 'OLLAMA_MODEL' },
    keyless: true,
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: false,
    streamOptions: true,
    ignoresToolChoice: true,
  },
  vllm: {
    // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
    baseURL: 'http://127.0.0.1:8000/v1',
    variables: { apiKey: 'VLLM_API_KEY', baseURL: 'VLLM_BASE_URL', model: 'VLLM_MODEL' },
    keyless: true,
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: true,
    streamOptions: true,
  },
  any: {
    variables: { apiKey: 'OPENAI_API_KEY', baseURL: 'OPENAI_BASE_URL', model: 'OPENAI_MODEL' },
    keyless: true,
    maxTokensParameter: 'max_tokens',
    parallelToolCalls: false,
    streamOptions: true,
  },
} as const satisfies Record<string, ProviderPreset>

export type ProviderName = keyof typeof presets

/**
 * The preset of a provider.
 *
 * @example
 * getPreset('mistral').maxTokensParameter // => 'max_tokens'
 */
export function getPreset(provider: ProviderName): ProviderPreset {
  return presets[provider]
}

/**
 * The preset for one model. Behind an unknown gateway Gemini keeps its own rules for what must be sent back to it.
 *
 * @example
 * choosePreset('any', 'google/gemini-3-pro').extraContent // => 'google'
 */
export function choosePreset(provider: ProviderName, model: string): ProviderPreset {
  return provider === 'any' && /gemini/i.test(model) ? geminiElsewhere : getPreset(provider)
}

const geminiElsewhere: ProviderPreset = { ...presets.any, extraContent: 'google' }

/** Names a model in what is kept for it: its provider is the same under any address. */
export function nameModel(provider: ProviderName, model: string): string {
  return provider === 'any' || provider === 'openrouter' ? `${provider} ${model}` : provider
}

/**
 * True for the name of a preset.
 *
 * @example
 * isProviderName('gemini') // => true
 * isProviderName('toString') // => false
 */
export function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(presets, name)
}

/**
 * The provider that a base URL belongs to, by its host; `any` for an unknown server.
 *
 * @example
 * findProvider('https://api.groq.com/openai/v1') // => 'groq'
 * findProvider('http://127.0.0.1:9000/v1') // => 'any'
 */
export function findProvider(baseURL: string): ProviderName {
  const host = readHost(baseURL)
  for (const [name, preset] of Object.entries(presets) as [ProviderName, ProviderPreset][]) {
    if (preset.baseURL !== undefined && !preset.keyless && readHost(preset.baseURL) === host) return name
  }
  return 'any'
}

function readHost(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}

/** What single models refuse or should not get, whoever serves them; names are compared without vendor prefix. */
const modelRules: readonly {
  models: RegExp
  refuses?: readonly ('temperature' | 'parallel_tool_calls')[]
  /** Only these providers have the rule. */
  toolsEndReasoning?: readonly ProviderName[]
  maxTokensParameter?: ProviderPreset['maxTokensParameter']
}[] = [
  {
    // https://platform.openai.com/docs/guides/reasoning: o1, o3, o4 …
    models: /^o\d/,
    refuses: ['temperature', 'parallel_tool_calls'],
    maxTokensParameter: 'max_completion_tokens',
  },
  {
    // OpenAI answers 400 to tools here unless reasoning_effort is 'none'; its Responses API and OpenRouter do not.
    models: /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])(?!.*-chat)/,
    refuses: ['temperature'],
    maxTokensParameter: 'max_completion_tokens',
    toolsEndReasoning: ['openai'],
  },
  {
    // The same guide: gpt-5 and later reason; their -chat variants do not.
    models: /^gpt-[5-9](?!.*-chat)/,
    refuses: ['temperature'],
    maxTokensParameter: 'max_completion_tokens',
  },
  {
    // https://docs.claude.com/en/docs/about-claude/models: "`temperature` is deprecated for this model" since Opus 4.7.
    models: /^claude-(?:opus-4[-.][7-9]|4[-.][7-9]-opus|[a-z]+-[5-9])/,
    refuses: ['temperature'],
  },
  {
    // https://ai.google.dev/gemini-api/docs/gemini-3: below the default of 1 it may loop or get worse.
    models: /^gemini-[3-9]/,
    refuses: ['temperature'],
  },
]

/**
 * The content beside tool calls if the model has said nothing. Absent content is what OpenAI sends itself, but
 * llama-cpp-python's server refuses it; Anthropic's API refuses empty text, behind every gateway.
 *
 * @example
 * contentOfNothing('openrouter', 'anthropic/claude-sonnet-4.5') // => null
 * contentOfNothing('any', 'qwen3') // => ''
 */
export function contentOfNothing(provider: ProviderName, model: string): '' | null {
  return provider === 'anthropic' || /claude/i.test(model) ? null : ''
}

/** What a request to this model may contain: the provider's preset combined with the model's own rules. */
interface RequestRules {
  temperature: boolean
  maxTokensParameter: ProviderPreset['maxTokensParameter']
  parallelToolCalls: boolean
  /** False if a request with tools has to switch reasoning off. */
  reasoningWithTools: boolean
}

/**
 * Combines the provider's preset with the rules of the model.
 *
 * @example
 * combineRules('openai', 'gpt-4.1').temperature // => true
 * combineRules('openrouter', 'openai/o3-mini').temperature // => false
 * combineRules('any', 'o3-mini').maxTokensParameter // => 'max_completion_tokens'
 */
export function combineRules(provider: ProviderName, model: string): RequestRules {
  const preset = getPreset(provider)
  // Ignores the prefixes of vendors and fine-tuned models: openai/o3, ft:o4-mini-2025-04-16:acme::id.
  const name = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    .replace(/^ft:/, '')
  const rule = modelRules.find(({ models }) => models.test(name))
  return {
    temperature: !rule?.refuses?.includes('temperature'),
    maxTokensParameter: rule?.maxTokensParameter ?? preset.maxTokensParameter,
    parallelToolCalls: preset.parallelToolCalls && !rule?.refuses?.includes('parallel_tool_calls'),
    reasoningWithTools: !rule?.toolsEndReasoning?.includes(provider),
  }
}
