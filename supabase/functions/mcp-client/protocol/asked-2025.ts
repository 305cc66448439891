import type { ElicitRequestParams, ElicitResult } from './sdk.ts'

/** Who answers a server in the middle of a call; undefined if nobody does. */
export type AnswerNow = (question: ElicitRequestParams) => Promise<ElicitResult | undefined>

/** What a server has asked in the middle of a call, as those before 2026-07-28 do. */
export interface Asked2025 {
  answer(question: ElicitRequestParams): Promise<ElicitResult>
  /** The first question that nobody has answered. */
  unanswered(): ElicitRequestParams | undefined
}

/** Such a server waits only as long as its call: without an answer it is told that there is none. */
export function createAnswerer(answer: AnswerNow = async () => undefined): Asked2025 {
  let unanswered: ElicitRequestParams | undefined
  return {
    async answer(question) {
      const given = await answer(question)
      if (given) return given
      unanswered ??= question
      return { action: 'cancel' }
    },
    unanswered: () => unanswered,
  }
}
