import { describe, expect, test } from 'vitest'
import { isToolError, toolError } from '../../../shared/engine/core/tool-error.ts'
import { classifyError } from '../../../shared/engine/failures/classify-error.ts'
import type { ToolDefinition } from '../../../shared/engine/tools/define-tool.ts'
import { recordingTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-reply.ts'
import type { ModelScript } from '../../../support/model-server.ts'

type Arguments = Record<string, unknown>

const call = (title: string) => callTool('add_event', { title })

/** A tool that fails like this, and how the run went. */
async function run(
  execute: ToolDefinition<Arguments>['execute'],
  script: ModelScript,
  effect: 'read' | 'write' = 'read',
) {
  const tool = recordingTool({
    name: 'add_event',
    title: 'Add event',
    effect,
    parameters: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
    execute,
  })
  await using scenario = await startScenario({ stream: false, tools: [tool], script })
  const response = await scenario.run()
  return {
    response,
    runs: tool.runs.length,
    heard: scenario.requests.slice(1).map((_, index) => scenario.lastToolText(index + 2)),
  }
}

const fails = (error: string) => () => ({ success: false, error })

describe('an error that says nothing of itself is read as it is', () => {
  test.each(['The folder is missing', 'Busy', 'Der Ordner fehlt', 'No room for "Standup" today.'])(
    '%s',
    async (sentence) => {
      for (const effect of ['read', 'write'] as const) {
        const { response, heard, runs } = await run(fails(sentence), [call('a'), say('It failed.')], effect)
        const told = effect === 'write' ? '\n\nNot done: Add event (title: "a").' : ''
        expect(response).toMatchObject({ status: 'completed', text: `It failed.${told}` })
        expect(response.toolsUsed[0]?.error).toMatchObject({
          errorType: 'execution_error',
          resolver: 'nobody',
        })
        expect(heard[0]).toContain(sentence)
        expect(heard[0]).toContain('you may change the call once; otherwise tell the user')
        expect(heard[0]).not.toMatch(/does not help|every required value|No reason was given/)
        expect(runs).toBe(1)
      }
    },
  )

  test('without its secrets and paths', async () => {
    const { heard } = await run(fails('No key sk-live-4f9d8c7b6a5e4d3c2b1a in /srv/app/keys.json'), [
      call('a'),
      say('No.'),
    ])
    expect(heard[0]).toContain('failed. Reason given: "No key *** in …"')
  })
})

describe('the model may call once more', () => {
  test.each([['a read', 'read'] as const, ['a write that says that it failed', 'write'] as const])(
    '%s, and no more',
    async (_, effect) => {
      const script = [call('a'), call('b'), call('b'), say('It failed twice.')]
      const { response, runs, heard } = await run(fails('Busy'), script, effect)
      expect([response.status, runs]).toEqual(['completed', 2])
      expect(heard[1]).toContain('Do not call it again; tell the user.')
    },
  )

  test('and when that works it is done', async () => {
    const execute = ({ title }: Arguments) => (title === 'b' ? 'done' : { success: false, error: 'Only b.' })
    const { response } = await run(execute, [call('a'), call('b'), say('Done.')], 'write')
    expect(response.toolsUsed.map(({ ok, attempt }) => [ok, attempt])).toEqual([
      [false, 1],
      [true, 2],
    ])
  })

  test('but not after a mistake of the program', async () => {
    const execute = () => {
      throw new TypeError("Cannot read properties of undefined (reading 'id')")
    }
    const { response, heard, runs } = await run(execute, [call('a'), call('a'), say('It is broken.')])
    expect([response.status, runs]).toEqual(['completed', 1])
    expect(heard[0]).toContain('Do not call it again; tell the user.')
  })

  test('and never where a write may have run', async () => {
    const execute = () => {
      throw new Error('Busy')
    }
    const { response, runs } = await run(execute, [call('a'), say('Hm.')], 'write')
    expect([response.status, runs]).toEqual(['needs_approval', 1])
    expect(response.toolsUsed[0]?.error?.errorType).toBe('outcome_unknown')
  })
})

describe('after three attempts', () => {
  const three = [call('a'), call('b'), call('c'), say('It wants to know more.')]

  test('a question that names no parameter is asked in the model’s words', async () => {
    const { response, runs } = await run(fails('Question: Jetzt bezahlen?'), three)
    expect(response).toMatchObject({ status: 'completed', text: 'It wants to know more.' })
    expect([runs, response.pending]).toEqual([3, undefined])
  })

  test('one that names a parameter is a form', async () => {
    const execute = () => ({ success: false, error: 'Question: Welcher?', parameter: 'title' })
    const { response } = await run(execute, three)
    expect(response).toMatchObject({
      status: 'needs_input',
      pending: [{ question: 'Add event asks: Welcher?', schema: { required: ['title'] } }],
    })
  })
})

test('`resolver: "user"` is the user’s at once, also when it is returned', async () => {
  const error = 'Question: Welcher?'
  const execute = () => ({ success: false, error, parameter: 'title', resolver: 'user' })
  const { response, runs } = await run(execute, [call('a'), call('b'), say('Hm.')])
  expect([response.status, runs]).toEqual(['needs_input', 1])
})

test('isToolError is true for what others return, and for no odd member of ours', () => {
  expect(isToolError({ ok: false, error: 'no' })).toBe(true)
  expect(isToolError({ ok: false, error: '', details: {} })).toBe(true)
  expect(isToolError(toolError('timeout', 'It took too long.'))).toBe(true)
  for (const value of [
    { ok: true, error: 'no' },
    { ok: false, error: {} },
    { ok: false, error: 'no', errorType: 'odd' },
    { ok: false, error: 'no', resolver: 'me' },
    { ok: false, error: 'no', details: null },
    { error: 'no' },
    'no',
    null,
  ])
    expect(isToolError(value)).toBe(false)
})

describe('a tool’s own sentence counts in every script', () => {
  const sentences = [
    '都市名が必要です。',
    'ケルンには配達できません',
    '該城市不存在',
    '도시가 없습니다',
    'Город не указан',
    'يجب تحديد المدينة',
    'शहर का नाम ज़रूरी है।',
    'ต้องระบุเมือง',
    'Η πόλη λείπει',
    'חסרה עיר',
  ]

  test.each(sentences)('for the model: %s', async (sentence) => {
    const thrown = () => {
      throw new Error(sentence)
    }
    for (const execute of [thrown, fails(sentence)]) {
      const { heard } = await run(execute, [call('a'), say('It failed.')])
      expect(heard[0]).toContain(sentence)
      expect(heard[0]).not.toContain('No reason was given')
    }
  })

  test.each(sentences)('and for people, beside a status: %s', (sentence) => {
    const error = classifyError({ message: sentence }, { toolName: 'add_event', httpStatus: 403 })
    expect(error.error).toContain(sentence.replace(/[。।]$/, ''))
    expect(error.error).not.toMatch(/[。।]"/)
  })

  test('and is cut behind its first words, not before them', async () => {
    const long = `Question: Validation errors: - Parameter ${'都市「ケルン」は注文できません。配達地域は東京都のみです。'.repeat(6)}`
    const { heard } = await run(fails(long), [call('a'), say('It failed.')])
    expect(heard[0]).toContain('Parameter 都市「ケルン」は注文できません。')
  })

  test('and names a parameter by its title', async () => {
    const tool = { name: 'order', description: 'Orders.', effect: 'read' as const, parameters: titled }
    const error = classifyError(
      { message: '配達先の都市が無効です。' },
      { tool, args: { city: 'x', size: 'L' }, thrown: false, effectBegan: false, httpStatus: 400 },
    )
    expect(error.details.parameter).toBe('city')
  })
})

const titled = {
  type: 'object',
  properties: { city: { type: 'string', title: '都市' }, size: { type: 'string', title: 'サイズ' } },
}

describe('only the tool’s words name a parameter, never ours around them', () => {
  const callOf = (name: string) => {
    const parameters = { type: 'object', properties: { [name]: { type: 'string' } } }
    const tool = { name: 'order', description: 'Orders.', effect: 'read' as const, parameters }
    return { tool, args: {}, thrown: false, effectBegan: false }
  }
  const ourWords = ['given', 'correct', 'added', 'check', 'changed', 'current_state', 'required_value']

  test.each(['The oven is off', 'Kein Platz', 'オーブンが故障しています', ''])('%s', (sentence) => {
    for (const call of ourWords.map(callOf)) {
      for (const httpStatus of [400, 404, 409, 422, 500]) {
        // A function between the tool and the loop has put the sentence into one of ours.
        const passedOn = classifyError({ message: sentence }, { ...call, httpStatus })
        expect(classifyError(passedOn, call).details.parameter).toBeUndefined()
      }
    }
  })

  test('but its own', () => {
    const call = callOf('reason')
    const passedOn = classifyError({ message: 'The reason is too short' }, { ...call, httpStatus: 400 })
    expect(classifyError(passedOn, call).details.parameter).toBe('reason')
  })
})
