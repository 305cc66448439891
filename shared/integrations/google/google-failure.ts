import type { Said } from '../../engine/core/asked.ts'
import { isObject } from '../../engine/core/json-value.ts'
import { ToolCallError, type ToolError } from '../../engine/core/tool-error.ts'
import { missingScope, signInAgain } from '../definition/connection-error.ts'
import type { IntegrationProvider } from '../definition/integration.ts'

/** An error status of Google, or an unreadable answer. The engine judges by its members. */
export class GoogleFailure extends Error {
  override name = 'GoogleFailure'
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, or text. */
  readonly body: unknown
  constructor(status: number, headers: Headers, body: unknown) {
    super('')
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** What one of Google's services says beyond what the engine knows. */
export interface GoogleService {
  provider: IntegrationProvider
  /** In `error.errors[].reason` or `ErrorInfo.reason` (https://google.aip.dev/193). */
  reasons: Readonly<Record<string, (failure: GoogleFailure) => ToolError>>
  /** Messages that have no reason code. */
  messages?: readonly { words: RegExp; means: () => ToolError }[]
  /** The Google project lacks the API: the user can do nothing about it. */
  switchedOff: (failure: GoogleFailure) => ToolError
  /** What is asked for is larger than what is read of an answer. */
  tooLarge: Said
}

/** Explains a refusal of Google beyond what the engine knows, or returns the failure unchanged. */
export function explainFailure(
  failure: GoogleFailure,
  service: GoogleService,
): ToolCallError | GoogleFailure {
  const { provider, reasons, messages = [], switchedOff } = service
  const known: GoogleService['reasons'] = {
    ACCESS_TOKEN_SCOPE_INSUFFICIENT: () => missingScope(provider),
    insufficientPermissions: () => missingScope(provider),
    SERVICE_DISABLED: switchedOff,
    accessNotConfigured: switchedOff,
    authError: () => signInAgain(provider),
    ...reasons,
  }
  const { error } = isObject(failure.body) ? failure.body : {}
  if (!isObject(error)) return failure
  const reason = reasonsOf(error).find((one) => Object.hasOwn(known, one))
  const meaning =
    known[reason ?? ''] ?? messages.find(({ words }) => words.test(String(error.message)))?.means
  return meaning ? new ToolCallError(meaning(failure)) : failure
}

function reasonsOf(error: Record<string, unknown>): string[] {
  return [error.details, error.errors].flat().map((item) => (isObject(item) ? String(item.reason) : ''))
}
