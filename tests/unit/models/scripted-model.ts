import { onTestFinished } from 'vitest'
import {
  createModelClient,
  type ModelClientOptions,
} from '../../../shared/engine/models/create-model-client.ts'
import { testClock } from '../../../support/agent-scenario.ts'
import { type ModelScript, startModelServer } from '../../../support/model-server.ts'

/** A client and the scripted server it asks, which ends with the test. */
export async function start(script: ModelScript, options: Partial<ModelClientOptions> = {}) {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const clock = testClock()
  const model = createModelClient({
    baseURL: server.url,
    apiKey: 'sk-test-0123456789',
    model: 'scripted-model',
    clock,
    ...options,
  })
  return { server, model, clock }
}
