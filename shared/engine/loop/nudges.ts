import type { ChatMessage, ModelReply } from '../models/protocol/model-client.ts'
import type { Run } from './run.ts'

/** Why an answer of the model leads nowhere. */
type Stall = 'empty' | 'length' | 'malformed' | 'repetition'

interface Nudge {
  /** Stands for the answer that led nowhere: no provider takes an empty assistant message. */
  answer: string
  first: string
  stronger: string
}

const nudges: Record<Stall, Nudge> = {
  empty: {
    answer: '(no answer)',
    first: 'Your last answer was empty. Answer now: call a tool, or reply to the user in words.',
    stronger:
      'Your answer was empty again. Write at least one sentence: what was done, what was not, what you need.',
  },
  length: {
    answer: '(an answer that was cut off)',
    first: 'Your last answer was cut off at the length limit. Answer again, much shorter.',
    stronger: 'Your answer was cut off again. Answer in at most three sentences.',
  },
  malformed: {
    answer: '(a tool call that could not be read)',
    first:
      'Your last tool call could not be read. Send it again as one call with a JSON object of arguments.',
    stronger: 'Your tool call could not be read again. Send one simple call, or tell the user what you need.',
  },
  repetition: {
    answer: '(the same calls again)',
    first: 'You made these calls before; their results stand above and did not change. Use them and answer.',
    stronger: 'Do not call these tools again. Answer the user now with what you know.',
  },
}

/** Why a reply leads nowhere; undefined when it is an answer or calls tools. */
export function stallOf(reply: ModelReply): Stall | undefined {
  if (reply.toolCalls.length > 0) return undefined
  if (/malformed/i.test(reply.finishReason)) return 'malformed'
  if (reply.text.trim() === '') return 'empty'
  return reply.finishReason === 'length' ? 'length' : undefined
}

const nudgesBeforeOtherModel = 2

/**
 * Prepares the next request after an answer that led nowhere: a nudge, a stronger one, then another configured
 * model, then the last answer. Nudges are said once and never stay in the conversation.
 */
export function nudgeModel(run: Run, stall: Stall, text = ''): void {
  run.stalls++
  if (stall === 'length') run.cutText = text.length > run.cutText.length ? text : run.cutText
  const { answer, first, stronger } = nudges[stall]
  run.nudge = placeholder(text.trim() === '' ? answer : text, run.stalls === 1 ? first : stronger)
  if (run.stalls <= nudgesBeforeOtherModel) return
  const others = run.model.models.filter((model) => !run.answeredBy.has(model))
  if (others.length > 0) run.avoid = [...run.answeredBy]
  else run.lastAnswer = 'failed'
}

/**
 * Two messages for the end of one request. The first stands for the model's answer: some providers refuse a user
 * message right after a tool message.
 */
export function placeholder(answer: string, nudge: string): ChatMessage[] {
  return [
    { role: 'assistant', content: answer },
    { role: 'user', content: nudge },
  ]
}
