import type { ProviderName } from './presets.ts'

/** What a server takes in the definition of a tool. Whatever is absent is not limited. */
export interface ToolRules {
  /**
   * `plain`: JSON Schema. `typed`: JSON Schema in which every place says its type, and none beside its alternatives.
   * `openapi`: Gemini's subset of OpenAPI. `plainest`: types, descriptions, properties, items and values, nothing else.
   */
  form: 'plain' | 'typed' | 'openapi' | 'plainest'
  /** Names of parameters. */
  keys?: RegExp
  /** Characters of a tool's description. */
  description?: number
  /** Tools of a request. */
  tools?: number
  /** Levels of a schema, its root counted. */
  depth?: number
}

interface Row extends Partial<ToolRules> {
  providers?: readonly ProviderName[]
  hosts?: RegExp
  /** Models that keep their rules behind any gateway. */
  models?: RegExp
}

/**
 * By provider, host and model, from the documentation of each, or from its own refusals where that is silent. Servers that
 * are not here are known to take JSON Schema as it is (Mistral, OpenRouter, Ollama, vLLM: they give it to the model's
 * template) or are not known at all; what they do not take is learned from what they refuse.
 */
const rows: readonly Row[] = [
  {
    // https://platform.openai.com/docs/api-reference/chat/create: 128 tools. A description of more than 1,024 characters is
    // refused with `string_above_max_length` (https://github.com/modelcontextprotocol/servers/issues/799), Azure's too.
    providers: ['openai'],
    hosts: /\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/,
    models: /^(?:openai|azure)\//,
    description: 1024,
    tools: 128,
  },
  {
    // https://docs.claude.com/en/api/messages: the pattern is quoted by its refusals (…/anthropics/claude-code/issues/79418);
    // Bedrock, Vertex and Copilot pass it on.
    providers: ['anthropic'],
    models: /claude/,
    keys: /^[a-zA-Z0-9_.-]{1,64}$/,
  },
  {
    // https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1beta1/FunctionDeclaration: names of parameters.
    providers: ['gemini'],
    models: /gemini/,
    form: 'openapi',
    keys: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  },
  // https://console.groq.com/docs/api-reference: at most 128 functions.
  { providers: ['groq'], tools: 128 },
  // https://api-docs.deepseek.com/api/create-chat-completion: at most 128 functions.
  { providers: ['deepseek'], tools: 128 },
  // https://docs.x.ai/docs/guides/function-calling: at most 200 tools.
  { hosts: /^api\.x\.ai$/, models: /^(?:x-ai\/)?grok/, tools: 200 },
  {
    // "Moonshot flavored JSON schema": types inside of alternatives (https://github.com/MoonshotAI/kimi-code/issues/2661),
    // at most 10 levels (https://github.com/anomalyco/opencode/issues/25495).
    providers: ['moonshot'],
    models: /kimi|moonshot/,
    form: 'typed',
    depth: 10,
    tools: 128,
  },
]

/** What every known server takes: for a definition that was refused although no limit is known. */
export const plainestRules = {
  form: 'plainest',
  keys: /^[a-zA-Z][a-zA-Z0-9_]{0,63}$/,
  description: 1024,
  depth: 5,
} as const satisfies ToolRules

const chosen = new Map<string, ToolRules>()

/**
 * The rules for one model at one server: those of all rows that fit, the later ones first.
 *
 * @example
 * chooseToolRules('openrouter', 'openrouter.ai', 'google/gemini-3-pro').form // => 'openapi'
 * chooseToolRules('any', 'gateway.example', 'claude-sonnet-4-5').keys // => /^[a-zA-Z0-9_.-]{1,64}$/
 * chooseToolRules('any', '127.0.0.1:8080', 'qwen3') // => { form: 'plain' }
 */
export function chooseToolRules(provider: ProviderName, host: string, model: string): ToolRules {
  const id = `${provider} ${host} ${model}`
  const known = chosen.get(id)
  if (known !== undefined) return known
  const fitting = rows.filter(
    ({ providers, hosts, models }) =>
      providers?.includes(provider) || hosts?.test(host) || models?.test(model.toLowerCase()),
  )
  const rules: ToolRules = Object.assign(
    { form: 'plain' },
    ...fitting.map(({ providers: _1, hosts: _2, models: _3, ...row }) => row),
  )
  chosen.set(id, rules)
  return rules
}
