import { isObject, readJsonText } from '../core/json-value.ts'
import { bodyLimits, readText } from '../core/outside-body.ts'

/** What a server says about its models, and when it was asked (milliseconds since the epoch). */
export interface ModelList {
  askedAt: number
  /** Tokens that a model reads, by its id. */
  windows: ReadonlyMap<string, number>
}

interface ListRequest {
  /** Everything before `/models`. */
  baseURL: string
  headers: Readonly<Record<string, string>>
  fetch: typeof fetch
}

/** The windows of a server's models; none if it has no list, or does not answer. Never rejects. */
export async function askForWindows(asked: ListRequest): Promise<ModelList['windows']> {
  const list = await askFor(`${asked.baseURL}/models`, asked)
  const windows = readWindows(list)
  if (windows.size > 0 || !isLmStudio(list)) return windows
  return readWindows(await askFor(new URL('/api/v0/models', asked.baseURL).href, asked))
}

/** Undefined if nothing came that can be read. */
async function askFor(url: string, { headers, fetch: send }: ListRequest): Promise<unknown> {
  try {
    const signal = AbortSignal.timeout(bodyLimits.modelList.ms)
    const response = await send(url, { headers, signal, redirect: 'error' })
    const text = await readText(response, bodyLimits.modelList)
    return response.ok ? readJsonText(text) : undefined
  } catch {
    return undefined
  }
}

/** Its list in OpenAI's form has no windows, its own has: https://lmstudio.ai/docs/developer/rest/endpoints. */
function isLmStudio(list: unknown): boolean {
  return rowsOf(list).some((row) => isObject(row) && row.owned_by === 'organization_owner')
}

function rowsOf(list: unknown): readonly unknown[] {
  const rows = isObject(list) ? (list.data ?? list.models) : list
  return Array.isArray(rows) ? rows : []
}

/**
 * Where servers say what a model reads: vLLM and SGLang; LM Studio; llama.cpp; OpenRouter, Together, Moonshot and Fireworks;
 * Groq; Mistral; Anthropic; GitHub; Copilot.
 */
const places: readonly (readonly string[])[] = [
  ['max_model_len'],
  ['loaded_context_length'],
  ['max_context_length'],
  ['meta', 'n_ctx'],
  ['meta', 'n_ctx_train'],
  ['context_length'],
  ['top_provider', 'context_length'],
  ['context_window'],
  ['context_size'],
  ['max_input_tokens'],
  ['limits', 'max_input_tokens'],
  ['capabilities', 'limits', 'max_prompt_tokens'],
]

/**
 * The windows that a list of models names. Of several the smallest counts: what a model was trained with may be more than
 * what it was started with.
 */
function readWindows(list: unknown): Map<string, number> {
  const windows = new Map<string, number>()
  for (const row of rowsOf(list)) {
    const id = isObject(row) ? (row.id ?? row.name) : undefined
    if (typeof id !== 'string') continue
    const named = places.map((path) => Number(valueAt(row, path) ?? Number.NaN))
    const sizes = named.filter((size) => Number.isInteger(size) && size > 0)
    if (sizes.length > 0) windows.set(id, Math.min(...sizes))
  }
  return windows
}

function valueAt(row: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isObject(value) ? value[name] : undefined), row)
}

/** The window of a model; a server with one model answers with that one, whatever it is called (llama.cpp). */
export function findWindow(windows: ModelList['windows'], model: string): number | undefined {
  if (windows.size === 0) return undefined
  const only = windows.size === 1 ? [...windows.values()][0] : undefined
  return windows.get(model) ?? windows.get(`${model}:latest`) ?? windows.get(`models/${model}`) ?? only
}
