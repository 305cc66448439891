import { AgentError } from '../../../../shared/engine/core/agent-error.ts'
import { ModelError } from '../../../../shared/engine/models/protocol/model-client.ts'
import { ToolsDoNotFit } from '../../../../shared/engine/tools/bind-tools.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'
import { writeLog } from '../../../../shared/server/log/log-line.ts'

/** True for errors that end a run before anything has happened. */
export function isRefusal(error: unknown): error is AgentError {
  return error instanceof AgentError
}

/**
 * The API error for a run that could not start. 502: the model's server refused (a bad key); 503: no server answers,
 * or no model is configured. Which server said what, and which setting is missing, is logged for the operator.
 */
export function describeRefusal(error: AgentError, runId: string): ApiError {
  const { message: words, cause } = error
  switch (error.kind) {
    case 'configuration':
      writeLog('model-not-configured', { runId }, error)
      return new ApiError('model_not_configured', {}, { isFinal: true, cause: error })
    case 'llm_api': {
      const refused = cause instanceof ModelError ? cause : undefined
      // Without the words of the server, which may quote the conversation.
      if (refused?.failure) writeLog('model-unavailable', { runId, ...refused.failure })
      else writeLog('model-unavailable', { runId }, error)
      const status = refused?.httpStatus === undefined ? 503 : 502
      const isFinal = refused?.httpStatus !== undefined
      const said = refused?.said ?? { code: 'model_unavailable' }
      return new ApiError('model_unavailable', { said }, { status, isFinal, cause: error })
    }
    case 'validation':
      return new ApiError('bad_request', { why: 'engine', words }, { cause: error })
    case 'tool':
      writeLog('tools-do-not-fit', { runId }, error)
      return new ApiError(
        'tools_do_not_fit',
        { tools: cause instanceof ToolsDoNotFit ? cause.tools : [] },
        { isFinal: true, cause: error },
      )
  }
}

/** A run that waits was written by a version of the engine whose state this one cannot read. */
export function cannotGoOn(cause: AgentError): ApiError {
  return new ApiError('cannot_continue', {}, { cause })
}
