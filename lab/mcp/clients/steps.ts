import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Asked, CallResult, Mode, Reply } from './client.ts'
import { type Scene, send, textOf } from './scene.ts'

/** Something that a client does and its user sees; it throws where that is not as it should be. */
export interface Step {
  what: string
  run(scene: Scene): Promise<void>
  /** Whether a client can do it. */
  isFor?(scene: Scene): boolean
  /** Its client may find fault with it. */
  breaks?: boolean
}

const alreadyDone = /^Already done at \S+; not done again\./

export const steps: readonly Step[] = [
  { what: 'lets its user sign in', run: signIn, isFor: ({ client }) => client.signIn !== undefined },
  { what: 'lists the tools by their titles', run: listTools },
  { what: 'reads', run: read },
  { what: 'is told how to correct a call', run: correct },
  { what: 'shows an approval', run: approveInForm, isFor: ({ modes }) => modes.includes('form') },
  { what: 'opens the page of an approval', run: approveOnPage, isFor: ({ modes }) => modes.includes('url') },
  { what: 'is given the link of an approval', run: approveByLink },
  { what: 'repeats a call', run: repeat },
  { what: 'asks the agent', run: askAgent },
  { what: 'is cut off and calls again', run: callAgain, breaks: true },
]

async function signIn(scene: Scene): Promise<void> {
  const { client, person, stage } = scene
  const url = `${stage.stack.url}/functions/v1/mcp`
  scene.token = (await client.signIn?.(url, person.consent)) ?? ''
  ok(scene.token, 'It has no token.')
}

async function listTools({ client, connect }: Scene): Promise<void> {
  await connect([])
  const tools = await client.tools()
  const titles = new Map(tools.map(({ name, title }) => [name, title]))
  ok(titles.has(send) && titles.has('ask_agent'), `Missing in: ${[...titles.keys()]}`)
  for (const [name, title] of titles) ok(title && title !== name, `${name} has the title ${title}.`)
}

async function read({ client, connect }: Scene): Promise<void> {
  await connect([])
  const result = await client.call('schedules_list', {})
  equal(result.isError ?? false, false, textOf(result))
  deepEqual(JSON.parse(textOf(result)), result.structuredContent)
}

/** It sends the call as it was told to, with what was missing. */
async function correct(scene: Scene): Promise<void> {
  const { client, connect, mailOf, sent } = scene
  const mail = mailOf('corrected')
  const { to, ...others } = mail
  await connect([])
  const refused = await client.call(send, others)
  equal(refused.isError, true, textOf(refused))
  match(textOf(refused), /^Question: .*\n.*attempt 1 of 3/)
  const [, call = ''] = /^Call it again like this.*?(\{.*\})$/m.exec(textOf(refused)) ?? []
  linkIn(await client.call(send, { ...JSON.parse(call), to }))
  equal(await sent(mail), 0)
}

async function approveInForm(scene: Scene): Promise<void> {
  const { client, connect, person, modes, mailOf } = scene
  await person.letShowApprovals(true)
  await connect(modes, sayYes(scene, 'form'))
  await expectSent(scene, 'shown', await client.call(send, mailOf('shown')))
}

async function approveOnPage(scene: Scene): Promise<void> {
  const { client, connect, person, modes, mailOf } = scene
  if (modes.includes('form')) await person.letShowApprovals(false)
  await connect(modes, sayYes(scene, 'url'))
  await expectSent(scene, 'opened', await client.call(send, mailOf('opened')))
}

async function approveByLink(scene: Scene): Promise<void> {
  const { client, connect, person, mailOf, sent } = scene
  const mail = mailOf('linked')
  await connect([])
  const waiting = await client.call(send, mail)
  equal(await sent(mail), 0)
  await person.approveAt(linkIn(waiting))
  const said = await client.call(send, mail)
  expectKept(said)
  await expectSent(scene, 'linked', said)
}

/** The result of the same call has arrived before. */
async function repeat(scene: Scene): Promise<void> {
  const { client, connect, person, modes, mailOf, sent } = scene
  const mail = mailOf('linked')
  await until(person.wasTold)
  await connect(modes)
  const said = await client.call(send, mail)
  match(textOf(said), /Not done/)
  const items = (await person.pending()).filter(({ reason }) => reason === 'repetition')
  equal(items.length, 1, textOf(said))
  equal(await sent(mail), 1)
}

/** The result of a mail that was approved is cut off on its way. */
async function callAgain(scene: Scene): Promise<void> {
  const { client, connect, person, modes, stage, mailOf } = scene
  const mail = mailOf('again')
  const isAsked = modes.length > 0
  await connect(modes, sayYes(scene))
  if (!isAsked) await person.approveAt(linkIn(await client.call(send, mail)))
  const cut = stage.cut(isAsked ? 2 : 1)
  // Some clients give up, others wait for ever.
  const ended = client.call(send, mail).then(
    (result) => Promise.reject(new Error(`It was not cut off: ${textOf(result)}`)),
    () => cut,
  )
  await Promise.race([cut, ended])
  const said = await client.call(send, mail)
  expectKept(said)
  await expectSent(scene, 'again', said)
  await until(person.wasTold)
}

async function askAgent({ client, connect }: Scene): Promise<void> {
  await connect([])
  const ask = async (args: Record<string, unknown>) => {
    const result = await client.call('ask_agent', args)
    equal(result.isError ?? false, false, textOf(result))
    const { answer, conversation } = result.structuredContent ?? {}
    ok(typeof answer === 'string' && answer !== '', textOf(result))
    return conversation
  }
  const conversation = await ask({ message: 'Hello' })
  ok(conversation, 'It is not told the conversation.')
  equal(await ask({ message: 'And now?', conversation }), conversation)
}

/** Its user says yes to whatever is asked, on the page or in the form. `mode`: how it has to be asked. */
function sayYes({ person }: Scene, mode?: Mode) {
  return async ({ mode: asked, url = '', message, requestedSchema }: Asked): Promise<Reply> => {
    if (mode) equal(asked, mode, message)
    if (asked === 'url') {
      await person.approveAt(url)
      return { action: 'accept' }
    }
    ok(requestedSchema?.properties.approve, message)
    return { action: 'accept', content: { approve: true } }
  }
}

/** The page that the client's model is to name to its user. */
function linkIn(said: CallResult): string {
  const [link] = /https?:\/\/\S+#[\w-]+/.exec(textOf(said)) ?? []
  ok(link, textOf(said))
  return link
}

/** A mail was sent once, and its client has the result. */
async function expectSent({ mailOf, sent }: Scene, step: string, said: CallResult): Promise<void> {
  const mail = mailOf(step)
  deepEqual(said.structuredContent?.accepted, mail.to, textOf(said))
  equal(await sent(mail), 1)
}

/** Nothing was done again, for whoever reads the text or the structured content. */
function expectKept(said: CallResult): void {
  match(textOf(said), alreadyDone)
  match(JSON.stringify(said.structuredContent), /not done again/)
}

async function until(check: () => Promise<boolean>): Promise<void> {
  const endsAt = Date.now() + 20_000
  while (!(await check())) {
    ok(Date.now() < endsAt, 'It is not noted that its results have arrived.')
    await wait(20)
  }
}
