import type { AgentErrorKind } from '../../shared/engine/core/agent-error.ts'
import type { ToolErrorType } from '../../shared/engine/core/tool-error.ts'
import type { RunStatus } from '../../shared/engine/transcript/entry.ts'
import type { ModelServerReply } from '../../support/model-reply.ts'

export type ToolName = 'send_email' | 'web_search' | 'archive_emails'

/** What one execution of a tool does; the last one of a list is repeated. */
export type Behaviour =
  | { returns: unknown }
  /** Throws an error with these members. */
  | { throws: { message: string } & Record<string, unknown> }
  /** Notes the effect, then throws or never returns. */
  | { actsThen: 'throws' | 'hangs' }

/** One fault of a model, a tool or a network, and how a run that meets it must go, plain and streamed alike. */
export interface FaultScript {
  name: string
  input?: string
  /** The model's replies, the last one repeated. */
  script: readonly ModelServerReply[]
  /** What it says when it may call no tools any more. */
  lastWords?: string
  tools?: Partial<Record<ToolName, readonly Behaviour[]>>
  expect: {
    /** How the run ends; an AgentError by its kind. */
    ends: RunStatus | { rejects: AgentErrorKind }
    /** Every effect and every read, in order. */
    ran: readonly (readonly [ToolName, Record<string, unknown>])[]
    /** Model calls, the router's retries included. */
    requests: number
    /** Error types of `toolsUsed`, in order. */
    errors?: readonly ToolErrorType[]
    /** Texts in what the model saw at its second request. */
    saw?: readonly string[]
    /** Texts that neither the model nor the user may see. */
    never?: readonly string[]
    /** Texts in the answer. */
    says?: readonly string[]
  }
}
