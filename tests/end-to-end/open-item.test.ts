import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, findBarriers, sidewaysScroll } from '../../support/browser.ts'
import { approvals } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import {
  type ChatUser,
  setMailApproval,
  signInDemo,
  signUp,
  signUpWithMail,
} from '../../support/chat-user.ts'
import { decisionOn } from '../../support/decision.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, say } from '../../support/model-server.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

// One open item on a page of its own, wherever its link was opened.

const [browser, chat] = useBrowser(() => startChatStack())
const mail = { to: ['ada@example.com'], subject: 'Summer party', body: 'Dear Ada, you are invited.' }
const sent = 'Sent "Summer party" to "ada@example.com"'

interface Asked {
  itemId: string
  toolCallId: string
  approvalId?: string
}

async function asked(user: ChatUser, args: object = mail): Promise<Asked> {
  await chat.stack.inbox.clear()
  const replies = Array(3).fill(callTool('smtp_send_email', args))
  chat.model.use(
    'to' in args
      ? [callTool('smtp_send_email', args), ...Array(3).fill(say('Done.'))]
      : [...replies, say('Done.')],
  )
  const { answer } = await user.post({ id: crypto.randomUUID(), message: 'Invite ada@example.com' })
  const [item] = (answer.pending ?? []) as Asked[]
  if (!item) throw new Error(`Nothing waits: ${JSON.stringify(answer)}`)
  return item
}

async function linkTo(user: ChatUser, { itemId }: Asked, body: object = {}): Promise<string> {
  const made = await user.send('POST', `/open/${itemId}/link`, body)
  return (made.body as { link: { url: string } }).link.url
}
const deciding = { decides: true, name: 'Ben Weber' }
const card = (page: Page) => approvals(page)
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe.skipIf(!chromiumPath)('the page of an open item', () => {
  let user: ChatUser
  beforeEach(async () => {
    user = await signUpWithMail(chat.stack, 'always')
  })

  it('shows who asks for what, and sends it when whoever has a deciding link approves', async () => {
    const item = await asked(user)
    const page = await browser.open(await linkTo(user, item, deciding))
    await card(page).waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Mail agent asks')
    expect(await page.getByRole('main').textContent()).toContain('For Ben Weber')
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await chat.stack.inbox.messages()).toEqual([])
    expect(await findBarriers(page)).toEqual([])
    await press(page, 'Send email')
    await page.getByText(sent).waitFor()
    expect(await page.getByText('You approved').count()).toBe(1)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
    await page.reload()
    await page.getByText('Already decided: approved by Ben Weber').waitFor()
    await page.getByText(sent).waitFor()
    expect(browser.complaints()).toEqual([])
  })

  it('takes an edit before the approval, on a phone and in German', async () => {
    const item = await asked(user)
    const page = await browser.open(await linkTo(user, item, deciding), {
      width: 360,
      height: 740,
      touch: true,
      locale: 'de-DE',
    })
    await page.getByRole('heading', { name: 'Mail agent fragt' }).waitFor()
    await press(page, 'Ändern')
    await page.getByRole('textbox', { name: 'Betreff' }).fill('Sommerfest')
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await press(page, 'Senden')
    await page.getByText('„Sommerfest“').waitFor()
    expect((await chat.stack.inbox.messages()).map(({ subject }) => subject)).toEqual(['Sommerfest'])
  })

  it('takes a form, and says what became of it', async () => {
    const other = await signUpWithMail(chat.stack, 'never')
    const { to: _, ...rest } = mail
    const item = await asked(other, rest)
    const page = await browser.open(await linkTo(other, item, deciding))
    const form = page.getByRole('form', { name: recipientQuestion })
    await form.getByRole('textbox', { name: 'Recipient email address' }).fill('bob@example.com')
    await press(page, 'Send answer')
    await page.getByText('Sent "Summer party" to "bob@example.com"').waitFor()
  })

  it('lets its user decide after a sign-in, and nobody before', async () => {
    const demo = await signInDemo(chat.stack)
    await setMailApproval(chat.stack, 'always')
    const page = await browser.open(await linkTo(demo, await asked(demo)))
    await page.getByText('Sign in to decide this.').waitFor()
    expect(await page.getByRole('button', { name: 'Send email' }).count()).toBe(0)
    expect(await page.content()).not.toContain('you are invited')
    await press(page, 'Sign in')
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await card(page).waitFor()
    await press(page, 'Send email')
    await page.getByText(sent).waitFor()
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('leads to where an account is connected, and can be skipped', async () => {
    const other = await signUp(chat.stack)
    const page = await browser.open(await linkTo(other, await asked(other)))
    await press(page, 'Sign in')
    await page.getByRole('textbox', { name: 'Email' }).fill(other.email)
    await page.getByLabel('Password').fill('correct horse battery')
    await press(page, 'Sign in')
    const question = page.getByRole('group', { name: 'Connection needed' })
    await question.waitFor()
    const href = await question.getByRole('link').getAttribute('href')
    expect(new URL(href ?? '', page.url()).pathname).toBe('/settings/integrations')
    expect(await findBarriers(page)).toEqual([])
    await press(page, 'Skip')
    await page.getByText('You skipped this').waitFor()
    await page.reload()
    await page.getByText('Already decided: skipped').waitFor()
    expect(await chat.stack.inbox.messages()).toEqual([])
  })

  it('says that it was decided elsewhere while the page was open, and how', async () => {
    const item = await asked(user)
    const page = await browser.open(await linkTo(user, item, deciding))
    await card(page).waitFor()
    const conversation = await user.get('/open')
    const [open] = (conversation.body as { items: { conversationId: string }[] }).items
    await user.post(decisionOn(item, 'deny'), { path: `/${open?.conversationId}/approval` })
    await press(page, 'Send email')
    await page.getByText('Already decided: denied').waitFor()
    await page.getByText('Nothing was done.').waitFor()
    expect(await chat.stack.inbox.messages()).toEqual([])
    expect(browser.complaints().filter(({ status }) => status !== 409)).toEqual([])
  })

  it('shows that it is being done, and then what was done', async () => {
    const item = await asked(user)
    const link = await linkTo(user, item, deciding)
    const [one, two] = [await browser.open(link), await browser.open(link)]
    await Promise.all([card(one).waitFor(), card(two).waitFor()])
    const { arrived, release } = replyLate(chat.model, [say('Done.')])
    await press(one, 'Send email')
    await arrived
    await two.getByText(/Already decided: approved/).waitFor()
    release()
    await Promise.all([one, two].map((page) => page.getByText(sent).waitFor()))
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('says that a link has expired, or leads nowhere', async () => {
    const item = await asked(user)
    const link = await linkTo(user, item)
    const { body } = await user.send('POST', `/open/${item.itemId}/link`, deciding)
    const made = (body as { link: { id: string; url: string } }).link
    await user.send('DELETE', `/open/links/${made.id}`)
    const page = await browser.open(made.url)
    await page.getByRole('alert').filter({ hasText: 'This link was withdrawn.' }).waitFor()
    await page.goto(`${link}x`)
    await page.getByText('This link leads to nothing.').waitFor()
    await page.goto(link)
    await page.getByText('Sign in to decide this.').waitFor()
    expect(browser.complaints().filter(({ status }) => status !== 410 && status !== 403)).toEqual([])
  })

  it('is shown inside no other page', async () => {
    const item = await asked(user)
    const link = await linkTo(user, item, deciding)
    const frame = createServer((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<title>Win a prize</title><iframe src="${link}" width="800" height="600"></iframe>`),
    )
    await new Promise<void>((resolve) => frame.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void frame.close())
    const page = await browser.open(`http://127.0.0.1:${(frame.address() as AddressInfo).port}`)
    await page.waitForLoadState('networkidle')
    expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0)
    browser.complaints()
  })
})
