import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ToolModelUse } from '../../shared/engine/core/tool-specification.ts'
import { modelUseHeaders } from '../../shared/server/integration-function/model-use.ts'
import { createToolExecutors } from '../../supabase/functions/chat/turn/tool-executor.ts'

const use: ToolModelUse = {
  purpose: 'summary',
  provider: 'openai',
  model: 'gpt-5 · für alle',
  usage: { inputTokens: 100, outputTokens: 10 },
  durationMs: 5,
}

/** What a run hears of the models that a tool says it has asked. */
async function usedBy(
  catalogue: boolean,
  body: object,
  headers: Record<string, string>,
): Promise<ToolModelUse[]> {
  const used: ToolModelUse[] = []
  const specification = {
    name: 'scrape_and_summarize',
    description: 'Reads.',
    parameters: { type: 'object' },
    effect: 'read' as const,
  }
  const tool = {
    specification,
    approval: 'never' as const,
    function: 'web-search-api',
    action: 'scrape_and_summarize',
    source: catalogue ? ('askback' as const) : ('application' as const),
    providers: [],
  }
  const library = createToolExecutors([tool], {
    functionUrl: (route) => `http://functions/${route}`,
    agentId: 'agent',
    headersFor: async () => ({}),
    findOutcome: async () => 'unknown',
    fetch: async () => Response.json(body, { headers }),
  })
  await Promise.resolve(
    library.get(specification.name)?.execute(
      {},
      {
        signal: new AbortController().signal,
        idempotencyKey: 'k',
        attempt: 1,
        effectBegins: () => {},
        usedModel: (one) => used.push(one),
      },
    ),
  ).catch(() => {})
  return used
}

const success = { ok: true, data: { pages: [] } }
const failure = { ok: false, error: 'Down.', errorType: 'unavailable', resolver: 'time', details: {} }

test('a run hears what our functions have asked a model, also when they failed', async () => {
  assert.deepEqual(await usedBy(true, success, modelUseHeaders([use, use])), [use, use])
  assert.deepEqual(await usedBy(true, failure, modelUseHeaders([use])), [use])
  assert.deepEqual(await usedBy(true, success, modelUseHeaders([])), [])
})

test('what a foreign tool says of models counts nothing, and nor does the body of any', async () => {
  assert.deepEqual(await usedBy(false, success, modelUseHeaders([use])), [])
  const told = { ok: true, data: { usage: use.usage }, usage: use.usage, modelCalls: [use] }
  assert.deepEqual(await usedBy(true, told, {}), [])
})

test('a header that we did not write counts nothing, and loses no result', async () => {
  const bad = [
    '',
    '%',
    '[]',
    'null',
    encodeURIComponent(JSON.stringify([{ ...use, usage: { inputTokens: -5, outputTokens: 1 } }])),
  ]
  for (const value of bad) assert.deepEqual(await usedBy(true, success, { 'x-askback-model-use': value }), [])
})
