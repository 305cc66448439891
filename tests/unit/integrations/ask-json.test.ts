import { expect, test } from 'vitest'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import { askJson } from '../../../shared/integrations/network/ask-json.ts'

test.each([
  [undefined, 'its base URL is "undefined"'],
  ['', 'it has no base URL'],
])('a provider whose base URL is %j is not set up, which is no outage', async (base, problem) => {
  const failure = await askJson(`${base}/v1/search?key=secret`, {
    signal: AbortSignal.timeout(5000),
  }).catch((error) => classifyError(error, { toolName: 'weather_forecast' }))
  expect(failure).toEqual({
    ok: false,
    error: `This service is not set up here: ${problem}. Whoever runs it has to set one.`,
    errorType: 'not_configured',
    resolver: 'nobody',
    details: { asked: { code: 'base_url_missing', values: { base: `${base}` } } },
  })
})
