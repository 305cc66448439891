import { existsSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { findDeno } from '../../local/functions/deno-binary.ts'
import { hostedDeno } from '../../scripts/platform.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { connectSmtp, withDatabase } from '../../support/chat-user.ts'
import { last, messagesOf, post } from '../../support/mcp-client.ts'
import { startMcpProcess } from '../../support/mcp-process.ts'
import {
  answerTo,
  canAsk,
  connectedProgram,
  decide,
  type Program,
  pendingOf,
  programOf,
  signUpForPrograms,
  textOf,
} from '../../support/mcp-program.ts'
import { signUpAtApp } from '../../support/oauth-client.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { useStarted } from '../../support/use-started.ts'

// Mails that programs send over MCP, counted at the inbox: none twice, and of none is anybody left in the dark.

const chat = useStarted(() => startChatStack())
beforeEach(() => chat.stack.inbox.clear())

const send = 'smtp_send_email'
const mailTo = (name: string, subject = `Hi ${name}`) => ({
  to: [`${name}@example.com`],
  subject,
  body: 'Hello',
})
const subjects = async () => (await chat.stack.inbox.messages()).map(({ subject }) => subject).sort()
const start = async () => programOf(chat.stack, await signUpForPrograms(chat.stack, 'always'))
const doneBefore = /^Already done at .*; not done again\./

/** A process of MCP whose requests to the project can be kept waiting. */
async function startHeldMcp() {
  const proxy = await startPausingProxy(chat.stack.url)
  const ending = new AbortController()
  const deno = existsSync(hostedDeno) ? hostedDeno : findDeno()
  const stack = { ...chat.stack, url: proxy.url }
  const env = { ASKBACK_PUBLIC_URL: chat.stack.url }
  const { port } = await startMcpProcess(stack, deno, ending.signal, env, 'supabase/functions')
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    proxy,
    async close() {
      ending.abort()
      await proxy.close()
    },
  }
}

describe('a no', () => {
  it('sends nothing, and is told to the program that calls again', async () => {
    const program = await start()
    await program.call(send, mailTo('ada'))
    await decide(program.user, 'deny')
    const again = await program.call(send, mailTo('ada'))
    expect(again.result.isError).toBe(true)
    expect(textOf(again)).toContain('declined')
    expect(await pendingOf(program.user)).toEqual([])
    expect(await subjects()).toEqual([])
  })

  it('is told to the program that waits for it', async () => {
    const program = await start()
    const asked = await program.call(send, mailTo('ada'), { capabilities: canAsk })
    await decide(program.user, 'deny')
    const how = { capabilities: canAsk, reply: answerTo(asked, 'accept') }
    const said = await program.call(send, mailTo('ada'), how)
    expect(said.result.isError).toBe(true)
    expect(textOf(said)).toContain('declined')
    expect(await subjects()).toEqual([])
  })
})

describe('a program that gives no answer', () => {
  it('is told of the one thing that waits, as text, and of what became of it', async () => {
    const program = await start()
    const asked = await program.call(send, mailTo('ada'), { capabilities: canAsk })
    expect(asked.result.resultType).toBe('input_required')
    const again = await program.call(send, mailTo('ada'), { capabilities: canAsk })
    expect(again.result.resultType).toBe('complete')
    const [item, ...others] = await pendingOf(program.user)
    expect(others).toEqual([])
    expect(again.result._meta['askback/open'].itemId).toBe(item.itemId)
    await decide(program.user, 'approve')
    expect(textOf(await program.call(send, mailTo('ada')))).toMatch(doneBefore)
    expect(await subjects()).toEqual(['Hi ada'])
  })

  it('of the revisions of 2025, and comes back with one when it is over, changes nothing', async () => {
    const program = await start()
    const url = `${chat.stack.url}/functions/v1/mcp`
    const { token } = program
    const initialize = {
      protocolVersion: '2025-11-25',
      capabilities: canAsk,
      clientInfo: { name: 'Codex', version: '1' },
    }
    const begun = await post({ url, token }, { id: 1, method: 'initialize', params: initialize })
    await last(begun)
    const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const params = { name: send, arguments: mailTo('ada') }
    const stream = messagesOf(await post({ url, token, headers }, { id: 2, method: 'tools/call', params }))
    const { value: asked } = await stream.next()
    await stream.return(undefined)
    await decide(program.user, 'approve')
    const late = { id: asked.id, result: { action: 'accept' } }
    expect((await post({ url, token, headers }, late)).status).toBe(202)
    expect(textOf(await program.call(send, mailTo('ada')))).toMatch(doneBefore)
    expect(await subjects()).toEqual(['Hi ada'])
  })
})

describe('a state', () => {
  const asked = async (program: Program) => {
    const said = await program.call(send, mailTo('ada'), { capabilities: canAsk })
    return answerTo(said, 'accept')
  }
  const answer = (program: Program, reply: object, args: object = mailTo('ada')) =>
    program.call(send, args, { capabilities: canAsk, reply })

  it('that comes three times at once is answered with the same result', async () => {
    const program = await start()
    const reply = await asked(program)
    await decide(program.user, 'approve')
    const said = await Promise.all([1, 2, 3].map(() => answer(program, reply)))
    for (const { result } of said) {
      expect(result).toMatchObject({ structuredContent: { accepted: ['ada@example.com'] } })
      expect(result.isError).toBeUndefined()
    }
    expect(await subjects()).toEqual(['Hi ada'])
  })

  it('that comes three times at once while its user decides is answered once they have', async () => {
    const program = await start()
    const reply = await asked(program)
    const waiting = Promise.all([1, 2, 3].map(() => answer(program, reply)))
    await decide(program.user, 'approve')
    for (const { result } of await waiting) expect(result.structuredContent).toBeDefined()
    expect(await subjects()).toEqual(['Hi ada'])
  })

  it('with a form that comes three times at once is filled in once', async () => {
    const program = await start()
    for (const subject of ['One', 'Two']) await program.call(send, { subject, body: 'Hello' })
    const args = { subject: 'Three', body: 'Hello' }
    const form = await program.call(send, args, { capabilities: canAsk })
    const reply = answerTo(form, 'accept', { to: 'ada@example.com' })
    await Promise.all([1, 2, 3].map(() => answer(program, reply, args)))
    expect(await pendingOf(program.user)).toHaveLength(1)
    await decide(program.user, 'approve')
    expect(await subjects()).toEqual(['Three'])
  })

  it('is of no use to another user, to another program of the same one, or with other arguments', async () => {
    const program = await start()
    const reply = await asked(program)
    const stranger = await start()
    const other = await programOf(chat.stack, program.user, 'Cursor')
    for (const refused of [
      await answer(stranger, reply),
      await answer(other, reply),
      await answer(program, reply, mailTo('eve')),
      await answer(program, reply, { ...mailTo('ada'), cc: ['eve@example.com'] }),
    ]) {
      expect(refused.error).toMatchObject({ code: -32602, message: 'Invalid requestState' })
    }
    expect(await pendingOf(program.user)).toHaveLength(1)
    expect(await subjects()).toEqual([])
  })

  it('whose item has expired says so, and sends nothing', async () => {
    const program = await start()
    const reply = await asked(program)
    await withDatabase(
      chat.stack,
      (sql) => sql`
        update askback.open_items set expires_at = now() - interval '1 minute' where user_id = ${program.user.id}`,
    )
    const said = await answer(program, reply)
    expect(said.result.resultType ?? 'complete').toBe('complete')
    expect(said.result._meta?.['askback/open']).toBeUndefined()
    expect(said.result.isError).toBe(true)
    expect(textOf(said)).toContain('not open any more')
    expect(await pendingOf(program.user)).toEqual([])
    expect(await subjects()).toEqual([])
  })
})

describe('a result that is cut off on its way', () => {
  /** The user has approved, and the program breaks off while the result is coming. */
  async function cutOff(program: Program) {
    const mcp = await startHeldMcp()
    const asked = await program.call(send, mailTo('ada'), { capabilities: canAsk, url: mcp.url })
    await decide(program.user, 'approve')
    const pause = mcp.proxy.pauseNext('/chat/client-calls')
    const leaving = new AbortController()
    const how = { capabilities: canAsk, url: mcp.url, reply: answerTo(asked, 'accept') }
    const called = program.call(send, mailTo('ada'), { ...how, signal: leaving.signal })
    await pause.answered
    leaving.abort()
    await Promise.allSettled([called])
    pause.release()
    await mcp.close()
  }

  it('is the answer of the same call, which says so to programs that read no text, too', async () => {
    const program = await start()
    await cutOff(program)
    const said = await program.call(send, mailTo('ada'))
    expect(textOf(said)).toMatch(doneBefore)
    expect(said.result.structuredContent).toMatchObject({
      'askback/already_done': expect.stringMatching(doneBefore),
      accepted: ['ada@example.com'],
    })
    expect(await subjects()).toEqual(['Hi ada'])
  })

  it('makes a reworded call ask whether to do it again', async () => {
    const program = await start()
    await cutOff(program)
    const said = await program.call(send, mailTo('ada', 'Hello Ada'))
    expect(said.result._meta['askback/open']).toBeDefined()
    expect(await pendingOf(program.user)).toMatchObject([{ reason: 'repetition' }])
    expect(await subjects()).toEqual(['Hi ada'])
  })

  it.each([
    ['the same', mailTo('ada')],
    ['a reworded', mailTo('ada', 'Hello Ada')],
  ])('sends nothing again by %s call of a program that has registered anew', async (_, again) => {
    const signedUp = await signUpAtApp(chat.stack)
    await connectSmtp(chat.stack, signedUp.user.id)
    await cutOff(await connectedProgram(chat.stack, signedUp, [send]))
    const anew = await connectedProgram(chat.stack, signedUp, [send])
    const said = await anew.call(send, again)
    if (again.subject === 'Hi ada') expect(textOf(said)).toMatch(doneBefore)
    else expect(await pendingOf(signedUp.user)).toMatchObject([{ reason: 'repetition' }])
    expect(await subjects()).toEqual(['Hi ada'])
  })
})

describe('five calls at once', () => {
  it('for different mails wait beside each other, and send each once', async () => {
    const program = await start()
    const names = ['ada', 'ben', 'cem', 'dora', 'eva']
    const said = await Promise.all(names.map((name) => program.call(send, mailTo(name))))
    expect(new Set(said.map(({ result }) => result._meta['askback/open'].itemId)).size).toBe(5)
    await decide(program.user, 'approve')
    expect(await subjects()).toEqual(names.map((name) => `Hi ${name}`))
    const after = await Promise.all(names.map((name) => program.call(send, mailTo(name))))
    for (const one of after) expect(textOf(one)).toMatch(doneBefore)
    expect(await subjects()).toHaveLength(5)
  })

  it('for one mail by five programs are one', async () => {
    const user = await signUpForPrograms(chat.stack, 'always')
    const programs = await Promise.all(
      ['Codex', 'Cursor', 'Claude Code', 'opencode', 'VS Code'].map((name) =>
        programOf(chat.stack, user, name),
      ),
    )
    const call = () => Promise.all(programs.map((program) => program.call(send, mailTo('ada'))))
    await call()
    expect(await pendingOf(user)).toHaveLength(1)
    await decide(user, 'approve')
    const said = await call()
    expect(said.some((one) => doneBefore.test(textOf(one)))).toBe(true)
    expect(await subjects()).toEqual(['Hi ada'])
  })
})

describe('an answer that comes late, while the program is gone', () => {
  /** The program is asked, and breaks off while its user has not decided. */
  async function leftAlone() {
    const program = await start()
    const asked = await program.call(send, mailTo('ada'), { capabilities: canAsk })
    const leaving = new AbortController()
    const reply = answerTo(asked, 'accept')
    const how = { capabilities: canAsk, reply, signal: leaving.signal }
    const waiting = program.call(send, mailTo('ada'), how)
    leaving.abort()
    await Promise.allSettled([waiting])
    const href: string = asked.result.inputRequests.item.params.url
    return { program, reply, href }
  }

  it('in the app sends it once, and the program reads of it when it is back', async () => {
    const { program, reply } = await leftAlone()
    await decide(program.user, 'approve')
    const said = await program.call(send, mailTo('ada'), { capabilities: canAsk, reply })
    expect(said.result.structuredContent).toBeDefined()
    expect(await subjects()).toEqual(['Hi ada'])
  })

  it('on the page sends it once, and the same call reads of it', async () => {
    const { program, href } = await leftAlone()
    const decided = await fetch(`${chat.stack.url}/functions/v1/chat/open/linked`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${program.user.token}`,
        'content-type': 'application/json',
        'x-askback-link': new URL(href).hash.slice(1),
      },
      body: JSON.stringify({ decision: 'approve' }),
    })
    expect(await decided.json()).toMatchObject({ outcome: { status: 'done' } })
    expect(textOf(await program.call(send, mailTo('ada')))).toMatch(doneBefore)
    expect(await subjects()).toEqual(['Hi ada'])
  })
})
