import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, settled } from '../../support/browser.ts'
import { approvals, pressUntil } from '../../support/chat-page.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

// The first minutes of somebody new, with nothing set: no key, no account.

const [browser, stack] = useBrowser(() => startStack({ keepsDemo: true }))
let page: Page

const card = (words: string | RegExp) => approvals(page).filter({ hasText: words })
const mailsTo = async (address: string) =>
  (await stack.inbox.messages()).filter(({ to }) => to.includes(address)).length

/** Presses a button of a card, until the card is gone. */
async function decide(words: string | RegExp, button: string): Promise<void> {
  await card(words).waitFor()
  await settled(page)
  await pressUntil(
    () => card(words).getByRole('button', { name: button }).click(),
    async () => (await card(words).count()) === 0,
  )
}

describe.skipIf(!chromiumPath)('the demo', () => {
  beforeAll(async () => {
    page = await openDemo(browser, stack.url)
  })

  it('begins its tour with a forgotten address, which becomes a mail that waits for approval', async () => {
    await page.getByRole('button', { name: /^1\. A forgotten address/ }).click()
    await card('Send "Meeting" to "ada@example.com"?').waitFor()
    expect(await mailsTo('ada@example.com')).toBe(0)
    await page.getByRole('complementary', { name: 'Tour, 1 of 3' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await decide('Send "Meeting"', 'Send email')
    await page.getByText('I sent the email “Meeting” to ada@example.com').waitFor()
    expect(await mailsTo('ada@example.com')).toBe(1)
  })

  it('goes on with a model that repeats itself, which is asked about', async () => {
    await page.getByRole('button', { name: 'Next: A repetition' }).click()
    await decide('Send "Budget" to "grace@example.com"?', 'Send email')
    await decide(/already sent/i, 'Deny')
    await page.getByText('I didn’t send the email again').waitFor()
    expect(await mailsTo('grace@example.com')).toBe(1)
  })

  it('ends with a reply that was lost, after which nothing is sent again without a word', async () => {
    await page.getByRole('button', { name: 'Next: A lost reply' }).click()
    await decide('Send "Party" to "lost-reply@example.com"?', 'Send email')
    await card(/may have been sent/).waitFor()
    expect(await mailsTo('lost-reply@example.com')).toBe(1)
    await decide(/may have been sent/, 'Send email again')
    await page.getByText('I sent the email “Party” to lost-reply@example.com').waitFor()
    expect(await mailsTo('lost-reply@example.com')).toBe(2)
    await page.getByRole('complementary', { name: /^Tour/ }).getByRole('link', { name: 'test inbox' }).click()
    await page.getByRole('heading', { name: 'Test inbox' }).waitFor()
  })

  it('forgets its tour in a chat of one’s own', async () => {
    await page.goBack()
    await page.getByRole('complementary', { name: 'Tour, 3 of 3' }).waitFor()
    await page.getByRole('button', { name: 'New chat' }).click()
    await page.getByRole('region', { name: /^Three clicks/ }).waitFor()
    expect(await page.getByRole('complementary', { name: /^Tour/ }).count()).toBe(0)
  })

  it('has its tour although the models were asked for before anybody could answer', async () => {
    let asked = 0
    await page.route('**/chat/models*', (route) => {
      asked += 1
      return asked === 1 ? route.abort() : route.continue()
    })
    await page.goto(stack.url)
    await page.getByRole('region', { name: /^Three clicks/ }).waitFor()
    expect(asked).toBeGreaterThan(1)
    await page.unroute('**/chat/models*')
    browser.complaints()
  })

  it('leads from "Add a key" to the field for the key', async () => {
    await page.goto(stack.url)
    await page.getByRole('link', { name: 'Add a key' }).click()
    const field = page.getByRole('region', { name: 'OpenAI' }).getByLabel('API key')
    await field.waitFor()
    await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('simulates Google and search, and says so', async () => {
    expect(stack.output()).toMatch(/^simulated: google, search at http:\/\/127\.0\.0\.1:\d+ /m)
    await page.goto(`${stack.url}/settings/integrations`)
    await page.getByRole('region', { name: 'Gmail' }).getByText('Google is simulated here').waitFor()
    await page.getByRole('region', { name: 'Serper' }).getByText('Search is simulated here').waitFor()
  })

  it('has buttons at /status that copy what is needed elsewhere', async () => {
    const status = await browser.open(`${stack.url}/status`)
    const { publishableKey } = stack.keys
    for (const [name, value] of [
      ['Copy the address', stack.url],
      ['Copy the publishable key', publishableKey],
      ['Copy the mail server', stack.smtp.host],
      ['Copy the port', String(stack.smtp.port)],
      ['Copy the user name', stack.smtp.user],
      ['Copy the inbox password', stack.smtp.password],
    ] as const) {
      await status.getByRole('button', { name }).click()
      await expect.poll(() => status.evaluate(() => navigator.clipboard.readText())).toBe(value)
    }
    expect(await status.getByRole('button', { name: 'Copied' }).count()).toBe(6)
    expect(await findBarriers(status)).toEqual([])
  })
})
