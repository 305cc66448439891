import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readKeys } from '../../local/data-directory/keys.ts'
import { makeCertificate } from '../../local/inbox/certificate.ts'
import { ticketHeaders } from '../../shared/server/client-calls/between-functions.ts'
import type { CallRequest } from '../../shared/server/client-calls/client-call.ts'
import { startChatProcess } from '../../support/chat-process.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { connectSmtp, expireLeases, giveAgent, signUp } from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { type Message, messagesOf, post } from '../../support/mcp-client.ts'
import {
  answerTo,
  canAsk,
  decide,
  type Program,
  pendingOf,
  programOf,
  signUpForPrograms,
  textOf,
} from '../../support/mcp-program.ts'
import { startPausingProxy } from '../../support/pausing-proxy.ts'
import { pidOf } from '../../support/pid-of.ts'
import { type Stage, smtpPassword, smtpUser, startSmtpServer } from '../../support/smtp-server.ts'
import { startStackFunction } from '../../support/stack-function.ts'
import { useStarted } from '../../support/use-started.ts'

// A process on the way of a call dies wherever it waits for the project: the mail goes out once, and its program is told.

const chat = useStarted(() => startChatStack())
beforeEach(() => chat.stack.inbox.clear())

const send = 'smtp_send_email'
const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello' }
const inInbox = async () => (await chat.stack.inbox.messages()).length
const start = async () => programOf(chat.stack, await signUpForPrograms(chat.stack, 'always'))

/** What dies: its process, and where it is asked. */
type Begin = (project: string, signal: AbortSignal) => Promise<{ pid: number; url: string }>

interface Journey {
  program: Program
  /** Asks the process that dies. */
  act(url: string): Promise<unknown>
  /** What the program sends again afterwards; by default the same call. */
  again?(): Promise<Message>
}

const beginChat: Begin = async (project, signal) => {
  const { pid, url } = await startChatProcess(chat, signal, project)
  return { pid, url: url.replace(/\/v1$/, '') }
}
const beginMcp: Begin = async (url, signal) => {
  const { pid, port } = await startStackFunction({ ...chat.stack, url }, 'mcp', signal)
  return { pid, url: `http://127.0.0.1:${port}/mcp` }
}
/** What sends the mail, and a chat that finds it. */
const beginSmtp: Begin = async (project, signal) => {
  const { pid, port } = await startStackFunction({ ...chat.stack, url: project }, 'smtp-api', signal)
  const gateway = await startPausingProxy(chat.stack.url, {
    '/functions/v1/smtp-api': `http://127.0.0.1:${port}/smtp-api`,
  })
  signal.addEventListener('abort', () => void gateway.close())
  const { url } = await beginChat(gateway.url, signal)
  return { pid, url }
}

/** Kills a process once the project has answered it for the first time, for the second, … until its work is done before. */
async function killAtEach(begin: Begin, prepare: () => Promise<Journey>): Promise<void> {
  for (let nth = 1; ; nth++) {
    await chat.stack.inbox.clear()
    const { program, act, again } = await prepare()
    const proxy = await startPausingProxy(chat.stack.url)
    const ending = new AbortController()
    const victim = await begin(proxy.url, ending.signal)
    const pause = proxy.pauseNext('', nth)
    const acted = Promise.allSettled([act(victim.url)])
    const isHeld = await Promise.race([pause.answered.then(() => true), acted.then(() => false)])
    const about = `${nth}: ${proxy.asked.join(' ')}`
    if (isHeld) process.kill(victim.pid, 'SIGKILL')
    await acted
    ending.abort()
    await proxy.close()
    if (!isHeld) return expect(nth, about).toBeGreaterThan(2)
    await expectOnce(program, about, inInbox, again)
  }
}

/** The program calls again and its user decides, until it was told. */
async function expectOnce(
  program: Program,
  about: string,
  sent: () => Promise<number> | number,
  again: () => Promise<Message> = () => program.call(send, mail),
): Promise<void> {
  for (let calls = 1; calls <= 4; calls++) {
    await expireLeases(chat.stack, program.user.id)
    const said = await again()
    const [item, ...others] = await pendingOf(program.user)
    expect(others, about).toEqual([])
    if (!item || item.reason === 'repetition') {
      if (!item) expect(textOf(said), about).toContain('"accepted":["ada@example.com"]')
      expect(await sent(), about).toBe(1)
      return
    }
    expect(said.result._meta['askback/open'].itemId, about).toBe(item.itemId)
    if (item.reason === 'unknown') return expect(await sent(), about).toBeLessThanOrEqual(1)
    expect(await sent(), about).toBe(0)
    await decide(program.user, 'approve')
  }
  expect.fail(`Nobody is told what became of it. ${about}`)
}

/** Asks a process of the chat as `mcp` does. */
async function callChat(url: string, program: Program, more: Partial<CallRequest> = {}): Promise<Response> {
  const request = {
    userId: program.user.id,
    grantKey: 'token:1',
    program: { name: 'Codex', version: '1' },
    tool: send,
    arguments: mail,
    canAsk: { form: false, url: false },
    waitMs: 20_000,
    ...more,
  }
  return await fetch(`${url}/client-calls`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(await ticketHeaders('client-calls', request, readKeys(chat.stack.dataDirectory).functionSecret)),
    },
    body: JSON.stringify(request),
  })
}

/** The user says yes in the app. */
const sayYes = async ({ user }: Program, url: string) => {
  const [item] = await pendingOf(user)
  return await fetch(`${url}/${item.conversationId}/approval`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(decisionOn(item, 'approve')),
  })
}
const asked = async () => {
  const program = await start()
  const said = await program.call(send, mail, { capabilities: canAsk })
  return { program, said }
}

describe('the chat dies at each answer of the project', { timeout: 240_000 }, () => {
  it('while a call comes to wait', () =>
    killAtEach(beginChat, async () => {
      const program = await start()
      return { program, act: (url) => callChat(url, program) }
    }))

  it('while a yes is carried out', () =>
    killAtEach(beginChat, async () => {
      const { program } = await asked()
      return { program, act: (url) => sayYes(program, url) }
    }))

  it('while a program is told what became of its call', () =>
    killAtEach(beginChat, async () => {
      const { program } = await asked()
      const [{ conversationId, itemId }] = (await pendingOf(program.user)) as [Message]
      await decide(program.user, 'approve')
      const reply = { conversationId, itemId, action: 'accept' } as const
      return { program, act: (url) => callChat(url, program, { reply }) }
    }))

  it('while a form is taken', () =>
    killAtEach(beginChat, async () => {
      const program = await start()
      for (const subject of ['One', 'Two']) await program.call(send, { ...mail, to: undefined, subject })
      const args = { ...mail, to: undefined }
      const said = await program.call(send, args, { capabilities: canAsk })
      const [{ conversationId, itemId }] = (await pendingOf(program.user)) as [Message]
      const content = { to: 'ada@example.com' }
      const reply = { conversationId, itemId, action: 'accept', content } as const
      const more = { canAsk: { form: true, url: false }, arguments: { subject: 'Hi', body: 'Hello' } }
      const canShow = { elicitation: { form: {} } }
      return {
        program,
        act: (url) => callChat(url, program, { reply, ...more }),
        again: () =>
          program.call(send, args, { capabilities: canShow, reply: answerTo(said, 'accept', content) }),
      }
    }))
})

describe('MCP dies at each answer of the project', { timeout: 240_000 }, () => {
  it('while a call comes to wait', () =>
    killAtEach(beginMcp, async () => {
      const program = await start()
      return { program, act: (url) => program.call(send, mail, { url }) }
    }))

  it('while the result is on its way', () =>
    killAtEach(beginMcp, async () => {
      const { program, said } = await asked()
      await decide(program.user, 'approve')
      const reply = answerTo(said, 'accept')
      return { program, act: (url) => program.call(send, mail, { url, capabilities: canAsk, reply }) }
    }))

  it('while a program of 2025 is asked on its stream', () =>
    killAtEach(beginMcp, async () => {
      const program = await start()
      return { program, act: (url) => callOnStream(program, url) }
    }))
})

/** A call of 2025, whose user says yes once the program was asked. */
async function callOnStream({ user, token }: Program, url: string): Promise<void> {
  const begun = await post(
    { url, token },
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: canAsk,
        clientInfo: { name: 'Codex', version: '1' },
      },
    },
  )
  await begun.arrayBuffer()
  const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const call = { id: 2, method: 'tools/call', params: { name: send, arguments: mail } }
  for await (const message of messagesOf(await post({ url, token, headers }, call))) {
    if (message.method !== 'elicitation/create') continue
    await decide(user, 'approve')
    await post({ url, token, headers }, { id: message.id, result: { action: 'accept' } })
  }
}

describe('what sends the mail dies', { timeout: 240_000 }, () => {
  it('at each answer of the project', () =>
    killAtEach(beginSmtp, async () => {
      const { program } = await asked()
      return { program, act: (url) => sayYes(program, url) }
    }))

  const certificate = makeCertificate()
  beforeAll(async () => {
    const { authority } = await certificate
    appendFileSync(join(chat.stack.dataDirectory, 'inbox-authority.pem'), `\n${authority}`)
    const running = chat.stack.pids()['smtp-api']
    if (running) process.kill(running, 'SIGKILL')
  })

  it.each<[Stage, RegExp | undefined]>([
    ['greeting', undefined],
    ['ehlo', /^EHLO/],
    ['starttls', /^STARTTLS/],
    ['auth', /^AUTH/],
    ['mail', /^MAIL/],
    ['rcpt', /^RCPT/],
    ['data', /^DATA/],
    ['message', undefined],
  ])('while it waits for the mail server, at %s', async (stage, command) => {
    const server = await startSmtpServer({ on: { [stage]: ['hang', null] } }, await certificate)
    const user = await signUp(chat.stack)
    await giveAgent(chat.stack, user.id, 'always')
    await connectSmtp(chat.stack, user.id, { port: server.port, user: smtpUser, password: smtpPassword })
    const program = await programOf(chat.stack, user)
    await program.call(send, mail)
    const said = sayYes(program, `${chat.stack.url}/functions/v1/chat`)
    const hasCome = () => {
      if (stage === 'message') return server.mails.length > 0
      return command ? server.commands.some((line) => command.test(line)) : server.connections > 0
    }
    await expect.poll(hasCome, { timeout: 20_000 }).toBe(true)
    process.kill(pidOf(chat.stack.pids(), 'smtp-api'), 'SIGKILL')
    await said
    await expectOnce(program, stage, () => server.mails.length)
    await server.close()
  })
})
