import { expect, test } from 'vitest'
import type { AgentResponse } from '../../../shared/engine/loop/run/agent-response.ts'
import { createMemoryLedger } from '../../../shared/engine/loop/run/memory-ledger.ts'
import { mailTool, startScenario } from '../../../support/agent-scenario.ts'
import { callTool, say } from '../../../support/model-server.ts'
import { approvalOf, stored } from './decide.ts'
import { plainAndStreamed } from './plain-and-streamed.ts'

const mail = { to: 'ada@example.com', subject: 'Meeting', body: 'At ten.' }

plainAndStreamed('a write whose outcome is unknown twice', (stream) => {
  const talk = async () => {
    let tries = 0
    const tool = mailTool({
      execute: () => {
        if (++tries <= 2) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' })
        return { done: tries }
      },
    })
    const ledger = createMemoryLedger()
    const scenario = await startScenario({ stream, tools: [tool], script: [] })
    const before: AgentResponse[] = []
    const add = (response: AgentResponse) => {
      before.push(response)
      return response
    }
    return {
      tool,
      async write(input: string) {
        scenario.use([callTool('send_email', mail), say('Done.')])
        return add(await scenario.run({ input, ledger, transcript: stored(...before) }))
      },
      async again(response: AgentResponse) {
        scenario.use([say('Done.')])
        const approval = approvalOf(response, 'approve')
        return add(await scenario.resume({ transcript: stored(...before), approval, ledger }))
      },
      [Symbol.asyncDispose]: () => scenario[Symbol.asyncDispose](),
    }
  }
  const words = ({ pending }: AgentResponse) => pending?.[0]?.question

  test('keeps its key once, and the next card says that it may be done twice', async () => {
    await using chat = await talk()
    const first = await chat.write('Write to ada@example.com')
    expect(words(first)).not.toContain('twice')
    const second = await chat.again(first)
    expect(second.pending).toMatchObject([{ code: 'outcome_unknown', codeValues: { isSecond: true } }])
    expect(words(second)).toContain('That was the second try, so doing it again may do it twice.')
    expect((await chat.again(second)).status).toBe('completed')
    const [a, b, c] = chat.tool.keys
    expect(b).toBe(a)
    expect(c).not.toBe(a)
  })

  test('is told of in a later message, too', async () => {
    await using chat = await talk()
    await chat.again(await chat.write('Write to ada@example.com'))
    const later = await chat.write('Write to ada@example.com again')
    expect(later.pending?.[0]).toMatchObject({
      code: 'approve_after_unknown',
      codeValues: { isSecond: true },
    })
    expect(words(later)).toContain('may do it twice')
  })
})
