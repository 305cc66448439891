/** What models write in front of a call in their text; `<function=` and `<invoke` are a part of the call itself. */
export const openers: readonly string[] = [
  // Hermes, Qwen, GLM, Granite 3.1, Jamba, Hunyuan, OLMo
  '<tool_call>',
  '<tool_calls>',
  '<function_call>',
  '<function_calls>',
  '<longcat_tool_call>',
  '<seed:tool_call>',
  '<minimax:tool_call>',
  '<TOOLCALL>',
  // Granite 3.0, Phi, LFM2, Kimi K2
  '<|tool_call|>',
  '<|tool_call_start|>',
  '<|tool_call_begin|>',
  '<|tool_calls_section_begin|>',
  // Llama, InternLM, Cohere, Mistral
  '<|python_tag|>',
  '<|python_start|>',
  '<|action_start|>',
  '<|START_ACTION|>',
  '[TOOL_CALLS]',
  // DeepSeek
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<function=',
  '<invoke name=',
]

/** Finds openers; global. */
export function openerSearch(): RegExp {
  return new RegExp(openers.map((opener) => opener.replace(/[|[\]]/g, '\\$&')).join('|'), 'g')
}

/** A special token, a tag, Mistral's mark or a fence. */
const token = /<[|｜][^<>|｜\n]{1,40}[|｜]>|<\/?[\w:]{1,40}>|\[TOOL_CALLS\]|```\w*/.source

/** Blanks, separators, fences and markup between an opener and a call, and between calls; sticky. */
export function betweenCalls(): RegExp {
  return new RegExp(String.raw`(?:${token}|[\s,;[\]]|\}(?=[\s}\]]{0,8}<))*`, 'y')
}

/** Whether nothing but markup, fences and blanks follows the calls, or a result that the model made up. */
export function isLeftover(text: string): boolean {
  return leftover.test(text)
}

const leftover = new RegExp(
  String.raw`^(?:${token}|\s|[}\]](?=[\s}\]]{0,8}(?:<|$)))*(?:$|<\/?tool_response>|<\|im_start\|>|<\|start_header_id\|>|Observation:)`,
)
