/**
 * What our types take from packages that are bundled or used for their types alone: as much of it as can be seen, so that
 * nobody has to install them. A test compares it with the packages.
 */

/** Of `openai/resources/chat/completions`. */
export type ChatCompletionContentPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } }

type Text = string | { type: 'text'; text: string }[]

interface ToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

/** Of `openai/resources/chat/completions`. */
export type ChatCompletionMessageParam =
  | { role: 'system' | 'developer'; content: Text; name?: string }
  | { role: 'user'; content: string | ChatCompletionContentPart[]; name?: string }
  | {
      role: 'assistant'
      content?: string | ({ type: 'text'; text: string } | { type: 'refusal'; refusal: string })[] | null
      name?: string
      refusal?: string | null
      tool_calls?: ToolCall[]
    }
  | { role: 'tool'; content: Text; tool_call_id: string }

/** Of `@cfworker/json-schema`. */
export interface OutputUnit {
  keyword: string
  keywordLocation: string
  instanceLocation: string
  error: string
}

/** Of `jose`. */
export type JWTVerifyGetKey = (header: unknown, token: unknown) => Promise<unknown>
