import { type FailureFacts, failureInEnglish } from '../../words/sentences/failures.ts'
import type { Resolver, ToolError, ToolErrorType } from '../core/tool-error.ts'

interface SentenceFacts extends Omit<FailureFacts, 'isAsked'> {
  type: ToolErrorType
  resolver: Resolver
}

/** The sentence of an error: a question to the model or the user, a plain statement for the clock and nobody. */
export function errorSentence({ type, resolver, ...facts }: SentenceFacts): string {
  const isAsked = resolver === 'model' || resolver === 'user'
  return `${isAsked ? 'Question: ' : ''}${failureInEnglish(type, { isAsked, ...facts })}`
}

/** Whether a question is only our words: it quotes nobody and names no parameter. */
export function quotesNobody({ errorType: type, resolver, error }: ToolError): boolean {
  const thing = /There is no such (.+?)\./.exec(error)?.[1] ?? ''
  return error === errorSentence({ type, resolver, reason: '', thing })
}
