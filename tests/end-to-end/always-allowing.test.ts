import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, resize, sidewaysScroll } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'
import { withoutTime } from '../../support/without-time.ts'

// What is allowed once and for all goes without a card, is shown with its use, and can be taken back.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const cards = () => page.getByRole('group', { name: 'Approval needed' })
const offer = 'Let this agent send to ada@acme.com without asking, up to 20 a day?'
const sentence = 'May send to ada@acme.com, 20 a day, without asking.'
const subjects = async () => (await chat.stack.inbox.messages()).map(({ subject }) => subject).sort()

/** Sends a message in a new conversation; the model writes a mail with it as its subject. */
async function write(text: string) {
  await page.goto(chat.stack.url)
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

beforeAll(async () => {
  if (!chromiumPath) return
  chat.model.use(({ body }) => {
    const last = body.messages.at(-1)
    const said = withoutTime(body.messages.findLast(({ role }) => role === 'user')?.content)
    const [to = ''] = /\w+@acme\.com/.exec(said) ?? []
    const subject = said.slice(0, 3)
    return last?.role === 'tool'
      ? say('That is done.')
      : callTool('smtp_send_email', { to: [to], subject, body: 'Hello' })
  })
  page = await openDemo(browser, chat.stack.url)
  await setMailApproval(chat.stack, 'always')
})

it.skipIf(!chromiumPath)('goes without a card until it is revoked under Agents', async () => {
  await write('One to ada@acme.com')
  await cards().getByText(offer).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await cards().getByRole('button', { name: 'Always allow, and send now' }).click()
  await page.getByText('That is done.').waitFor()
  const receipt = page.getByText(
    /^You approved .* Allowed without asking from now on: ada@acme\.com, 20 a day\./,
  )
  await receipt.waitFor()
  await page.reload()
  await receipt.waitFor()
  await write('Two to ada@acme.com')
  await page.getByText('That is done.').waitFor()
  expect(await cards().count()).toBe(0)
  expect(await subjects()).toEqual(['One', 'Two'])

  await page.getByRole('link', { name: 'Agents' }).click()
  const standing = page.getByRole('region', { name: 'Without asking' })
  await standing.getByText(sentence).waitFor()
  await standing.getByText('1 of 20 used today').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await standing.getByRole('button', { name: `Revoke: ${sentence}` }).click()
  await standing.getByText('Nothing yet.').waitFor()

  await write('Three to ada@acme.com')
  await cards().getByText(offer).waitFor()
  expect(await subjects()).toEqual(['One', 'Two'])
})

it.skipIf(!chromiumPath)('is taken back on its receipt, which says so from then on', async () => {
  await write('Off to off@acme.com')
  await cards().getByRole('button', { name: 'Always allow, and send now' }).click()
  await page.getByText('That is done.').waitFor()
  const chatAt = page.url()
  await page.getByRole('button', { name: 'Take back: off@acme.com' }).press('Enter')
  const receipt = page
    .locator('.askback-receipt')
    .filter({ hasText: 'Permission taken back: you’ll be asked again for off@acme.com.' })
  await receipt.waitFor()
  expect(await receipt.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await page.getByText('Allowed without asking from now on').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await write('Ofo to off@acme.com')
  await cards().waitFor()
  await cards().getByRole('button', { name: 'Deny' }).click()
  await page.goto(chatAt)
  await receipt.waitFor()
  expect(await page.getByRole('button', { name: /^Take back/ }).count()).toBe(0)
})

it.skipIf(!chromiumPath)('is told of on the page of all that waits, too', async () => {
  await write('Walk with wes@acme.com')
  await cards().waitFor()
  await page.goto(`${chat.stack.url}/waiting`)
  await cards()
    .filter({ hasText: 'wes@acme.com' })
    .getByRole('button', { name: 'Always allow, and send now' })
    .click()
  await page
    .getByText(/^You approved .* Allowed without asking from now on: wes@acme\.com, 20 a day\./)
    .waitFor()
})

it.skipIf(!chromiumPath)(
  'comes after the decision for the keyboard, and its fields after their button',
  async () => {
    await write('Tab to tab@acme.com')
    await cards().waitFor()
    await cards().focus()
    const stops: string[] = []
    const next = async () => {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const active = document.activeElement as HTMLInputElement
        return (
          active.labels?.[0]?.textContent ?? active.getAttribute('aria-label') ?? active.textContent ?? ''
        )
      })
      stops.push(name)
    }
    for (let count = 0; count < 6; count++) await next()
    await page.keyboard.press('Enter')
    for (let count = 0; count < 3; count++) await next()
    const besides = ['Always allow, and send now', 'Change this permission', 'To whom', 'How often', 'Period']
    expect(stops).toEqual(['Send email', 'Edit', 'Deny', 'Add a reason', ...besides])
    await cards().getByRole('button', { name: 'Deny' }).click()
    await cards().waitFor({ state: 'detached' })
  },
)

for (const [device, options] of [
  ['on a wide page', {}],
  ['on a phone', { width: 360, height: 740, touch: true }],
] as const)
  it.skipIf(!chromiumPath)(`is opened where it is seen, ${device}`, async () => {
    const page = await browser.open(chat.stack.url, options)
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('Low to low@acme.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const card = page.getByRole('group', { name: 'Approval needed' })
    const change = card.getByRole('button', { name: 'Change this permission' })
    await change.evaluate((one) => one.scrollIntoView({ block: 'end' }))
    await change.click()
    const isSeen = () =>
      card.getByRole('combobox', { name: 'Period' }).evaluate((one) => {
        const { left, bottom } = one.getBoundingClientRect()
        return document.elementFromPoint(left + 4, bottom - 4) === one
      })
    await expect.poll(isSeen).toBe(true)
    await page.waitForLoadState('networkidle')
    expect(await isSeen()).toBe(true)
    await card.getByRole('button', { name: 'Deny' }).click()
    await card.waitFor({ state: 'detached' })
  })

it.skipIf(!chromiumPath)('can be changed on the card, by keyboard and on a phone', async () => {
  await resize(page, { width: 360, height: 740 })
  await write('Big to bob@acme.com')
  await cards().getByRole('button', { name: 'Change this permission' }).press('Enter')
  const whom = cards().getByRole('textbox', { name: 'To whom' })
  await whom.fill('*@other.example')
  await cards().getByRole('button', { name: 'Always allow, and send now' }).click()
  const problem = () =>
    whom.evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent)
  await expect.poll(problem).toMatch(/^"\*@other\.example" doesn’t cover bob@acme\.com\./)
  expect(await whom.evaluate((one) => one === document.activeElement)).toBe(true)
  await whom.fill('*@gmail.com')
  await cards().getByRole('button', { name: 'Always allow, and send now' }).click()
  await expect.poll(problem).toBe('Everybody can have an address at gmail.com. Allow bob@acme.com instead.')
  expect(await findBarriers(page)).toEqual([])
  await whom.fill('*@acme.com')
  await cards().getByRole('spinbutton', { name: 'How often' }).fill('2')
  await cards().getByRole('combobox', { name: 'Period' }).selectOption('hour')
  await cards().getByText('Let this agent send to *@acme.com without asking, up to 2 an hour?').waitFor()
  expect(await sidewaysScroll(page)).toBe(0)
  expect(await findBarriers(page)).toEqual([])
  await cards().getByRole('button', { name: 'Always allow, and send now' }).click()
  await page.getByText('That is done.').waitFor()
  await write('Joe to joe@acme.com')
  await page.getByText('That is done.').waitFor()
  expect(await cards().count()).toBe(0)
  await resize(page, { width: 1280, height: 800 })
  // The refusals above are the only complaints.
  expect(browser.complaints()).toMatchObject([{ status: 400 }, { status: 400 }])
})

it.skipIf(!chromiumPath)('is shown with all else of its agent: nothing moves away from a press', async () => {
  const answer = gate()
  await page.route('**/chat/permissions?*', async (route) => {
    await answer.opened
    await route.continue()
  })
  await page.goto(chat.stack.url)
  const others = page.waitForResponse('**/agent_tool_permissions?*')
  await page.getByRole('link', { name: 'Agents' }).click()
  const tools = page.getByRole('region', { name: 'Tools' })
  await others
  await page.getByRole('textbox', { name: 'Instructions' }).waitFor()
  await page.getByRole('status').getByText('Loading').waitFor()
  expect(await tools.count()).toBe(0)
  answer.open()
  await tools.getByText('Send email').first().waitFor()
  expect(await page.getByText('Allow something without asking').count()).toBe(1)
  await page.unroute('**/chat/permissions?*')
})

it.skipIf(!chromiumPath)('is added under Agents, and refused in words', async () => {
  await page.goto(chat.stack.url)
  await page.getByRole('link', { name: 'Agents' }).click()
  const standing = page.getByRole('region', { name: 'Without asking' })
  await standing.getByText('Allow something without asking').click()
  await standing.getByRole('combobox', { name: 'Tool' }).selectOption({ label: 'Send email' })
  await standing.getByRole('textbox', { name: 'To whom' }).fill('everybody')
  await standing.getByRole('button', { name: 'Add' }).click()
  await standing.getByText('“everybody” is neither an email address nor *@ and a domain.').waitFor()
  await standing.getByRole('textbox', { name: 'To whom' }).fill('cleo@acme.com')
  await standing.getByRole('button', { name: 'Add' }).click()
  await standing.getByText('May send to cleo@acme.com, 20 a day, without asking.').waitFor()
})
