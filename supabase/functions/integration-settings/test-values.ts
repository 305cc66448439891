import { z } from 'zod'
import { type Asked, askedInEnglish } from '../../../shared/engine/core/asked.ts'
import { isObject, readJsonText } from '../../../shared/engine/core/json-value.ts'
import { bodyLimits, readText } from '../../../shared/engine/core/outside-body.ts'
import { isWholeToolError, saidError, type ToolResult } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { askedOf } from '../../../shared/engine/wording/question-for-people.ts'
import { withoutSecrets } from '../../../shared/server/integration-function/without-secrets.ts'
import { testModelKey } from '../../../shared/server/model-keys/test-model-key.ts'
import type { SentenceCode } from '../../../shared/words/sentence-codes.ts'
import { type ConnectableProvider, definitionOf } from './catalogue.ts'
import { RefusedValues } from './check-values.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { integration } from './integration.ts'

/** A provider's answer to credentials: the address or account name they act as, if it says. */
export type TestResult = ToolResult<{ account?: string }>

const testedSchema = z.object({
  ok: z.literal(true),
  data: z.object({ account: z.string().max(400).optional() }),
})

/** Milliseconds for the provider's answer. */
const timeoutMs = 25_000

/** Asks the provider whether it accepts these values: the provider's own function does it, as the user. Stores nothing. */
export async function testValues(
  provider: ConnectableProvider,
  values: Record<string, unknown>,
  secrets: readonly string[],
  { token }: { token: string },
  { functionUrl, fetch: send, env }: Pick<SettingsDependencies, 'functionUrl' | 'fetch' | 'env'>,
): Promise<TestResult> {
  if (provider.function === integration.name) {
    return withoutSecrets(await testModelKey(definitionOf(provider), values.api_key, env, send), secrets)
  }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(functionUrl(`${provider.function}/test-connection`), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ provider: provider.id, values }),
      signal,
    })
    const body = readJsonText(await readText(response, bodyLimits.function))
    const tested = testedSchema.safeParse(body)
    if (tested.success) return withoutSecrets(tested.data as TestResult, secrets)
    if (isWholeToolError(body)) return withoutSecrets(body, secrets)
    if (response.ok || response.status === 404) return notTested(provider, isObject(body))
    return withoutSecrets(
      classifyError(body, { httpStatus: response.status, headers: response.headers, body }),
      secrets,
    )
  } catch (cause) {
    return withoutSecrets(classifyError(cause), secrets)
  }
}

function notTested({ name: provider, function: functionName }: ConnectableProvider, answered: boolean) {
  const values = { provider, function: functionName, isDeployed: !answered }
  return saidError('not_configured', { code: 'connection_not_tested', values }, { resolver: 'nobody' })
}

/** Throws RefusedValues with the provider's reason unless the test succeeded. */
export function requireTested(result: TestResult): { account?: string } {
  if (result.ok) return result.data
  const asked = askedOf(result)
  const fault = faultIn(asked)
  const { action: _, ...details } = { ...result.details, asked: fault ?? asked }
  throw new RefusedValues('connection_test_failed', {
    ...result,
    error: fault?.asked ?? result.error,
    details,
  })
}

/** What is wrong with the connection itself: whoever sees the form need not be sent to it. */
function faultIn({ code, values: { why, whyValues } = {} }: Asked): Asked | undefined {
  if (code !== 'connection_unusable' || typeof why !== 'string') return undefined
  return askedInEnglish({
    code: why as SentenceCode,
    values: isObject(whyValues) ? whyValues : undefined,
  })
}
