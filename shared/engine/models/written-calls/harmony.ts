import type { FoundCall } from './call-object.ts'

const beginning = /^(?:<\|start\|>|<\|channel\|>|(?:assistant)? ?to=)/

/** What stands in the messages of the harmony format (https://cookbook.openai.com/articles/openai-harmony). */
export interface HarmonyReply {
  thoughts: string
  text: string
  calls: FoundCall[]
}

/**
 * Reads a reply in harmony: the channel `analysis` is thoughts, `final` and a `commentary` to nobody are words, and what
 * goes to a function is a call. The first message may lack its beginning, because the prompt has it.
 *
 * @example
 * readHarmony('<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes.')?.text // => 'Yes.'
 */
export function readHarmony(reply: string): HarmonyReply | undefined {
  if (!/<\|message\|>/.test(reply) || !beginning.test(reply.slice(0, 1000).trimStart())) {
    return undefined
  }
  const thoughts: string[] = []
  const texts: string[] = []
  const calls: FoundCall[] = []
  for (const message of reply.split(/<\|start\|>|<\|end\|>|<\|call\|>|<\|return\|>|<\|eom\|>|<\|eot\|>/)) {
    const at = message.indexOf('<|message|>')
    if (at < 0) continue
    const header = message.slice(0, at)
    const content = message.slice(at + '<|message|>'.length)
    // A result that the model made up.
    if (/^\s*(?:user|system|developer|functions?\b|tool\b)/.test(header)) break
    const recipient = /\bto=(?!assistant\b)([^\s<]+)/.exec(header)?.[1]
    const channel = [...header.matchAll(/<\|channel\|>\s*(\w+)/g)].at(-1)?.[1]
    // Muse Glimmer names the reader, and itself for its thoughts.
    if (recipient === 'self') thoughts.push(content)
    else if (recipient !== undefined && recipient !== 'user') {
      calls.push({ start: 0, end: 0, name: recipient.replace(/^functions\./, ''), rawArguments: content })
    } else if (channel === 'analysis') thoughts.push(content)
    else texts.push(content)
  }
  return { thoughts: thoughts.join('\n'), text: texts.join('\n').trim(), calls }
}
