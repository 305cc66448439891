import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll } from '../../support/browser.ts'
import { approvals, conversation, pressUntil, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// A call that lacks a value and needs approval is one card: its button fills in and approves.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const mails = () => chat.stack.inbox.messages()
const field = (card: Locator) => card.getByRole('textbox', { name: 'Recipient email address' })
const button = (card: Locator, name: string) => card.getByRole('button', { name, exact: true })
const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement)

beforeAll(async () => {
  if (!chromiumPath) return
  chat.model.use(({ body }) => {
    const last = body.messages.at(-1)
    const isOver = body.messages.some(
      ({ role, content }) => role === 'tool' && !String(content).includes('attempt'),
    )
    if (last?.role === 'tool') return say(isOver ? 'That is done.' : 'I need to know who it is for.')
    if (String(last?.content).startsWith('No, ') || isOver) return say('That is done.')
    return callTool('smtp_send_email', { subject: 'Meeting', body: 'Hi,\nwe meet at ten.' })
  })
  page = await openDemo(browser, chat.stack.url)
  await setMailApproval(chat.stack, 'always')
})
beforeEach(() => chat?.stack.inbox.clear())

/** A new conversation in which a mail lacks its recipient. */
async function begin(on = page): Promise<void> {
  await on.goto(chat.stack.url)
  await write(on, 'Send a mail about the meeting')
}

it.skipIf(!chromiumPath)('fills in and approves at one press, and shows before what it does', async () => {
  await begin()
  const card = approvals(page)
  await card.getByText('Who should I send this email to?').waitFor()
  await card.getByText('Send "Meeting" to "…"', { exact: true }).waitFor()
  await card.getByText('we meet at ten.').waitFor()
  // The keyboard begins where something is missing, and what is sent takes a press of its own.
  await page.getByRole('button', { name: /^Answering: / }).click()
  await expect.poll(() => hasFocus(field(card))).toBe(true)
  await button(card, 'Send email').click()
  await card.getByText('is required.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await field(card).fill('grace@example.com')
  await field(card).press('Enter')
  await expect.poll(() => hasFocus(button(card, 'Send email'))).toBe(true)
  expect(await mails()).toEqual([])
  await pressUntil(
    () => page.keyboard.press('Enter'),
    async () => (await card.count()) === 0,
  )
  await conversation(page).getByText('That is done.').waitFor()
  expect(await mails()).toMatchObject([{ to: ['grace@example.com'], subject: 'Meeting' }])
  await page.reload()
  await conversation(page).getByText('That is done.').waitFor()
  expect(await card.count()).toBe(0)
})

it.skipIf(!chromiumPath)('changes the other values in the same card', async () => {
  await begin()
  const card = approvals(page)
  await field(card).fill('ada@example.com')
  await button(card, 'Edit').click()
  await card.getByRole('textbox', { name: 'Subject' }).fill('Lunch')
  expect(await field(card).inputValue()).toBe('ada@example.com')
  await button(card, 'Send email').click()
  await conversation(page).getByText('That is done.').waitFor()
  expect(await mails()).toMatchObject([{ to: ['ada@example.com'], subject: 'Lunch' }])
})

it.skipIf(!chromiumPath)('is denied without being filled in', async () => {
  await begin()
  await button(approvals(page), 'Deny').click()
  await conversation(page).getByText('That is done.').waitFor()
  expect(await approvals(page).count()).toBe(0)
  expect(await mails()).toEqual([])
})

it.skipIf(!chromiumPath)('is one card on the page of all that waits, too', async () => {
  await begin()
  await approvals(page).waitFor()
  await page.goto(`${chat.stack.url}/waiting`)
  const card = approvals(page).first()
  await field(card).fill('linus@example.com')
  await button(card, 'Send email').click()
  await page.getByText('You approved').waitFor()
  await expect.poll(async () => (await mails()).map(({ to }) => to)).toEqual([['linus@example.com']])
})

it.skipIf(!chromiumPath)('fits a phone, in German', async () => {
  const phone = await browser.open(chat.stack.url, { width: 360, height: 740, locale: 'de-DE', touch: true })
  await phone.getByRole('button', { name: 'Demo ausprobieren' }).click()
  await phone.getByRole('textbox', { name: 'Nachricht' }).fill('Schick eine Mail')
  await phone.getByRole('button', { name: 'Senden', exact: true }).click()
  const card = phone.getByRole('group', { name: 'Freigabe nötig' })
  await card.getByText('„Meeting“ an „…“ senden', { exact: true }).waitFor()
  expect(await sidewaysScroll(phone)).toBe(0)
  expect(await findBarriers(phone)).toEqual([])
  await card.getByRole('textbox').fill('ada@example.com')
  await button(card, 'Senden').click()
  await phone.getByText('That is done.').waitFor()
  expect(await mails()).toMatchObject([{ to: ['ada@example.com'] }])
})
