import { bodyLimits, readJson } from '../../shared/engine/core/outside-body.ts'
import { createModelFromSettings } from '../../shared/engine/models/model-settings.ts'
import { presets } from '../../shared/engine/models/protocol/presets.ts'
import type { Environment } from './settings.ts'

/** Which model answers. */
export interface ModelChoice {
  /** In words, for people. */
  description: string
  /** Settings that the functions get in addition. */
  settings: Record<string, string>
}

const ollamaTimeoutMs = 300

/** The model that the environment names, otherwise a local Ollama, otherwise the built-in demo model. */
export async function chooseModel(
  environment: Environment,
  url: string,
  ollamaURL: string = presets.ollama.baseURL,
): Promise<ModelChoice> {
  const { LLM_PROVIDER: provider } = environment
  if (provider === 'none') return { description: 'none (LLM_PROVIDER=none)', settings: {} }
  if (provider) return { description: `${provider} (LLM_PROVIDER)${findFault(environment)}`, settings: {} }
  for (const { variables } of Object.values(presets)) {
    const { apiKey, baseURL }: { apiKey?: string; baseURL?: string } = variables
    const set = [apiKey, baseURL].find((name) => name !== undefined && environment[name])
    if (set) return { description: `from ${set}${findFault(environment)}`, settings: {} }
  }
  const ollamaModel = await findOllamaModel(ollamaURL)
  if (ollamaModel) {
    return {
      description: `Ollama, ${ollamaModel}`,
      settings: { LLM_PROVIDER: 'ollama', OLLAMA_MODEL: environment.OLLAMA_MODEL || ollamaModel },
    }
  }
  return {
    description:
      'demo (a few rules, not a language model). For a real one, set OPENAI_API_KEY or another model setting',
    settings: {
      LLM_PROVIDER: 'any',
      OPENAI_BASE_URL: `${url}/demo-model/v1`,
      OPENAI_API_KEY: 'demo',
      OPENAI_MODEL: 'demo',
      ASKBACK_DEMO_MODEL: 'true',
      // Rules read everything.
      ASKBACK_MODEL_WINDOWS: '{"any/demo":100000000}',
    },
  }
}

/** Why the chosen model cannot answer, checked before anybody uses it. */
function findFault(environment: Environment): string {
  try {
    createModelFromSettings(environment)
    return ''
  } catch (error) {
    return `, which cannot answer yet. ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The first installed model of a running Ollama that can call tools. */
async function findOllamaModel(baseURL: string): Promise<string | undefined> {
  try {
    const { models } = await ask<{ models: { name: string }[] }>(new URL('/api/tags', baseURL))
    for (const { name } of models) {
      const { capabilities } = await ask<{ capabilities: string[] }>(new URL('/api/show', baseURL), {
        model: name,
      })
      if (capabilities.includes('tools')) return name
    }
  } catch {
    // Nothing is running there, or it is not Ollama.
  }
  return undefined
}

async function ask<Answer>(url: URL, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(ollamaTimeoutMs),
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  return (await readJson(response, bodyLimits.command)) as Answer
}
