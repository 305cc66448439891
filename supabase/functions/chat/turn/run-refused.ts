import { AgentError } from '../../../../shared/engine/core/agent-error.ts'
import { ModelError } from '../../../../shared/engine/models/protocol/model-client.ts'
import { ApiError } from '../../../../shared/server/http/api-error.ts'

/** True for what ends a run before anything has happened. */
export function isRefusal(error: unknown): error is AgentError {
  return error instanceof AgentError
}

/**
 * How the API says why a run could not begin. 502: the model's server refused (a bad key); 503: nobody is there,
 * or no model is configured.
 */
export function describeRefusal(error: AgentError): ApiError {
  const { message } = error
  switch (error.kind) {
    case 'configuration':
      return new ApiError(503, 'model_not_configured', message, { cause: error })
    case 'llm_api': {
      const answered = error.cause instanceof ModelError && error.cause.httpStatus !== undefined
      return new ApiError(answered ? 502 : 503, 'model_unavailable', message, { cause: error })
    }
    case 'validation':
      return new ApiError(400, 'bad_request', message, { cause: error })
    case 'tool':
      return new ApiError(500, 'tools_do_not_fit', message, { cause: error })
  }
}

/** Why a run could not begin, for clients that show it as it is: which server said what is for the operator. */
export function sayRefusal({ code, message, cause }: ApiError): string {
  const failure = cause instanceof AgentError ? cause.cause : undefined
  return code === 'model_unavailable' && failure instanceof ModelError ? failure.forPeople : message
}

/** A run was parked by a version of the engine whose state this one does not read. */
export function cannotGoOn(cause: AgentError): ApiError {
  const sentence =
    'This can no longer be continued, because the assistant has changed since. Send your message again.'
  return new ApiError(409, 'cannot_continue', sentence, { cause })
}
