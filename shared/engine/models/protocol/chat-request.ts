import type { DispensableParameter } from './dispensable-parameters.ts'
import { jsonWithPictures } from './json-with-pictures.ts'
import type { ModelRequest } from './model-client.ts'
import { hasPictures, withoutPictures } from './pictures.ts'
import {
  choosePreset,
  combineRules,
  contentOfNothing,
  nameModel,
  type ProviderName,
  type ProviderPreset,
} from './presets.ts'
import { chooseToolRules } from './tool-rules.ts'
import type { WireKeys } from './wire-keys.ts'
import { wireMessages } from './wire-messages.ts'
import { type RulesOf, wireTools } from './wire-tools.ts'

export interface ChatTarget {
  provider: ProviderName
  model: string
  /** More members of the request body, e.g. `{ reasoning_effort: 'low' }`; they never replace ours. */
  parameters?: Readonly<Record<string, unknown>>
}

interface BodyOptions {
  stream: boolean
  /** From `wireNames`. */
  names: ReadonlyMap<string, string> | undefined
  /** From `keysOf`: parameters that have other names on the wire. */
  keys?: ReadonlyMap<string, WireKeys> | undefined
  /** By default those of the provider and the model. */
  rulesOf?: RulesOf
  /** The model answers 400 to calls without the thoughts that led to them. */
  demandsThoughts?: boolean
  /** Parameters to omit. */
  refused?: ReadonlySet<DispensableParameter> | undefined
}

/** What a target's requests may contain: the same for each of them. */
const known = new WeakMap<ChatTarget, ReturnType<typeof chooseRules>>()

function rulesFor(target: ChatTarget): ReturnType<typeof chooseRules> {
  const chosen = known.get(target)
  if (chosen) return chosen
  const rules = chooseRules(target)
  known.set(target, rules)
  return rules
}

function chooseRules({ provider, model }: ChatTarget) {
  return {
    preset: choosePreset(provider, model),
    rules: combineRules(provider, model),
    from: nameModel(provider, model),
    nothing: contentOfNothing(provider, model),
  }
}

/** The body of `POST …/chat/completions` as JSON text. */
export function chatRequestBody(target: ChatTarget, request: ModelRequest, options: BodyOptions): string {
  const { preset, rules, from, nothing } = rulesFor(target)
  const { names, keys, refused } = options
  const accepts = (parameter: DispensableParameter) => !refused?.has(parameter)
  const body: Record<string, unknown> = {
    ...target.parameters,
    model: target.model,
    messages: wireMessages(
      accepts('pictures') ? request.messages : withoutPictures(request.messages),
      {
        preset,
        model: target.model,
        from,
        thoughts: { demanded: options.demandsThoughts ?? false, accepts },
        nothing,
      },
      names,
      keys,
    ),
  }
  if (request.temperature !== undefined && rules.temperature && accepts('temperature')) {
    body.temperature = request.temperature
  }
  if (request.maxOutputTokens !== undefined) {
    const names = [rules.maxTokensParameter, 'max_tokens', 'max_completion_tokens'] as const
    const name = names.find(accepts)
    if (name !== undefined) body[name] = request.maxOutputTokens
  }
  if (options.stream) {
    body.stream = true
    if (preset.streamOptions && accepts('stream_options')) body.stream_options = { include_usage: true }
  }
  if (!accepts('reasoning_effort')) delete body.reasoning_effort
  const tools = offeredTools(request, preset)
  const write = hasPictures(request.messages) && accepts('pictures') ? jsonWithPictures : JSON.stringify
  if (tools.length === 0) return write(body)
  if (request.toolChoice === 'none') body.tool_choice = 'none'
  if (rules.parallelToolCalls && accepts('parallel_tool_calls')) body.parallel_tool_calls = true
  if (!rules.reasoningWithTools || !accepts('reasoning_with_tools')) body.reasoning_effort = 'none'
  body.tools = wireTools(tools, options.rulesOf ?? usualRules(target), names)
  return write(body)
}

function usualRules({ provider, model }: ChatTarget): RulesOf {
  const usual = chooseToolRules(provider, '', model)
  return () => usual
}

function offeredTools(request: ModelRequest, preset: ProviderPreset): ModelRequest['tools'] {
  return request.toolChoice === 'none' && preset.ignoresToolChoice ? [] : request.tools
}
