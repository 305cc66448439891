import type { ToolErrorType } from '../../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../../shared/engine/failures/classify-error.ts'
import { FailedPage } from '../../../../shared/integrations/network/public-fetch.ts'
import { RefusedPage } from '../../../../shared/integrations/network/refused-page.ts'

/** What a failed page means for its reader, who has no account there. */
const sentences: Partial<Record<ToolErrorType, string>> = {
  not_found: 'Question: There is no such page. Please check the address, or search for the right one.',
  authentication_error: 'The site shows this page only to people who have signed in.',
  permission_denied: 'The site does not let programs read this page.',
  quota_exceeded: 'The site does not let programs read this page.',
  rate_limit_exceeded: 'The site does not allow more requests right now. Try again later.',
  timeout: 'The site did not answer in time.',
  unavailable: 'The site cannot be reached right now.',
}
const otherwise = 'The page cannot be read: the connection to the site failed, or it is not secure.'

/** Why a page was not read, as a sentence, without the name of its host and the words of its server. */
export function explainPageFailure(cause: unknown): string {
  if (cause instanceof RefusedPage) return cause.message
  const facts = cause instanceof FailedPage ? { httpStatus: cause.httpStatus, headers: cause.headers } : {}
  const { errorType } = classifyError(cause instanceof FailedPage ? undefined : cause, facts)
  return sentences[errorType] ?? otherwise
}
