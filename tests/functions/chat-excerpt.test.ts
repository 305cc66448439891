import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UserMessage } from '../../shared/engine/transcript/entry.ts'
import { findBeginnings, findInTitle, makeExcerpt } from '../../supabase/functions/chat/answer/excerpt.ts'
import type { LoadedTurn } from '../../supabase/functions/chat/turn/loaded-turn.ts'
import {
  chooseTitleModel,
  nameConversation,
  readTitle,
} from '../../supabase/functions/chat/turn/name-conversation.ts'
import words from '../../support/searched-words.json' with { type: 'json' }

const found = ({ text, ranges }: { text: string; ranges: [number, number][] }) =>
  ranges.map(([from, to]) => text.slice(from, to))

test('an excerpt is one line around the first word that was found', () => {
  const whole = `${'Before it was long. '.repeat(20)}\n\nThe budget\tfor Lisbon.\n${'After it was longer. '.repeat(20)}`
  const excerpt = makeExcerpt(whole, ['budget', 'lisb'])
  assert.deepEqual(found(excerpt), ['budget', 'Lisb'])
  assert.match(excerpt.text, /^….* The budget for Lisbon\. After .*…$/)
  assert.ok(excerpt.text.length <= 162)
})

test('an excerpt of a short text is all of it', () => {
  assert.deepEqual(makeExcerpt(' We meet\nin Lisbon. ', ['lis']), {
    text: 'We meet in Lisbon.',
    ranges: [[11, 14]],
  })
  assert.deepEqual(makeExcerpt('', ['lis']), { text: '', ranges: [] })
})

test('an excerpt never ends within a character, also where there are no blanks', () => {
  for (let length = 0; length < 4; length++) {
    const { text } = makeExcerpt(`${'x'.repeat(length)}${'😀'.repeat(300)} lisbon ${'😀'.repeat(300)}`, [
      'lisbon',
    ])
    assert.ok(text.isWellFormed(), text)
    assert.match(text, /lisbon/)
  }
})

test('what looks like markup is text, and ranges point into it', () => {
  const { text, ranges } = makeExcerpt('<mark>budget</mark> <img src=x onerror=alert(1)>', ['budget'])
  assert.equal(text, '<mark>budget</mark> <img src=x onerror=alert(1)>')
  assert.deepEqual(ranges, [[6, 12]])
})

test('words are found by their beginning, the longer of two that fit', () => {
  assert.deepEqual(findBeginnings('Budget, budgets, rebudget', ['bud', 'budget']), [
    [0, 6],
    [8, 14],
  ])
  assert.deepEqual(findBeginnings('ÜBERGANG', ['über']), [[0, 4]])
})

test('whatever the database finds is marked, in texts and in titles', () => {
  for (const [text = '', query = '', marked] of words.found) {
    const [inText, inTitle] = [findBeginnings(text, [query]), findInTitle(text, [query])]
    assert.deepEqual([text, query, found({ text, ranges: inText }).join('|')], [text, query, marked])
    assert.deepEqual([text, query, found({ text, ranges: inTitle })[0]], [text, query, marked])
  }
  for (const [text = '', query = ''] of words.not)
    assert.deepEqual([text, query, findBeginnings(text, [query])], [text, query, []])
})

test('titles are searched in the middle of words too', () => {
  assert.deepEqual(findInTitle('日本語の予算', ['予算']), [[4, 6]])
  assert.deepEqual(findInTitle('100% İstanbul', ['%', 'bul', '']), [
    [3, 4],
    [10, 13],
  ])
  assert.deepEqual(findInTitle('100% sure', ['%']), [[3, 4]])
})

test('a title is the first line of what a model says, without what stands around it', () => {
  assert.equal(readTitle('"A trip to Lisbon."\nIt is about …'), 'A trip to Lisbon')
  assert.equal(readTitle('  **Ausflug nach Köln**'), 'Ausflug nach Köln')
  assert.equal(readTitle('Pay \u202egnp.exe now'), 'Pay gnp.exe now')
  assert.equal(readTitle('x'.repeat(81)), '')
  assert.equal(readTitle(' \n'), '')
})

test('conversations are named by the cheapest model of the provider that answered, with the key that it had', () => {
  const key = { provider: 'anthropic', name: 'Anthropic', apiKey: 'sk-ant-own', connectionId: 'c' }
  const named = (settings: Record<string, string>, provider?: string, keys = [key]) =>
    chooseTitleModel(settings, { text: 'Hi', provider, keys })
  assert.deepEqual(named({}, 'anthropic'), {
    preference: { provider: 'anthropic', model: 'claude-haiku-4-5' },
    keys: [key],
  })
  assert.deepEqual(named({ OPENAI_API_KEY: 'sk-test' }, 'openai')?.preference.model, 'gpt-4.1-nano')
  const mine = { ASKBACK_TITLE_MODEL: 'groq/llama-3.1-8b-instant', GROQ_API_KEY: 'gsk_test' }
  assert.deepEqual(named(mine, 'anthropic'), {
    preference: { provider: 'groq', model: 'llama-3.1-8b-instant' },
    keys: [],
  })
})

test("nothing names conversations at an operator's own server, in the demo, and where it is switched off", () => {
  const named = (settings: Record<string, string>, provider?: string) =>
    chooseTitleModel(settings, { text: 'Hi', provider, keys: [] })
  assert.equal(named({ ASKBACK_TITLE_MODEL: 'none', OPENAI_API_KEY: 'sk-test' }, 'openai'), undefined)
  assert.equal(named({ OPENAI_BASE_URL: 'http://127.0.0.1:8080/v1' }, 'any'), undefined)
  assert.equal(named({ OLLAMA_BASE_URL: 'http://127.0.0.1:11434/v1' }, 'ollama'), undefined)
  // A server that is named after a provider, and has none of its models.
  assert.equal(
    named({ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: 'https://llm.example.com' }, 'openai'),
    undefined,
  )
  assert.equal(named({ OPENAI_API_KEY: 'sk-test' }), undefined)
})

test('no model is asked for a title where the budget is used up', async () => {
  const said = { type: 'user-message', content: 'Hello' } as UserMessage
  const turn = { conversationId: 'c', runId: 'r', agent: { id: 'a' } } as LoadedTurn
  const asked: unknown[] = []
  await nameConversation(
    turn,
    'u',
    [said],
    { text: 'Hi', provider: 'openai', keys: [] },
    {
      rpc: async (...call) => {
        asked.push(call)
        return 0
      },
      modelSettings: { ASKBACK_TITLE_MODEL: 'any' },
      createModel: () => {
        asked.push('model')
        throw new Error('No model.')
      },
    },
  )
  assert.deepEqual(asked, [['draw_model_calls', { p_user_id: 'u', p_agent_id: 'a', p_calls: 1 }]])
})
