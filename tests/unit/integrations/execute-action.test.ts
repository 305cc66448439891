import { expect, it } from 'vitest'
import * as z from 'zod'
import { integrationTool } from '../../../shared/integrations/definition/integration.ts'
import { createExecutor } from '../../../shared/server/integration-function/execute-action.ts'
import type { IntegrationAction } from '../../../shared/server/integration-function/integration-action.ts'

const forecast: IntegrationAction<{ city: string }> = {
  tool: integrationTool({
    name: 'weather_forecast',
    description: 'Forecast for a city.',
    parameters: z.strictObject({ city: z.string() }),
    effect: 'read',
    function: 'weather-api',
    action: 'forecast',
    providers: [],
  }),
  run: async ({ city }, { connection }) => ({ city, connection }),
}

it('runs a tool without providers without looking for a connection or a key', async () => {
  const asked: string[] = []
  const rpc = async (name: string) => void asked.push(name)
  const execute = createExecutor({ rpc, credentialsKeys: undefined })
  const call = { userId: crypto.randomUUID(), args: { city: 'Lisbon' }, argumentHash: 'h' }
  expect(await execute(forecast, call)).toEqual({ ok: true, data: { city: 'Lisbon', connection: undefined } })
  expect(asked).toEqual([])
})
