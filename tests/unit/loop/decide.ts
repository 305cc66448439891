import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { Approval } from '../../../shared/engine/loop/run/run-options.ts'
import { mailTool } from '../../../support/agent-scenario.ts'

export const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const { to: _to, ...rest } = mail
export const withoutTo = rest

/** A mail tool whose every call needs an approval. */
export const approvedMail = (execute?: () => unknown) =>
  mailTool({ approval: 'always', ...(execute ? { execute } : {}) })

/** A mail tool whose first call breaks off: nobody knows whether that mail was sent. */
export function lostMail(more: Parameters<typeof mailTool>[0] = {}) {
  let calls = 0
  return mailTool({
    execute: () => (calls++ === 0 ? Promise.reject(new Error('lost')) : 'sent'),
    ...more,
  })
}

export const idOf = (response: AgentResponse, index = 0) => response.pending?.[index]?.toolCallId ?? ''

/** The entries of responses as they come back from a database. */
export const stored = (...responses: AgentResponse[]): AgentResponse['transcript'] =>
  JSON.parse(JSON.stringify(responses.flatMap(({ transcript }) => transcript)))

/** What `resumeAgent` takes when somebody decides about the first pending call; `before`: the responses until then. */
export const decide = (
  response: AgentResponse,
  decision: Approval['decision'],
  more: Partial<Approval> = {},
  before: AgentResponse[] = [],
) => ({
  transcript: stored(...before, response),
  approval: { ...approvalOf(response, decision), ...more },
})

/** The decision about one of the pending calls. */
export const approvalOf = (response: AgentResponse, decision: Approval['decision'], index = 0): Approval => ({
  toolCallId: idOf(response, index),
  approvalId: response.pending?.[index]?.approvalId ?? '',
  decision,
})
