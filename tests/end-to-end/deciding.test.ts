import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../../support/announcements.ts'
import {
  chromiumPath,
  findBarriers,
  openDemo,
  resize,
  settled,
  sidewaysScroll,
  smallTargets,
} from '../../support/browser.ts'
import {
  approvals,
  conversation,
  dockedCard,
  messageBox,
  pressUntil,
  write,
} from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo, withDatabase } from '../../support/chat-user.ts'
import { connectGoogle } from '../../support/connect-google.ts'
import { gate } from '../../support/gate.ts'
import { gmailScopes } from '../../support/gmail-server.ts'
import { callTool, callTools, say } from '../../support/model-reply.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

// A decision is seen at once, and what came of it as soon as that is known.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const guests = Array.from({ length: 60 }, (_, index) => `guest${index + 1}@example.com`)
const invitation = (...to: string[]) => ({ to, subject: 'Summer party', body: 'Dear all,\nyou are invited.' })
const { to: _, ...withoutRecipient } = invitation()
const longSubject = 'Summer party with games, music and food for all of us, our friends and families'
const longLetter = Array.from({ length: 30 }, (_, line) => `Line ${line} of a long letter.`).join('\n')
const people = ['ada', 'bob', 'cleo'].map((name) => `${name}@example.com`)

/** The model thinks about what a tool has done until it is let go. */
const release: (() => void)[] = []
const held = () => new Promise<void>((resolve) => release.push(resolve))
const letGo = () => {
  for (const go of release.splice(0)) go()
}

const log = () => conversation(page)
const cards = () => approvals(page)
const docked = () => dockedCard(page)
const selectAll = () => page.getByRole('checkbox', { name: 'Select all' })
const receipt = (words: string) => log().locator('p', { hasText: new RegExp(`^${words} · \\d\\d:\\d\\d`) })
const isFocused = (place: Locator) => place.evaluate((element) => element.contains(document.activeElement))
const isInSight = (place: Locator) =>
  place.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
  })
const recipients = async () => (await chat.stack.inbox.messages()).flatMap(({ to }) => to).sort()

describe.skipIf(!chromiumPath)('deciding', () => {
  beforeAll(async () => {
    chat.model.use(async ({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool' && !JSON.stringify(last.content).includes('Question:')) {
        // What was decided is told in a message of its own.
        if (JSON.stringify(body.messages).includes('slowly')) await held()
        return say('That is done.')
      }
      if (said.includes('corrected'))
        return callTool(
          'smtp_send_email',
          last?.role === 'tool' ? invitation('ada@example.com') : withoutRecipient,
        )
      if (said.includes('copies')) {
        const copies = { cc: ['bob@example.com'], bcc: ['cleo@example.com', 'dora@example.com'] }
        return callTool('smtp_send_email', { ...invitation('ada@example.com'), ...copies })
      }
      if (said.includes('60'))
        return callTool('smtp_send_email', {
          ...invitation(...guests),
          ...(said.includes('at length') ? { subject: longSubject } : {}),
        })
      if (said.includes('long letter'))
        return callTools(
          people.map((one) => ['smtp_send_email', { ...invitation(one), body: longLetter }] as const),
        )
      if (said.includes('each'))
        return callTools(people.map((one) => ['smtp_send_email', invitation(one)] as const))
      // The model asks, too, at first, in the words of the form.
      if (said.includes('somebody'))
        return {
          ...callTool('smtp_send_email', {
            ...withoutRecipient,
            ...(said.includes('some lines') ? { body: longLetter.slice(0, 150) } : {}),
            ...(said.includes('a look') ? { html: '<p>You are <b>invited</b>.</p>' } : {}),
          }),
          ...(last?.role === 'tool'
            ? {}
            : { text: `Gladly. ${recipientQuestion} Please provide the recipient email address.` }),
        }
      if (said.includes('files')) {
        const content = Buffer.from('x'.repeat(3000)).toString('base64')
        const attachments = [{ filename: 'plan.txt', content, encoding: 'base64' }]
        const more = {
          cc: ['bob@example.com'],
          reply_to: 'me@example.com',
          html: '<p>You are <b>invited</b>.</p>',
        }
        return callTool('smtp_send_email', { ...invitation('ada@example.com'), ...more, attachments })
      }
      if (said.includes('both')) {
        const calls = ['ada', 'bob'].map((name) => {
          const { subject: _, ...withoutSubject } = invitation(`${name}@example.com`)
          return last?.role === 'tool' ? { ...withoutSubject, subject: `Party of ${name}` } : withoutSubject
        })
        // What is corrected comes in another order.
        const ordered = last?.role === 'tool' ? calls.reverse() : calls
        return callTools(ordered.map((input) => ['smtp_send_email', input] as const))
      }
      if (said.includes('Delete them'))
        return callTool('gmail_email_actions', { action: 'delete_forever', message_ids: ['a1', 'b2', 'c3'] })
      if (said.includes('that document'))
        return callTool('docs_append_text', { document_id: 'nowhere', text: 'More.' })
      if (said.includes('pages')) return callTool('read_pages', {})
      if (said.includes('documents'))
        return callTools(
          ['Plan', 'Notes', 'Budget'].map((title) => ['docs_create_document', { title }] as const),
        )
      return callTool('smtp_send_email', invitation('ada@example.com'))
    })
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
    const { id } = await signInDemo(chat.stack)
    const mailbox = { email: 'demo@example.com', token: 'never used', scopes: [gmailScopes.all] }
    await connectGoogle(chat.stack, id, { ...mailbox, provider: 'gmail' })
    await withDatabase(chat.stack, (sql) =>
      sql.unsafe(`
        create function public.read_pages() returns json language sql stable begin atomic
          select json_build_object('pages', json_agg(json_build_object('error', case when n = 7 then 'Not found.' end)))
          from generate_series(1, 10) n;
        end;
        select askback.offer_function('read_pages', title => 'Read pages', approval => 'never')`),
    )
  })
  afterAll(async () => {
    letGo()
  })
  beforeEach(async () => {
    await page.goto('about:blank')
    await chat.stack.inbox.clear()
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    await resize(page, { width: 1280, height: 800 })
    await page.goto(chat.stack.url)
    await messageBox(page).waitFor()
  })
  afterEach(async () => {
    letGo()
    await page.unrouteAll()
  })

  /** The first decision is refused. */
  async function refuseOne() {
    let count = 0
    await page.route('**/approval', (route) =>
      count++ > 0
        ? route.continue()
        : route.fulfill({
            status: 503,
            json: { error: { code: 'busy', message: 'Try again in a minute.' } },
          }),
    )
  }

  it('is answered by a receipt at once, and by what the tool did while the model still thinks; both stay after a reload', async () => {
    await write(page, 'Invite ada@example.com slowly')
    await cards().getByRole('button', { name: 'Send email' }).waitFor()
    // Nothing has been sent yet when it is seen.
    const { opened: passed, open: pass } = gate()
    await page.route('**/approval', async (route) => {
      await passed
      await route.continue()
    })
    await cards().getByRole('button', { name: 'Send email' }).press('Enter')
    await log()
      .getByText(/^You approved · \d\d:\d\dWorking …$/)
      .waitFor()
    expect(await cards().count()).toBe(0)
    pass()
    await expect.poll(() => release.length).toBe(1)
    await log().getByText('Sent "Summer party" to "ada@example.com"').waitFor()
    expect(await log().getByText('That is done.').count()).toBe(0)
    expect(await receipt('You approved').count()).toBe(1)
    // Its user has the receipt until they move on.
    await expect.poll(() => isFocused(receipt('You approved'))).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    letGo()
    await log().getByText('That is done.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await isFocused(receipt('You approved'))).toBe(true)
    await page.reload()
    await receipt('You approved').waitFor()
    await log().getByText('Sent "Summer party" to "ada@example.com"').waitFor()
    expect(await log().getByText('Send "Summer party"').count()).toBe(0)
    expect(await recipients()).toEqual(['ada@example.com'])
  })

  it('leaves a receipt of each answer with its question, and no card, also after a reload', async () => {
    await setMailApproval(chat.stack, 'never')
    await write(page, 'Invite somebody')
    const form = page.getByRole('form', { name: recipientQuestion })
    await log().getByText('Gladly.', { exact: true }).waitFor()
    await form.waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await log().getByText(recipientQuestion).count()).toBe(1)
    await form.getByRole('textbox', { name: 'Recipient email address' }).fill('bob@example.com')
    await form.getByRole('button', { name: 'Send answer' }).click()
    const settled = async () => {
      await receipt('You answered').getByText(recipientQuestion).waitFor()
      expect(await form.count()).toBe(0)
      expect(await log().getByText(recipientQuestion).count()).toBe(1)
      await log().getByText('Gladly.', { exact: true }).waitFor()
    }
    await settled()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await page.reload()
    await settled()
    expect(await findBarriers(page)).toEqual([])
    expect(await recipients()).toEqual(['bob@example.com'])
    await setMailApproval(chat.stack, 'always')
  })

  it('is asked which document is meant, where there is none', async () => {
    await write(page, 'Add it to that document')
    const asked = /^I couldn.t find that document\. Paste its link or tell me its name\.$/
    await page.getByRole('form', { name: asked }).waitFor()
  })

  it('gives back a card that was refused, with the keyboard, what was typed into it and why', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Edit' }).click()
    await cards().getByRole('textbox', { name: 'Subject' }).fill('Winter party')
    // As if much had been said since: of the card, only the buttons are in sight.
    await log().evaluate((all) => all.style.setProperty('padding-bottom', '100vh'))
    const send = cards().getByRole('button', { name: 'Send email' })
    await send.evaluate((button) => button.scrollIntoView({ block: 'start' }))
    await page.route('**/approval', (route) =>
      route.fulfill({ status: 503, json: { error: { code: 'busy', message: 'Try again in a minute.' } } }),
    )
    await cards().getByRole('button', { name: 'Send email' }).press('Enter')
    await cards().getByRole('alert').waitFor()
    await expect.poll(() => isInSight(cards().getByRole('alert'))).toBe(true)
    await expect.poll(() => isFocused(cards().getByRole('button', { name: 'Send email' }))).toBe(true)
    expect(await cards().getByRole('textbox', { name: 'Subject' }).inputValue()).toBe('Winter party')
    expect(await receipt('You approved').count()).toBe(0)
    await page.unrouteAll()
    // It has the keyboard, and may still be moving for a mouse.
    await cards().getByRole('button', { name: 'Send email' }).press('Enter')
    await log().getByText('Sent "Winter party" to "ada@example.com"').waitFor()

    await setMailApproval(chat.stack, 'never')
    await write(page, 'Invite somebody')
    const field = page.getByRole('form', { name: recipientQuestion }).getByRole('textbox').first()
    await field.fill('bob@example.com')
    await page.route('**/answer', (route) => route.abort())
    await field.press('Enter')
    await page.getByRole('form', { name: recipientQuestion }).getByRole('alert').waitFor()
    await expect.poll(() => isFocused(field)).toBe(true)
    expect(await field.inputValue()).toBe('bob@example.com')
    await setMailApproval(chat.stack, 'always')
    expect(browser.complaints().filter(({ status }) => status !== 503 && status !== 0)).toEqual([])
  })

  it('keeps an edit in which only the server finds a fault, and asks about that', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Edit' }).click()
    await cards().getByRole('textbox', { name: 'Subject' }).fill('Winter party')
    const to = cards()
      .getByRole('textbox', { name: /recipient/i })
      .first()
    await to.fill('ada@exa_mple.com')
    await cards().getByRole('button', { name: 'Send email' }).click()
    await cards()
      .getByText(/"ada@exa_mple\.com"/)
      .first()
      .waitFor()
    expect(await cards().innerText()).toContain('Winter party')
    // It would allow the address that was there before.
    expect(await cards().getByRole('button', { name: 'Always allow' }).count()).toBe(0)
    expect(await recipients()).toEqual([])
    await cards().getByRole('button', { name: 'Edit' }).click()
    await to.fill('ada@example.com')
    await cards().getByRole('button', { name: 'Send email' }).click()
    await log().getByText('Sent "Winter party" to "ada@example.com"').waitFor()
    expect(await recipients()).toEqual(['ada@example.com'])
  })

  it('is edited under a heading that tells nothing old, and is denied only after Cancel', async () => {
    for (const size of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      await resize(page, size)
      await write(page, 'Invite ada@example.com')
      const buttons = cards().locator('.askback-decision').locator('button, summary')
      const whole = ['Send email', 'Edit', 'Deny', 'Add a reason']
      await expect.poll(() => buttons.allInnerTexts()).toEqual(whole)
      await cards().getByRole('button', { name: 'Edit' }).click()
      await cards().getByRole('heading', { name: 'Edit before you approve', exact: true }).waitFor()
      expect(await buttons.allInnerTexts()).toEqual(['Send email', 'Cancel'])
      if (size.width > 1000) {
        const line = docked().getByRole('button', { name: /^Waiting for your approval/ })
        expect(await line.innerText()).toBe('Waiting for your approval: Send email')
      }
      expect(await findBarriers(page)).toEqual([])
      await cards().getByRole('button', { name: 'Cancel' }).click()
      await cards().getByRole('heading', { name: 'Send "Summer party" to "ada@example.com"?' }).waitFor()
      await cards().getByRole('button', { name: 'Deny' }).press('Enter')
      await receipt('Not sent').last().waitFor()
      await messageBox(page).waitFor()
    }
    expect(await recipients()).toEqual([])
  })

  it('is sent from a field by a second press of Enter alone, and not by one that is held down', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Edit' }).press('Enter')
    const send = cards().getByRole('button', { name: 'Send email' })
    const subject = cards().getByRole('textbox', { name: 'Subject' })
    await subject.fill('Winter party')
    await page.keyboard.down('Enter')
    await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    expect(await isFocused(send)).toBe(true)
    await cards().getByRole('textbox', { name: 'Text' }).press('Enter')
    expect(await isFocused(cards().getByRole('textbox', { name: 'Text' }))).toBe(true)
    expect(await recipients()).toEqual([])
    await subject.press('Enter')
    await pressUntil(
      () => page.keyboard.press('Enter'),
      () => log().getByText('Sent "Winter party" to "ada@example.com"').isVisible(),
    )
  })

  it('leads from a refused edit to what is wrong in it, and is denied from its reason', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Edit' }).press('Enter')
    const to = cards()
      .getByRole('textbox', { name: /recipient/i })
      .first()
    await to.fill('nobody')
    await to.press('Enter')
    await pressUntil(
      () => page.keyboard.press('Enter'),
      () => cards().locator('[aria-invalid=true]').isVisible(),
    )
    await expect.poll(() => isFocused(to)).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await cards().getByText('Add a reason').click()
    const reason = cards().getByRole('textbox', { name: 'Reason for denying' })
    await reason.fill('Not yet')
    await reason.press('Enter')
    await receipt('Not sent').waitFor()
    expect(await recipients()).toEqual([])
  })

  it('has a ring where the keyboard is at it, and so has its receipt, within its corners', async () => {
    const ring = (place: Locator) =>
      place.evaluate((one) => {
        const { outlineStyle, outlineWidth, outlineOffset, borderEndEndRadius } = getComputedStyle(one)
        const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset)
        return { isDrawn: outlineStyle !== 'none', reach, corner: Number.parseFloat(borderEndEndRadius) }
      })
    await write(page, 'Invite ada@example.com')
    await cards().waitFor()
    expect((await ring(cards())).isDrawn).toBe(false)
    await docked()
      .getByRole('button', { name: /^Waiting for your approval/ })
      .press('Enter')
    await expect.poll(() => ring(cards())).toMatchObject({ isDrawn: true })
    await page.reload()
    await expect.poll(() => ring(cards())).toMatchObject({ isDrawn: true })
    await cards().getByRole('button', { name: 'Send email' }).press('Enter')
    await log().getByText('Sent "Summer party" to "ada@example.com"').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await isFocused(receipt('You approved'))).toBe(true)
    const { isDrawn, reach, corner } = await ring(receipt('You approved'))
    expect(isDrawn).toBe(true)
    expect(reach).toBeLessThanOrEqual(0)
    expect(corner).toBeGreaterThan(0)
  })

  it('is shown whole where it follows an answer, or from its beginning where it is too tall', async () => {
    const kinds = { 'some lines': true, 'a look': false }
    // While it is worked on, its form is folded.
    await page.route('**/answer', async (route) => {
      await receipt('You answered').waitFor()
      await route.continue()
    })
    for (const [kind, fits] of Object.entries(kinds)) {
      await page.goto(chat.stack.url)
      await setMailApproval(chat.stack, 'never')
      await write(page, `Invite somebody, with ${kind}`)
      const form = page.getByRole('form', { name: recipientQuestion })
      await form.getByText('So far').click()
      // Its agent asks from now on.
      await setMailApproval(chat.stack, 'always')
      await form.getByRole('textbox').first().fill('bob@example.com')
      await form.getByRole('textbox').first().press('Enter')
      await cards().waitFor()
      if (!fits) await cards().locator('iframe').waitFor()
      const edges = () =>
        cards().evaluate((card) => {
          const inner = card.getBoundingClientRect()
          const outer = card.closest('.askback-chat-scroll')?.getBoundingClientRect() ?? inner
          return { isBegun: inner.top >= outer.top, isWhole: inner.bottom <= outer.bottom }
        })
      await expect.poll(edges).toEqual({ isBegun: true, isWhole: fits })
    }
  })

  it('tells what its user changed on the card, apart from what was corrected before, also after a reload', async () => {
    await write(page, 'Invite ada@example.com, corrected')
    await cards().getByRole('button', { name: 'Edit' }).click()
    await cards()
      .getByRole('textbox', { name: /recipient/i })
      .first()
      .fill('bob@example.com')
    await cards().getByRole('button', { name: 'Send email' }).click()
    const rows = (table: string) => log().getByRole('table', { name: table, exact: true }).locator('tr')
    const told = async () => {
      await log()
        .getByRole('button', { name: /changed by you/ })
        .click()
      expect(await rows('What changed').allInnerTexts()).toEqual([
        'Value\tFirst attempt\tCorrected',
        'To\t–\tada@example.com',
      ])
      expect(await rows('What you changed').allInnerTexts()).toEqual([
        'Value\tOn the card\tYour change',
        'To\tada@example.com\tbob@example.com',
      ])
      expect(await findBarriers(page)).toEqual([])
    }
    await log().getByText('Sent "Summer party" to "bob@example.com"').waitFor()
    await log().getByText('That is done.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await told()
    await page.reload()
    await told()

    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Edit' }).click()
    await cards().getByRole('textbox', { name: 'Subject' }).fill('Winter party')
    await cards().getByRole('button', { name: 'Send email' }).click()
    await log().getByText('Sent "Winter party" to "ada@example.com"').waitFor()
    await log()
      .getByRole('button', { name: /changed by you/ })
      .last()
      .click()
    expect(await rows('What you changed').last().innerText()).toBe('Subject\tSummer party\tWinter party')
  })

  it('names in the receipt of a denial what was denied, in the chat and on the page of all that waits', async () => {
    const asked = 'Not sent: Send "Summer party" to "ada@example.com"'
    // Its card is hidden, and stays until the denial is accepted.
    const named = log().getByText(asked).filter({ visible: true })
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Deny' }).click()
    await receipt('Not sent').waitFor()
    await named.waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await log().getByText('That is done.').waitFor()
    expect(await named.count()).toBe(1)
    await page.reload()
    await receipt('Not sent').waitFor()
    await named.waitFor()

    await write(page, 'Invite ada@example.com')
    await cards().waitFor()
    await page.goto(`${chat.stack.url}/waiting`)
    await cards().getByRole('button', { name: 'Deny' }).click()
    await page
      .locator('p', { hasText: /^Not sent · / })
      .getByText('Send "Summer party" to "ada@example.com"', { exact: true })
      .waitFor()
  })

  it('takes what is typed after a denial as the next message', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Deny' }).press('Enter')
    await log().getByText('That is done.').last().waitFor()
    await expect.poll(() => isFocused(receipt('Not sent').last())).toBe(true)
    await page.keyboard.type('Do send it')
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Do send it')
    await page.getByRole('textbox', { name: 'Message' }).fill('')
  })

  it('shows a letter: who sends it, to whom, what it says, what goes along', async () => {
    await write(
      page,
      'Invite ada@example.com, copy bob@example.com, with files; replies go to me@example.com',
    )
    const sheet = cards()
    await sheet.getByText('you are invited.').waitFor()
    const rows = await sheet.locator('dt').allInnerTexts()
    expect(rows.slice(0, 5)).toEqual(['From', 'To', 'Cc', 'Reply to', 'Subject'])
    expect(await sheet.getByRole('list', { name: 'Attachments' }).innerText()).toMatch(/plan\.txt\s*3 kB/)
    await sheet.getByTitle('Email preview').waitFor()
    // Beside its text, in one picture: what is loaded later moves both.
    const [text, look] = await sheet.evaluate((one) =>
      ['.askback-letter-text', 'iframe'].map((part) =>
        one.querySelector(part)?.getBoundingClientRect().toJSON(),
      ),
    )
    expect(look.x).toBeGreaterThanOrEqual(text.x + text.width)
    expect(look.y).toBeLessThan(text.y + text.height)
    expect(await findBarriers(page)).toEqual([])
    const from = await sheet.locator('dd').first().innerText()
    await sheet.getByRole('button', { name: 'Send email' }).click()
    await receipt('You approved').waitFor()
    await expect
      .poll(async () => (await chat.stack.inbox.messages()).map((mail) => mail.from))
      .toEqual([from])
  })

  it('is a sheet in light and in dark, on which only what sends it has a colour', async () => {
    await write(page, 'Invite ada@example.com')
    await cards().getByRole('button', { name: 'Send email' }).waitFor()
    /** The lightness of the card, and what on it has a colour. */
    const look = () =>
      cards().evaluate((card) => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
        if (!canvas) throw new Error('There is no canvas.')
        const paint = (element: Element) => {
          canvas.clearRect(0, 0, 1, 1)
          canvas.fillStyle = getComputedStyle(element).backgroundColor
          canvas.fillRect(0, 0, 1, 1)
          return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
        }
        const isColoured = (element: Element) =>
          Math.max(...paint(element)) - Math.min(...paint(element)) > 24
        const coloured = [card, ...card.querySelectorAll<HTMLElement>('*')].filter(isColoured)
        return { light: paint(card)[0] ?? 0, coloured: coloured.map((one) => one.textContent) }
      })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const { light, coloured } = await look()
      expect(coloured).toEqual(['Send email'])
      expect(light > 128 ? 'light' : 'dark').toBe(colorScheme)
    }
    await page.emulateMedia({ colorScheme: null })
  })

  it('is told once to who cannot see it: by the receipt, which has the focus until its user moves on', async () => {
    await write(page, 'Invite ada@example.com slowly')
    const send = cards().getByRole('button', { name: 'Send email' })
    await send.waitFor()
    const heard = await listen(page)
    const { opened: passed, open: pass } = gate()
    await page.route('**/approval', async (route) => {
      await passed
      await route.continue()
    })
    await send.press('Enter')
    await expect.poll(() => isFocused(receipt('You approved'))).toBe(true)
    const message = messageBox(page)
    await message.focus()
    pass()
    await expect.poll(() => release.length).toBe(1)
    letGo()
    await log().getByText('That is done.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    expect(await isFocused(message)).toBe(true)
    await expect.poll(async () => (await heard()).join()).toContain('That is done.')
    expect((await heard()).filter((words) => words.includes('You approved'))).toEqual([])
  })

  it('says on its button what it does to how many', async () => {
    await write(page, 'Delete them')
    await cards().getByRole('button', { name: 'Delete 3 emails', exact: true }).waitFor()
    await cards().getByRole('button', { name: 'Deny' }).click()
    await receipt('Not deleted').waitFor()
  })

  it('asks about 60 people in one line, and folds who they are', async () => {
    await write(page, `Invite all 60: ${guests.join(', ')}`)
    await cards().getByRole('heading', { name: 'Send "Summer party" to 60 people?' }).waitFor()
    await cards().getByText('60 in all:').waitFor()
    expect(await cards().getByText('guest60@example.com').isVisible()).toBe(false)
    await settled(page)
    await cards().getByText('The other 57').click()
    await cards().getByText('guest60@example.com').waitFor()
    await cards().getByRole('button', { name: 'Send email' }).click()
    await log().getByText('Sent "Summer party" to 60 people').waitFor()
  })

  it('asks about copies in few words, too, and shows in the letter who gets them', async () => {
    await write(
      page,
      'Invite ada@example.com, with copies to bob@example.com, cleo@example.com and dora@example.com',
    )
    const words = 'Send "Summer party" to "ada@example.com" and 3 others?'
    await cards().getByRole('heading', { name: words }).waitFor()
    const rows = await cards().locator('dl').first().innerText()
    expect(rows).toMatch(/Cc\s+bob@example\.com\s+Bcc\s+cleo@example\.com, dora@example\.com/)
    await cards().getByRole('button', { name: 'Send email' }).click()
    await log().getByText('Sent "Summer party" to "ada@example.com" and 3 others').waitFor()
  })

  it('is asked about a corrected call by its card alone, and tells of the correction after it', async () => {
    await write(page, 'Invite ada@example.com, corrected')
    await cards().getByRole('button', { name: 'Send email' }).waitFor()
    expect(await log().getByText('waiting for you').count()).toBe(0)
    expect(await log().getByRole('group', { name: 'Corrected call' }).count()).toBe(0)
    await cards().getByRole('button', { name: 'Send email' }).click()
    await log().getByRole('group', { name: 'Corrected call' }).waitFor()
    await receipt('You approved').waitFor()
  })

  it('shows the first lines of the mail above the buttons on a phone', async () => {
    await resize(page, { width: 360, height: 740 })
    await write(page, `Invite all 60 at length: ${guests.join(', ')}`)
    const button = docked().getByRole('button', { name: 'Send email' })
    await button.waitFor()
    // What is asked stands whole, too.
    const isFolded = await docked()
      .locator('h2 .askback-asks')
      .evaluate((one) => getComputedStyle(one).overflow !== 'visible')
    expect(isFolded).toBe(false)
    await docked().locator('dd').getByText(longSubject, { exact: true }).waitFor()
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    // From here on it has come to rest.
    const text = await docked().getByText('you are invited.').boundingBox()
    const actions = await button.boundingBox()
    // Both lines of it.
    expect((text?.y ?? Infinity) + (text?.height ?? 0)).toBeLessThanOrEqual(actions?.y ?? 0)
    // A reason stands in the row of the buttons, and has its field when it is wanted.
    const reason = docked().getByText('Add a reason')
    const { y = 0 } = (await reason.locator('..').boundingBox()) ?? {}
    expect(Math.abs(y - (actions?.y ?? 0))).toBeLessThan(2)
    await reason.locator('..').click()
    const field = docked().getByRole('textbox', { name: 'Reason for denying' })
    await expect.poll(() => isFocused(field)).toBe(true)
    await field.fill('Not today')
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await button.click()
    await docked().waitFor({ state: 'detached' })
    await log()
      .getByText(/^Sent "Summer party .*" to 60 people/)
      .waitFor()
    await receipt('You approved').waitFor()
  })

  it('never covers what a card asks with its own buttons, wherever a phone is scrolled to', async () => {
    await resize(page, { width: 360, height: 740 })
    await write(page, `Invite each of them in a long letter: ${people.join(', ')}`)
    await docked().getByRole('button', { name: 'Write a message instead' }).click()
    await cards().nth(2).waitFor()
    const covered = await log().evaluate(async (all) => {
      const isScroller = ({ scrollHeight, clientHeight }: Element) => scrollHeight > clientHeight
      let scroller: Element = all
      while (scroller.parentElement && !isScroller(scroller)) scroller = scroller.parentElement
      const found: string[] = []
      let top = -20
      while (top < scroller.scrollHeight - scroller.clientHeight) {
        top += 20
        scroller.scrollTo({ top, behavior: 'instant' })
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
        const end = scroller.getBoundingClientRect().bottom
        for (const card of all.querySelectorAll('.askback-approval')) {
          const [asked, actions] = ['h2', '.askback-decision'].map((place) =>
            card.querySelector(place)?.getBoundingClientRect(),
          )
          if (!asked || !actions) throw new Error('A card lacks its question or its buttons.')
          if (asked.top < end && actions.top < asked.bottom) found.push(`${actions.top} at ${top}`)
        }
      }
      return found
    })
    expect(covered).toEqual([])
    expect(await findBarriers(page)).toEqual([])
  })

  it('takes one row of buttons on a phone, in German, too', async () => {
    const german = await browser.open(chat.stack.url, {
      width: 360,
      height: 740,
      touch: true,
      locale: 'de-DE',
    })
    await german.locator('.door button.primary').first().click()
    // With its own font, which is there from the second page on.
    await german.locator('.askback-composer textarea').waitFor()
    await german.reload()
    await german.locator('.askback-composer textarea').fill('Invite ada@example.com')
    await german.locator('.askback-composer textarea').press('Enter')
    const card = german.locator('.askback-approval')
    for (const place of ['.askback-docked', '.askback-messages']) {
      // Put aside, it stands among the messages.
      if (place !== '.askback-docked') await german.getByRole('button', { name: 'Im Chat antworten' }).click()
      await german.locator(place).locator(card).waitFor()
      // Below the card, and in sight however long it is.
      const aside = await german.locator('.askback-docked-actions > .askback-icon-button').all()
      for (const one of aside) {
        const { y = 0, height = 0 } = (await one.boundingBox()) ?? {}
        expect(y + height).toBeLessThanOrEqual(740)
      }
      // The way to what would always be allowed, and that to the message.
      expect(aside).toHaveLength(place === '.askback-docked' ? 2 : 0)
      const tops = await card
        .locator('.askback-decision > button, summary')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
      expect(tops).toHaveLength(4)
      expect(new Set(tops).size).toBe(1)
      expect(await smallTargets(german, 44)).toEqual([])
      expect(await findBarriers(german)).toEqual([])
    }
  })

  it('is made about several at once in a chat, each by itself, of those that are selected', async () => {
    await write(page, `Invite each of them: ${people.join(', ')}`)
    const several = page.getByRole('group', { name: '3 approvals' })
    for (const one of people) await several.getByText(`Send "Summer party" to "${one}"?`).waitFor()
    // As they were called, whichever asked first.
    const asked = await several.getByRole('listitem').locator('label').allInnerTexts()
    expect(asked).toEqual(people.map((one) => `Send "Summer party" to "${one}"?`))
    expect(await findBarriers(page)).toEqual([])
    for (const name of ['ada', 'cleo']) await several.getByRole('checkbox', { name }).check()
    await several.getByRole('button', { name: 'Approve 2' }).click()
    await expect.poll(recipients).toEqual(['ada@example.com', 'cleo@example.com'])
    await expect.poll(() => receipt('You approved').count()).toBe(2)
    await expect.poll(() => cards().count()).toBe(1)
    await expect.poll(() => isFocused(receipt('You approved').first())).toBe(true)
    // By keyboard: it moves up as the other two become receipts.
    await cards().getByRole('button', { name: 'Deny' }).press('Enter')
    await receipt('Not sent').waitFor()
    expect(await recipients()).toEqual(['ada@example.com', 'cleo@example.com'])
  })

  it('is made about several at once without one that is edited, and says why as long as that holds', async () => {
    await write(page, `Invite each of them: ${people.join(', ')}`)
    await cards().nth(2).getByRole('button', { name: 'Edit' }).press('Enter')
    await selectAll().press('Space')
    await page.getByRole('button', { name: 'Approve all 3' }).press('Enter')
    const why = page.getByRole('group', { name: '1 approval' }).getByRole('alert')
    await why.waitFor()
    await expect.poll(() => receipt('You approved').count()).toBe(2)
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await expect.poll(() => isInSight(why)).toBe(true)
    expect(await recipients()).toEqual(['ada@example.com', 'bob@example.com'])
    await cards().getByRole('button', { name: 'Cancel' }).press('Enter')
    await why.waitFor({ state: 'detached' })
  })

  it('is made about several at once on a phone, where the card is', async () => {
    await resize(page, { width: 360, height: 740 })
    await write(page, `Invite each of them: ${people.join(', ')}`)
    await docked().getByText('3 approvals: decide several at once').click()
    expect(await log().getByRole('group').count()).toBe(0)
    expect(await cards().count()).toBe(1)
    const several = docked().getByRole('group', { name: '3 approvals' })
    for (const name of ['ada', 'cleo']) await several.getByRole('checkbox', { name }).check()
    expect(await findBarriers(page)).toEqual([])
    expect(await sidewaysScroll(page)).toBe(0)
    await several.getByRole('button', { name: 'Approve 2' }).click()
    await expect.poll(recipients).toEqual(['ada@example.com', 'cleo@example.com'])
    await docked().getByRole('heading', { name: 'bob@example.com' }).waitFor()
    await expect.poll(() => isFocused(receipt('You approved').first())).toBe(true)
    expect(await docked().getByText('decide several at once').count()).toBe(0)
    // It may move as the list of several goes.
    await docked().getByRole('checkbox').first().waitFor({ state: 'detached' })
    await cards().getByRole('button', { name: 'Deny' }).click()
    await receipt('Not sent').waitFor()
    await docked().waitFor({ state: 'detached' })
  })

  it('is made about several at once on a phone; why one is still open is said when it is the only one', async () => {
    await resize(page, { width: 360, height: 740 })
    await write(page, `Invite each of them: ${people.join(', ')}`)
    await docked().getByText('3 approvals: decide several at once').click()
    await refuseOne()
    await selectAll().check()
    await docked().getByRole('button', { name: 'Approve all 3' }).click()
    await docked().getByRole('group', { name: '1 approval' }).getByText('Try again in a minute.').waitFor()
    // Any of them may have been the first to be refused.
    await expect.poll(() => cards().count()).toBe(1)
    expect(await docked().getByText('decide several at once').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await page.unrouteAll()
    // It may move as the others leave the list of several.
    await expect.poll(() => docked().getByRole('listitem').count()).toBe(1)
    await docked().getByRole('button', { name: 'Deny', exact: true }).click()
    await docked().waitFor({ state: 'detached' })
    expect(browser.complaints().filter(({ status }) => status !== 503)).toEqual([])
  })

  it('leads from a line to what was made, where that has an address on the web', async () => {
    // Documents of our own have none; those of Google do.
    await page.route('**/functions/v1/chat/conversations/*', async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      for (const { parts } of body.messages ?? [])
        for (const part of parts)
          if (part.output)
            part.output.url = `https://docs.example.com/${encodeURIComponent(part.output.title)}`
      await route.fulfill({ response, json: body })
    })
    await write(page, 'Create three documents')
    await log().getByText('That is done.').waitFor()
    await page.reload()
    await log().getByRole('button', { name: 'Create document 3 done' }).click()
    const link = log().getByRole('link', { name: 'Open' })
    await expect.poll(() => link.count()).toBe(3)
    expect(await link.nth(2).getAttribute('href')).toBe('https://docs.example.com/Budget')
    expect(await findBarriers(page)).toEqual([])
  })

  it('is made about several at once on the page of all that waits; the failure of one is said beside it', async () => {
    await write(page, `Invite each of them: ${people.join(', ')}`)
    await cards().nth(2).waitFor()
    await page
      .getByRole('link', { name: /^Waiting for you/ })
      .first()
      .click()
    const several = page.getByRole('group', { name: '3 approvals' })
    await several.waitFor()
    expect(await findBarriers(page)).toEqual([])
    await refuseOne()
    await selectAll().check()
    await several.getByRole('button', { name: 'Approve all 3' }).click()
    await expect.poll(() => page.locator('.waiting-list').getByText('Sent "Summer party" to').count()).toBe(2)
    await page.getByRole('group', { name: '1 approval' }).getByText('Try again in a minute.').waitFor()
    expect(await page.getByText(/^You approved · \d/).count()).toBe(2)
    await page.unrouteAll()
    await cards().getByRole('button', { name: 'Send email' }).click()
    await expect.poll(recipients).toEqual(people)
    expect(browser.complaints().filter(({ status }) => status !== 503)).toEqual([])
  })

  it('shows each correction beside its own first attempt, where two were made at once', async () => {
    await write(page, 'Invite both: ada@example.com and bob@example.com')
    await selectAll().check()
    await page.getByRole('button', { name: 'Approve both' }).click()
    await log().getByText('That is done.').waitFor()
    // What the end of an answer adds moves what is pressed.
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    for (const name of ['ada', 'bob']) {
      const group = log()
        .getByRole('group', { name: 'Corrected call' })
        .filter({ hasText: `${name}@example.com` })
      await group.getByRole('button', { name: new RegExp(`Sent "Party of ${name}"`) }).press('Enter')
      expect(await group.getByRole('row').allInnerTexts()).toEqual([
        'Value\tFirst attempt\tCorrected',
        `Subject\t–\tParty of ${name}`,
      ])
    }
  })

  it('does not call done what failed in part', async () => {
    await write(page, 'Read ten pages')
    const line = log().getByRole('button', { name: /^Read pages/ })
    await line.getByText('1 of 10 failed').waitFor()
    await log().getByText('That is done.').waitFor()
    expect(await line.innerText()).not.toMatch(/\bdone\b/)
  })

  it('folds calls of one tool that follow each other', async () => {
    await write(page, 'Create three documents')
    const line = log().getByRole('button', { name: 'Create document 3 done' })
    await line.click()
    await log().getByText('Created the document "Budget"').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })
})
