import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ItemLink } from '../../shared/api/item-link.ts'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll, smallTargets } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'
import { withoutTime } from '../../support/without-time.ts'

// All that happens without asking is on one page, which every receipt of it leads to, and can be taken back there.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const cards = () => page.getByRole('group', { name: 'Approval needed' })
const region = (name: string) => page.getByRole('region', { name })
const row = (name: string, what: string) => region(name).locator('.askback-connection', { hasText: what })

const unaskedPage = () => `${chat.stack.url}/settings/integrations/without-asking`

/** Sends a message in a new conversation; the model writes a mail to whom it names. */
async function write(text: string) {
  await page.goto(chat.stack.url)
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

describe.skipIf(!chromiumPath)('what happens without asking', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const said = withoutTime(body.messages.findLast(({ role }) => role === 'user')?.content)
      const [to = ''] = /\w+@acme\.com/.exec(said) ?? []
      return body.messages.at(-1)?.role === 'tool'
        ? say('That is done.')
        : callTool('smtp_send_email', { to: [to], subject: said.slice(0, 3), body: 'Hello' })
    })
    page = await openDemo(browser, chat.stack.url)
  })

  it('is reached from the receipt of a tool that never asks, and ends there', async () => {
    await setMailApproval(chat.stack, 'never')
    await write('One to ada@acme.com')
    await page.getByText('That is done.').waitFor()
    await page.getByRole('link', { name: 'Sent without asking' }).click()
    const askFirst = page.getByRole('button', { name: 'Ask first: Send email', exact: true })
    const mail = region('Tools that never ask').locator('.askback-connection', { has: askFirst })
    await mail.getByText(/used once · last used/i).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await askFirst.click()
    await page.getByText('From now on, you’ll be asked first: Send email.').waitFor()
    expect(await askFirst.count()).toBe(0)
    await write('Two to ada@acme.com')
    await cards().waitFor()
  })

  it('is reached from the receipt of what was always allowed, and ends there', async () => {
    const sentence = 'May send to bob@acme.com, 20 a day, without asking.'
    await setMailApproval(chat.stack, 'always')
    await write('One to bob@acme.com')
    await cards().getByRole('button', { name: 'Always allow, and send now' }).click()
    await page.getByText('That is done.').waitFor()
    await page.getByRole('link', { name: 'What happens without asking' }).waitFor()
    await write('Two to bob@acme.com')
    await page.getByText('That is done.').waitFor()
    await page.getByRole('link', { name: 'Sent without asking' }).click()
    await row('Always allowed', sentence)
      .getByText(/used once .* · 1 of 20 today/i)
      .waitFor()
    await row('Always allowed', sentence)
      .getByRole('button', { name: `Revoke: ${sentence}` })
      .click()
    await page.getByText(`Revoked: ${sentence}`).waitFor()
    expect(await region('Always allowed').count()).toBe(0)
    await write('Three to bob@acme.com')
    await cards().waitFor()
  })

  it('lists tokens, which end for good only after a question', async () => {
    await page.goto(`${chat.stack.url}/settings/integrations/openai-clients`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Open WebUI')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('link', { name: 'Without asking' }).click()
    const token = row('Tokens', 'Open WebUI')
    await token.getByText('never used').waitFor()
    await token.getByRole('button', { name: 'Revoke: Open WebUI' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Revoke “Open WebUI”?' })
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Keep it' }).click()
    await token.getByRole('button', { name: 'Revoke: Open WebUI' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked: Open WebUI').waitFor()
    expect(await token.count()).toBe(0)
  })

  it('lists schedules: how often they ran and when they run next, to be paused and deleted', async () => {
    const { send } = await signInDemo(chat.stack)
    const message = 'Read the news'
    await send('POST', '/schedules', { message, cron: '0 9 * * 1-5', timeZone: 'Asia/Tokyo' })
    await page.goto(unaskedPage())
    const schedule = row('Schedules', message)
    await schedule.getByText(/never ran · next: .*09:00 \(Asia\/Tokyo\)/i).waitFor()
    await schedule.getByRole('button', { name: `Pause: ${message}` }).click()
    await page.getByText(`Paused: ${message}`).waitFor()
    await schedule.getByText(/never ran · paused/i).waitFor()
    await schedule.getByRole('button', { name: `Resume: ${message}` }).click()
    await schedule.getByText('next:').waitFor()
    await schedule.getByRole('button', { name: `Delete: ${message}` }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete this schedule?' })
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The schedule was deleted.').waitFor()
    expect(await region('Schedules').count()).toBe(0)
  })

  it('lists links that decide, which end there', async () => {
    const demo = await signInDemo(chat.stack)
    await setMailApproval(chat.stack, 'always')
    const { answer } = await demo.post({ id: randomUUID(), message: 'Six to eve@acme.com' })
    const itemId = answer.pending?.[0]?.itemId
    await demo.send('POST', `/open/${itemId}/link`, {})
    const made = await demo.send('POST', `/open/${itemId}/link`, { decides: true, name: 'Ben Weber' })
    await page.goto(unaskedPage())
    const link = row('Links that decide', 'Send "Six" to "eve@acme.com"?')
    await link.getByText(/^For Ben Weber · since .* · expires on /).waitFor()
    expect(await link.count()).toBe(1)
    await link.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked: Send "Six" to "eve@acme.com"?').waitFor()
    expect(await region('Links that decide').count()).toBe(0)
    await page.goto((made.body as { link: ItemLink }).link.url)
    await page.getByText('This link was withdrawn.').waitFor()
    browser.complaints()
  })

  it('fits on a phone, in dark and in German', async () => {
    const demo = await signInDemo(chat.stack)
    for (const timeZone of ['Europe/Berlin', 'Asia/Tokyo'])
      await demo.send('POST', '/schedules', {
        message: 'Lies meine neuen E-Mails und entwirf Antworten.',
        cron: '0 9 * * 1-5',
        timeZone,
      })
    const options = { width: 360, height: 740, touch: true, dark: true, locale: 'de-DE' }
    const phone = await browser.open(unaskedPage(), options)
    await phone.getByRole('button', { name: 'Demo ausprobieren' }).click()
    await phone.getByRole('heading', { name: 'Was nie eine Freigabe braucht' }).waitFor()
    await phone.getByRole('heading', { name: 'Zeitpläne' }).waitFor()
    expect(await sidewaysScroll(phone)).toBe(0)
    expect(await findBarriers(phone)).toEqual([])
    expect(await smallTargets(phone, 44)).toEqual([])
  })
})
