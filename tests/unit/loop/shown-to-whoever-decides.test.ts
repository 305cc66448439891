import { describe, expect, test } from 'vitest'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import type { DecisionEntry } from '../../../shared/engine/transcript/entry.ts'
import type { Language } from '../../../shared/words/language.ts'
import { languageFor } from '../../../shared/words/languages/languages.ts'
import { startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { approvedMail, decide, mail, stored } from './decide.ts'

const german: Language = {
  ...languageFor({ locale: 'de' }),
  tools: {
    send_email: {
      title: 'E-Mail senden',
      fields: { to: { title: 'An' }, subject: { title: 'Betreff' }, body: { title: 'Text' } },
      confirm: '{subject} an {to} senden?',
    },
  },
}
const inGerman =
  '„Meeting“ an „ada@example.com“ senden? (An: „ada@example.com“, Betreff: „Meeting“, Text: „At ten.“)'

const decisionsOf = ({ transcript }: AgentResponse) =>
  transcript.filter((entry): entry is DecisionEntry => entry.type === 'decision')

/** A mail that waits for its approval. */
async function askFirst() {
  const scenario = await startScenario({
    stream: false,
    tools: [approvedMail()],
    script: [callTool('send_email', mail), say('Sent.')],
  })
  const asked = await scenario.run({ input: 'Send Ada an email about the meeting: ada@example.com' })
  return { scenario, asked }
}

describe('a decision', () => {
  test.each(['approve', 'deny'] as const)(
    'to %s keeps the sentence in the language in which it was read',
    async (made) => {
      const { asked, ...rest } = await askFirst()
      await using scenario = rest.scenario
      const response = await scenario.resume({ ...decide(asked, made), reader: german })
      const question = asked.transcript.find(({ type }) => type === 'question')
      expect(decisionsOf(response)).toMatchObject([
        {
          decision: made,
          shown: { code: 'approve', values: { tool: 'Send email' }, language: 'de', sentence: inGerman },
        },
      ])
      expect(question).toMatchObject({ codeValues: decisionsOf(response)[0]?.shown?.values })
    },
  )

  test('stays as it was when it goes on in English, and no model reads it', async () => {
    const { asked, ...rest } = await askFirst()
    await using scenario = rest.scenario
    const sent = await scenario.resume({ ...decide(asked, 'approve'), reader: german })
    const before = stored(asked, sent)
    scenario.use([say('Yes.')])
    await scenario.run({ input: 'Was it sent?', transcript: before })
    expect(before.filter(({ type }) => type === 'decision')).toEqual(
      stored(sent).filter(({ type }) => type === 'decision'),
    )
    expect(JSON.stringify(scenario.requests.map(({ body }) => body))).not.toContain(inGerman)
  })

  test('is kept in English where no language is named, without the mark for models', async () => {
    const { asked, ...rest } = await askFirst()
    await using scenario = rest.scenario
    const [made] = decisionsOf(await scenario.resume(decide(asked, 'approve')))
    expect(made?.shown?.language).toBe('en-GB')
    expect(`Question: ${made?.shown?.sentence}`).toBe(asked.pending?.[0]?.question)
  })
})
