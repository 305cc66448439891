import { bodyLimits, readJson } from '../../../shared/engine/core/outside-body.ts'
import { type Finding, fail, ok } from '../finding.ts'
import { get, type Services } from './services.ts'

/** Whether the Data API shows our schema. */
export async function checkExposed({ url, publishableKey = '' }: Services): Promise<Finding> {
  const response = await get(`${url}/rest/v1/tools?limit=0`, {
    apikey: publishableKey,
    'accept-profile': 'askback',
  })
  if (!response) return fail(`The Data API at ${url} does not answer within 5 s.`)
  const { code } = (await readJson(response, bodyLimits.command).catch(() => ({}))) as { code?: string }
  // A schema that is not exposed; any other answer, even a refusal, comes from behind that.
  if (response.status === 406 || code === 'PGRST106') {
    return fail(
      'The Data API does not expose the schema "askback". Add it in the dashboard: Project Settings, Data API, Exposed schemas.',
    )
  }
  return ok('The Data API exposes the schema "askback"')
}
