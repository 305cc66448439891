import { expect, test } from 'vitest'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-reply.ts'
import {
  failureForms,
  firstQuestions,
  firstUnmarked,
  otherQuestions,
} from '../../../support/tool-questions.ts'

const text = { type: 'string' }
const sentences = [...firstQuestions, ...firstUnmarked, ...otherQuestions]

// A tool that fails with a sentence until it is given a value, and a model that gives it as soon as it has read why.
for (const effect of ['read', 'write'] as const) {
  test.each(Object.keys(failureForms))(
    `of all ${sentences.length} sentences of a ${effect} the model reads each first and answers it at once: %s`,
    async (form) => {
      let sentence = ''
      const tool = recordingTool({
        name: 'do_it',
        effect,
        parameters: { type: 'object', properties: { note: text, value: text } },
        execute: ({ value }) => (value === undefined ? failureForms[form]?.(sentence) : { done: value }),
      })
      await using scenario = await startScenario({ stream: false, tools: [tool], script: [] })
      const notReadFirst: string[] = []
      const notAnswered: string[] = []
      for (sentence of sentences) {
        scenario.use([
          callTool('do_it', { note: 'x' }),
          callTool('do_it', { note: 'x', value: 'y' }),
          say('Done.'),
        ])
        const before = scenario.requests.length
        // Each run is a conversation of its own: what the others did is none of its writes.
        const { status, toolsUsed } = await scenario.run({ ledger: createMemoryLedger() })
        const [, second] = toolsUsed
        if (!scenario.lastToolText(before + 2).includes(sentence)) notReadFirst.push(sentence)
        const isAnswered = status === 'completed' && second?.ok === true && second.attempt === 2
        if (!isAnswered) notAnswered.push(sentence)
        expect(scenario.requests[before + 1]?.body.temperature).toBe(0.7)
      }
      expect({ notReadFirst, notAnswered }).toEqual({ notReadFirst: [], notAnswered: [] })
      expect(tool.runs).toHaveLength(2 * sentences.length)
    },
  )
}
