import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAgent } from '../../shared/engine/loop/run-agent.ts'
import { createToolLibrary } from '../../shared/engine/tools/tool-library.ts'
import { createEntryBuffer } from '../../supabase/functions/chat/turn/entry-buffer.ts'
import { collectLateUsage } from '../../supabase/functions/chat/turn/late-usage.ts'

test('usage that comes after an answer corrects the entry it belongs to, once the run is stored', async () => {
  const asked: unknown[] = []
  const kept: Promise<unknown>[] = []
  const buffer = createEntryBuffer()
  const late = collectLateUsage('r', buffer, {
    rpc: async (name: string, args: unknown) => void asked.push([name, args]),
    keepAlive: (work: Promise<unknown>) => void kept.push(work),
  } as never)
  let tell: (said: { usage: { inputTokens: number; outputTokens: number }; cost: number }) => void = () => {}
  const lateUsage = new Promise<{ usage: { inputTokens: number; outputTokens: number }; cost: number }>(
    (resolve) => {
      tell = resolve
    },
  )
  const usage = { inputTokens: 9, outputTokens: 2 }
  const reply = {
    text: 'Hello.',
    toolCalls: [],
    finishReason: 'stop',
    hasChoice: true,
    usage,
    provider: 'p',
    model: 'm',
  }
  await runAgent({
    agent: { name: 'A', instructions: 'Be brief.', tools: [] },
    library: createToolLibrary([]),
    input: 'Hi',
    model: { model: 'm', models: ['m'], complete: async () => ({ ...reply, lateUsage }) },
    onEvent: buffer.add,
    onLateUsage: late.add,
  })
  const sequence = buffer.entries.findIndex(({ type }) => type === 'step-end')
  assert.deepEqual(asked, [])
  late.correct()
  tell({ usage: { inputTokens: 100, outputTokens: 20 }, cost: 0.5 })
  await Promise.all(kept)
  const p_used = { inputTokens: 100, outputTokens: 20, costUsd: 0.5 }
  assert.deepEqual(asked, [['correct_usage', { p_run_id: 'r', p_sequence: sequence, p_used }]])
})
