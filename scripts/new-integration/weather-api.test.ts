import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeIntegration, openIntegration } from '../../support/integration-suite.ts'
import { startScriptedProvider } from '../../support/scripted-provider.ts'
import { createActions } from './weather-api/actions.ts'
import { integration } from './weather-api/integration.ts'

/** Responses as the provider documents them, by path. */
const provider = await startScriptedProvider({
  '/v1/search': { results: [{ name: 'Oslo', country: 'Norway', latitude: 59.91, longitude: 10.75 }] },
  '/v1/forecast': {
    daily: {
      time: ['2027-03-01'],
      temperature_2m_min: [-4.1],
      temperature_2m_max: [2.3],
      precipitation_sum: [0.4],
    },
  },
})

const subject = {
  integration,
  createActions,
  provider,
  env: { WEATHER_API_BASE_URL: provider.url },
  cases: [{ action: 'forecast', params: { city: 'Oslo' }, path: '/v1/forecast' }],
}

describeIntegration(subject)

test('weather_forecast says what the weather of the place will be', async () => {
  await provider.script(undefined, '/')
  const { call } = await openIntegration(subject)
  const { answer } = await call({ action: 'forecast', params: { city: 'oslo' } })
  const day = { date: '2027-03-01', lowest: -4.1, highest: 2.3, rain: 0.4 }
  assert.deepEqual(answer, { ok: true, data: { city: 'Oslo, Norway', days: [day] } })
})

test('weather_forecast asks which city is meant when there is no such place', async () => {
  await provider.script({ status: 200, body: {} }, '/v1/search')
  const { call } = await openIntegration(subject)
  const { answer } = await call({ action: 'forecast', params: { city: 'Olso' } })
  assert.equal(answer.error, 'Question: Which city is "Olso"? There is no such place.')
  assert.equal(answer.resolver, 'model')
  assert.equal(answer.details.parameter, 'city')
})
