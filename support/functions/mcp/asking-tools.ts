import { text } from './media.ts'
import { accepted, form, inWords, roots, sample, sampled } from './questions.ts'
import type { FixtureTool } from './tools.ts'

type Outcome = ReturnType<FixtureTool['run']>

const name = { name: { type: 'string' } }
const ok = { ok: { type: 'boolean' } }

/** A tool that asks with one form and repeats the answer. */
const asksOnce = (
  message: string,
  properties: Record<string, Record<string, unknown>>,
  words: string,
  required?: string[],
): FixtureTool => ({
  async run({ message: given }, { answers }) {
    const answer = inWords(answers, 'form')
    if (answer !== undefined) return { content: [text(`${words}: ${answer}`)] }
    return { ask: { form: form(String(given ?? message), properties, required) } }
  },
})

const asksWithState: FixtureTool = {
  async run(_, { answers, state }) {
    if (state === 'asked' && accepted(answers, 'confirm')) return { content: [text('state-ok')] }
    return { ask: { confirm: form('Please confirm', ok, ['ok']) }, state: 'asked' }
  },
}

const titled = (...pairs: [value: string, title: string][]) =>
  pairs.map(([value, title]) => ({ const: value, title }))
const options = ['option1', 'option2', 'option3']

export const askingTools: Record<string, FixtureTool> = {
  test_sampling: {
    properties: { prompt: { type: 'string' } },
    async run({ prompt }, { answers }) {
      const said = sampled(answers, 'model')
      if (said !== undefined) return { content: [text(`LLM response: ${said}`)] }
      return { ask: { model: sample(String(prompt)) } }
    },
  },
  test_elicitation: {
    properties: { message: { type: 'string' } },
    ...asksOnce(
      'Who are you?',
      { username: { type: 'string' }, email: { type: 'string' } },
      'User response',
      ['username', 'email'],
    ),
  },
  test_elicitation_sep1034_defaults: asksOnce(
    'Please review these',
    {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    'Elicitation completed',
  ),
  test_elicitation_sep1330_enums: asksOnce(
    'Please choose',
    {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: {
        type: 'string',
        oneOf: titled(['value1', 'First Option'], ['value2', 'Second Option'], ['value3', 'Third Option']),
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: {
        type: 'array',
        items: {
          anyOf: titled(['value1', 'First Choice'], ['value2', 'Second Choice'], ['value3', 'Third Choice']),
        },
      },
    },
    'Elicitation completed',
  ),
  test_missing_capability: { run: async () => ({ ask: { model: sample('Anything') } }) },
  test_streaming_elicitation: {
    async run(_, { tellProgress }) {
      await tellProgress(1, 2)
      return { ask: { confirm: form('Please confirm', ok, ['ok']) } }
    },
  },
  test_input_required_result_elicitation: {
    async run(_, { answers }) {
      const given = accepted(answers, 'user_name')?.name
      if (typeof given === 'string') return { content: [text(`Hello, ${given}!`)] }
      return { ask: { user_name: form('What is your name?', name, ['name']) } }
    },
  },
  test_input_required_result_sampling: {
    async run(_, { answers }) {
      const said = sampled(answers, 'capital_question')
      if (said !== undefined) return { content: [text(said)] }
      return { ask: { capital_question: sample('What is the capital of France?') } }
    },
  },
  test_input_required_result_list_roots: {
    async run(_, { answers }) {
      const answer = answers?.client_roots
      if (answer?.kind === 'roots') return { content: [text(JSON.stringify(answer.roots))] }
      return { ask: { client_roots: roots } }
    },
  },
  test_input_required_result_request_state: asksWithState,
  test_input_required_result_tampered_state: asksWithState,
  test_input_required_result_multiple_inputs: {
    async run(_, { answers, state }) {
      const given = accepted(answers, 'user_name')?.name
      const greeting = sampled(answers, 'greeting')
      const isWhole = given !== undefined && greeting !== undefined && answers?.client_roots?.kind === 'roots'
      if (state === 'asked' && isWhole) return { content: [text(`${greeting}, ${given}`)] }
      return {
        ask: {
          user_name: form('What is your name?', name, ['name']),
          greeting: sample('Generate a greeting', 50),
          client_roots: roots,
        },
        state: 'asked',
      }
    },
  },
  test_input_required_result_multi_round: {
    async run(_, { answers, state }): Outcome {
      const color = accepted(answers, 'step2')?.color
      const first = (state as { name?: unknown } | undefined)?.name ?? accepted(answers, 'step1')?.name
      if (first === undefined) {
        return { ask: { step1: form('Step 1: What is your name?', name, ['name']) }, state: { round: 1 } }
      }
      if (color !== undefined) return { content: [text(`${first} likes ${color}`)] }
      const colors = { color: { type: 'string' } }
      return {
        ask: { step2: form('Step 2: What is your favorite color?', colors, ['color']) },
        state: { round: 2, name: String(first) },
      }
    },
  },
  test_input_required_result_capabilities: {
    async run(_, { client, answers }): Outcome {
      if (answers) return { content: [text('Thank you')] }
      const { elicitation, sampling } = client.capabilities
      return {
        ask: {
          ...(elicitation && { confirm: form('Please confirm', ok, ['ok']) }),
          ...(sampling && { model: sample('Anything') }),
        },
      }
    },
  },
}
