/** What models write before a call in their text; `<function=` is part of the call itself. */
export const openers: readonly string[] = [
  // Hermes, Qwen and their imitators
  '<tool_call>',
  // Llama, Qwen3-Coder
  '<function=',
  '<|python_tag|>',
  // Mistral
  '[TOOL_CALLS]',
  // DeepSeek
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
]

/** Finds openers; global. */
export function openerSearch(): RegExp {
  return new RegExp(openers.map((opener) => opener.replace(/[|[\]]/g, '\\$&')).join('|'), 'g')
}

/** A special token, a tag, Mistral's mark or a fence. */
const token = /<[|｜][^<>|｜\n]{1,40}[|｜]>|<\/?[\w:]{1,40}>|\[TOOL_CALLS\]|```\w*/.source

/** Spaces, separators, fences and markup between an opener and a call, and between calls; sticky. */
export function betweenCalls(): RegExp {
  return new RegExp(String.raw`(?:${token}|[\s,;[\]]|\}(?=[\s}\]]{0,8}<))*`, 'y')
}

/** Whether nothing follows the calls except markup, fences and spaces, or a result that the model made up. */
export function isLeftover(text: string): boolean {
  return leftover.test(text)
}

const leftover = new RegExp(
  String.raw`^(?:${token}|\s|[}\]](?=[\s}\]]{0,8}(?:<|$)))*(?:$|<\/?tool_response>|<\|im_start\|>|<\|start_header_id\|>|Observation:)`,
)
