import type { AgentResponse } from '../../../shared/engine/loop/agent-response.ts'
import type { Approval } from '../../../shared/engine/loop/run-options.ts'
import { mailTool } from '../../support/agent-scenario.ts'

export const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }
const { to: _to, ...rest } = mail
export const withoutTo = rest

/** A mail tool whose every call needs an approval. */
export const approvedMail = (execute?: () => unknown) =>
  mailTool({ approval: 'always', ...(execute ? { execute } : {}) })

export const idOf = (response: AgentResponse, index = 0) => response.pending?.[index]?.toolCallId ?? ''

/** What `resumeAgent` takes when somebody decides about the first pending call. */
export const decide = (
  response: AgentResponse,
  decision: Approval['decision'],
  more: Partial<Approval> = {},
) => ({
  state: JSON.parse(JSON.stringify(response.state)),
  approval: { toolCallId: idOf(response), decision, ...more },
})
