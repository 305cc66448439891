import { randomUUID } from 'node:crypto'
import type { Page, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ItemLink } from '../../shared/api/item-link.ts'
import {
  chromiumPath,
  downwardScroll,
  findBarriers,
  sidewaysScroll,
  smallTargets,
  type TestBrowser,
} from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo, withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { some } from '../../support/test-all.ts'
import { useBrowser } from '../../support/use-browser.ts'

// For fingers, keyboards and screen readers, large and small, in light and in dark, in anyone's language.

const letter = Array.from({ length: 30 }, (_, line) => `Line ${line} of a letter that is long.`).join('\n')
const invitation = { to: ['ada@example.com'], subject: 'Summer party', body: letter }
const { to: _, ...withoutRecipient } = invitation
const words =
  'Here it **is**.\n\n- one\n- two\n\n| Name | Count |\n|---|---|\n| one | 1 |\n\n```ts\nconst a = 1\n```'

const [browser, chat] = useBrowser(() => startChatStack())

const message = (page: Page) => page.locator('.askback-composer textarea')
const card = (page: Page) => page.getByRole('group', { name: 'Approval needed' })
const form = (page: Page) => page.getByRole('form', { name: recipientQuestion })

describe.skipIf(!chromiumPath)('the web app, for everyone', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool' && !JSON.stringify(last.content).includes('Question:'))
        return say('That is done.')
      if (said.includes('Invite somebody')) return callTool('smtp_send_email', withoutRecipient)
      if (said.includes('Invite ada')) return callTool('smtp_send_email', invitation)
      if (said.includes('Search my mail')) return callTool('gmail_search_emails', { query: 'party' })
      return say(words)
    })
    await withDatabase(
      chat.stack,
      (sql) => sql`
        insert into askback.agents (user_id, name, instructions, tool_access)
        select id, 'Careful', 'You ask first.', 'all' from auth.users
        where email = ${chat.stack.demoUser.email}
          and not exists (select 1 from askback.agents a where a.user_id = users.id)`,
    )
    await setMailApproval(chat.stack, 'always')
  })
  afterEach(async () => {
    // The browser itself notes the page that is not there.
    expect(browser.complaints().filter(({ status }) => status !== 404)).toEqual([])
  })

  async function signIn(options: Parameters<TestBrowser['open']>[1] = {}) {
    const page = await browser.open(chat.stack.url, options)
    await enter(page)
    return page
  }
  async function enter(page: Page) {
    await page.locator('.door button.primary').first().click()
    await message(page).waitFor()
  }
  async function begin(page: Page, text: string) {
    await page.goto(chat.stack.url)
    await message(page).fill(text)
    await page.locator('.askback-composer textarea').press('Enter')
  }

  it('leads past what stands beside every page with the first Tab', async () => {
    const page = await signIn()
    await page.goto(`${chat.stack.url}/agents`)
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    const link = page.getByRole('link', { name: 'Skip to content' })
    expect(await link.evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main, aside')?.tagName)).toBe('MAIN')
  })

  const phone = { width: 360, height: 740, touch: true }
  for (const [device, options] of [
    ['on a desktop', {}],
    ['on a phone', phone],
  ] as const)
    it(`begins at the heading of each page that a link leads to, not of the first one: ${device}`, async () => {
      const page = await signIn(options)
      const focused = () =>
        page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`)
      await page.goto(`${chat.stack.url}/insights`)
      await page.getByRole('heading', { name: 'Insights', level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await focused()).toMatch(/^BODY/)
      for (const [link, title = link] of [
        ['Integrations'],
        ['OpenAI clients', 'Integrations'],
        ['Without asking', 'Integrations'],
        ['Agents'],
        ['Test inbox'],
        ['Waiting for you'],
        ['Archived'],
        [/^Account /, 'Account'],
      ] as const) {
        const menu = page.getByRole('button', { name: 'Menu', exact: true })
        const isInPage = link === 'OpenAI clients' || link === 'Without asking'
        if (!isInPage && (await menu.count()) > 0) await menu.press('Enter')
        const named = page.getByRole(
          'link',
          typeof link === 'string' ? { name: link, exact: true } : { name: link },
        )
        await named.last().press('Enter')
        await page.getByRole('heading', { name: title, level: 1 }).waitFor()
        await expect.poll(focused).toBe(`H1 ${title}`)
      }
    })

  const isFrameless = /^the door$|on its page$/

  // The first two see each size and each theme.
  const devices = [
    { device: 'on a desktop', least: 24, options: {} },
    { device: 'on a phone, in dark', least: 44, options: { ...phone, dark: true } },
    { device: 'on a desktop, in dark', least: 24, options: { dark: true } },
    { device: 'on a phone', least: 44, options: phone },
  ]
  for (const { device, least, options } of some(devices, 2)) {
    it(`has no barriers in any state, and nothing too small to be pressed: ${device}`, async () => {
      const page = await browser.open(chat.stack.url, options)
      const found: Record<string, string[]> = {}
      const look = async (state: string, on = page) => {
        const sideways = await sidewaysScroll(on)
        // What has no frame may scroll as a whole.
        const down = isFrameless.test(state) ? 0 : await downwardScroll(on)
        const all = [
          ...(await findBarriers(on)),
          ...(await smallTargets(on, least)),
          ...(sideways > 0 ? [`scrolls sideways by ${sideways}`] : []),
          ...(down > 0 ? [`scrolls as a whole by ${down}`] : []),
        ]
        if (all.length > 0) found[state] = all
      }
      await page.locator('.door button.primary').first().waitFor()
      await look('the door')
      await enter(page)
      await look('the start')
      await begin(page, 'Hello')
      await page.getByText('Here it is.').waitFor()
      await page.getByRole('button', { name: 'Regenerate' }).waitFor()
      await look('an answer')
      await page.getByRole('button', { name: 'Edit message' }).click()
      await page.getByText('You’re editing an earlier message').waitFor()
      await look('a message that is edited')
      await setMailApproval(chat.stack, 'never')
      await begin(page, 'Invite somebody')
      await form(page).waitFor()
      await setMailApproval(chat.stack, 'always')
      await look('a question')
      await form(page).getByRole('textbox').first().fill('ada@')
      await form(page).getByRole('button', { name: 'Send answer' }).click()
      await page.getByText(/isn’t a complete email address/).waitFor()
      await look('a wrong answer')
      await begin(page, 'Search my mail')
      await page.getByRole('group', { name: 'Connection needed' }).waitFor()
      await look('a connection')
      await begin(page, 'Invite ada@example.com')
      await card(page).waitFor()
      await look('an approval')
      await card(page).getByRole('button', { name: 'Edit' }).click()
      await look('an approval that is edited')
      await card(page).getByRole('button', { name: 'Cancel' }).click()
      await card(page).getByRole('button', { name: 'Deny' }).click()
      await card(page).waitFor({ state: 'detached' })
      await message(page).waitFor()
      await look('a denied call')

      await begin(page, 'Invite ada@example.com')
      const always = card(page).getByRole('button', { name: 'Always allow, and send now' })
      await card(page).getByRole('button', { name: 'Change this permission' }).click()
      await look('the terms of a permission')
      await card(page).getByRole('textbox', { name: 'To whom' }).fill('somebody')
      await always.click()
      await card(page)
        .getByText(/is neither an email address/)
        .waitFor()
      await look('terms that are none')
      const held: Route[] = []
      await page.route(/\/approval$/, (route) => void held.push(route))
      await card(page).getByRole('button', { name: 'Send email' }).click()
      await page.getByText('Working …').first().waitFor()
      await look('an approval that is being sent')
      await held.pop()?.continue()
      await page.getByText('That is done.').waitFor()
      await page.unroute(/\/approval$/)
      await look('an approved call')
      await setMailApproval(chat.stack, 'never')
      await begin(page, 'Invite ada@example.com')
      await page.getByRole('link', { name: 'Sent without asking' }).waitFor()
      await look('what nobody was asked about')
      await setMailApproval(chat.stack, 'always')

      const demo = await signInDemo(chat.stack)
      const schedule = { message: 'Read my new mail', cron: '0 9 * * 1-5', timeZone: 'Asia/Tokyo' }
      await demo.send('POST', '/schedules', schedule)
      const { answer } = await demo.post({ id: randomUUID(), message: 'Invite ada@example.com' })
      const linkTo = async (body: object) => {
        const made = await demo.send('POST', `/open/${answer.pending?.[0]?.itemId}/link`, body)
        return (made.body as { link: ItemLink }).link.url
      }
      const stranger = await browser.open(await linkTo({}), options)
      await stranger.getByText('Sign in to decide this.').waitFor()
      await look('an item that takes a sign-in, on its page', stranger)
      await stranger.goto(await linkTo({ decides: true, name: 'Ben Weber' }))
      await card(stranger).waitFor()
      await look('an item on its page', stranger)
      await page.goto(`${chat.stack.url}/settings/integrations/without-asking`)
      await page.getByRole('heading', { name: 'Links that decide' }).waitFor()
      await look('what happens without asking')
      await page.getByRole('button', { name: /^Delete: / }).click()
      await page.getByRole('alertdialog').waitFor()
      await look('a schedule that is deleted')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('The schedule was deleted.').waitFor()
      await stranger.getByRole('button', { name: 'Deny' }).click()
      await stranger.getByText('Nothing was done.').waitFor()
      await look('an item that was decided, on its page', stranger)

      await page.goto(`${chat.stack.url}/schedules`)
      await page.getByText('No schedules yet.').waitFor()
      await page.getByRole('button', { name: 'Create schedule' }).click()
      await page.getByRole('alert').first().waitFor()
      await look('a schedule without a message')
      await page.getByRole('textbox', { name: 'What should the agent do?' }).fill('Read my new mail')
      await page.getByRole('button', { name: 'Create schedule' }).click()
      await page.getByRole('button', { name: 'Run now: Read my new mail' }).click()
      await page.getByText('History').click()
      await page.getByText(/· Done/).waitFor()
      await look('a schedule that has run')
      await page.getByRole('button', { name: /^Pause: / }).click()
      await page.getByRole('button', { name: /^Resume: / }).waitFor()
      await look('a schedule that is paused')
      await page.getByRole('button', { name: /^Delete: / }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await page.getByText('No schedules yet.').waitFor()

      const paths = ['waiting', 'agents', 'insights', 'archived', 'settings/account', 'inbox']
      for (const path of [...paths, 'settings/integrations/openai-clients', 'nowhere']) {
        await page.goto(`${chat.stack.url}/${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        await look(path)
      }
      await page.goto(`${chat.stack.url}/settings/integrations`)
      const smtp = page.getByRole('region', { name: 'SMTP' })
      await smtp.getByRole('button', { name: 'Change' }).click()
      await smtp.getByRole('form').waitFor()
      await look('a connection that is changed')
      await smtp.getByRole('button', { name: 'Test' }).click()
      await page.getByText('SMTP works.').waitFor()
      await look('a toast')

      const menu = page.getByRole('button', { name: 'Menu', exact: true })
      if ((await menu.count()) > 0) {
        await menu.click()
        await page.getByRole('dialog', { name: 'Menu' }).waitFor()
        await look('the drawer')
      } else {
        await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
        await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
        await look('the list of keys')
        await page.keyboard.press('Escape')
      }
      await page.getByRole('searchbox', { name: 'Search conversations' }).fill('invite')
      await page.locator('.askback-found-conversations li').first().waitFor()
      await look('a search')
      await page
        .locator('.askback-found-conversations')
        .getByRole('button', { name: 'Options' })
        .first()
        .click()
      await page.getByRole('menu').waitFor()
      await look('a menu')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').waitFor()
      await look('a dialog')
      expect(found).toEqual({})
    })
  }

  it('can be decided at a zoom of 400 %: the letter scrolls, the buttons are reached, nothing covers it', async () => {
    // 1280 x 1024 pixels, four times as large.
    const page = await signIn({ width: 320, height: 256 })
    await begin(page, 'Invite ada@example.com')
    await card(page).waitFor()
    expect(await sidewaysScroll(page)).toBe(0)
    const isSeen = (button: string) =>
      card(page)
        .getByRole('button', { name: button })
        .evaluate((one) => {
          const { left, top, width, height } = one.getBoundingClientRect()
          const at = document.elementFromPoint(left + width / 2, top + height / 2)
          return one.contains(at)
        })
    for (const button of ['Send email', 'Edit', 'Deny']) {
      await card(page).getByRole('button', { name: button }).focus()
      await expect.poll(async () => [button, await isSeen(button)]).toEqual([button, true])
    }
    const line = card(page).getByText('Line 0 of a letter')
    await line.scrollIntoViewIfNeeded()
    // At least two lines of it are seen at a time.
    const room = await card(page).evaluate((one) => {
      const scroller = one.closest('.askback-docked') ?? document.documentElement
      const { top, bottom } = scroller.getBoundingClientRect()
      const actions = one.querySelector('.askback-decision')?.getBoundingClientRect()
      const end =
        actions && actions.top < bottom && actions.bottom > top ? Math.min(actions.top, bottom) : bottom
      return end - top
    })
    expect(room).toBeGreaterThanOrEqual(48)
    await card(page).getByRole('button', { name: 'Deny' }).click()
    await card(page).waitFor({ state: 'detached' })
  })

  it('writes dates as its user reads them, in their time zone', async () => {
    const page = await signIn({ locale: 'de-DE', timezoneId: 'Asia/Tokyo' })
    await begin(page, 'Hello')
    await page.getByText('Here it is.').waitFor()
    await page.reload()
    const time = page.locator('article[data-role=user] time')
    await time.waitFor({ state: 'attached' })
    const at = new Date((await time.getAttribute('datetime')) ?? '')
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('de-DE', { ...options, timeZone: 'Asia/Tokyo' }).format(at)
    expect(await time.textContent()).toBe(format({ timeStyle: 'short' }))
    expect(await time.getAttribute('title')).toBe(format({ dateStyle: 'full', timeStyle: 'short' }))
  })
})
