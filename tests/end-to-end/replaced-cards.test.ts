import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo, settled } from '../../support/browser.ts'
import { approvals, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// A card takes the place of another, or stands beside it.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const invoice = { to: ['ada@example.com'], subject: 'Invoice 17', body: 'Please find it below.' }
const lunch = { to: ['ada@example.com'], subject: 'Lunch?', body: 'Lunch on Friday?' }
const corrected = { ...invoice, body: 'It is 480 euros.' }
const send = (mail: object) => callTool('smtp_send_email', mail)
const tooSoon = 'Something else was here a moment ago. Read this, then press again.'

const subjects = async () => (await chat.stack.inbox.messages()).map(({ subject }) => subject)
const cards = () => approvals(page)

describe.skipIf(!chromiumPath)('a newer card', () => {
  beforeAll(async () => {
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  beforeEach(() => chat.stack.inbox.clear())

  async function ask(text: string, reply: ModelServerReply) {
    chat.model.use([reply, say('Done.'), say('Done.')])
    await write(page, text)
  }

  async function begin() {
    await page.getByRole('button', { name: 'New chat' }).click()
    await ask('Send invoice 17 to ada@example.com', send(invoice))
    await cards().getByText('Please find it below.').waitFor()
  }

  it('says what still waits, and both are sent', async () => {
    await begin()
    await ask('Also send her a second mail: lunch on Friday?', send(lunch))
    const newer = cards().filter({ hasText: 'Lunch on Friday?' })
    await newer.getByText('Still waiting: Send "Invoice 17" to "ada@example.com".').waitFor()
    expect(await cards().count()).toBe(2)
    expect(await findBarriers(page)).toEqual([])
    for (const text of ['Lunch on Friday?', 'Please find it below.']) {
      await settled(page)
      await cards().filter({ hasText: text }).getByRole('button', { name: 'Send email' }).click()
      await cards().filter({ hasText: text }).waitFor({ state: 'detached' })
    }
    await expect.poll(async () => (await subjects()).sort()).toEqual(['Invoice 17', 'Lunch?'])
    await page.getByText('Done.').first().waitFor()
    expect(await cards().count()).toBe(0)
  })

  it.each([
    ['a screen reader', `button.click()`],
    [
      'a key',
      `button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })) && button.click()`,
    ],
    [
      'a pointer',
      `button.parentElement.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, clientX: middle.x, clientY: middle.y }))
       document.elementFromPoint(middle.x, middle.y)?.click()`,
    ],
  ])(
    'takes no press of %s in the first second after it took the place of another, and says so',
    async (_, press) => {
      await begin()
      // At the very moment when the newer card is there: nobody is that quick, but a press may be on its way.
      await page.evaluate(`
      new MutationObserver((_, observer) => {
        const card = [...document.querySelectorAll('[data-item]')].find((one) => one.innerText.includes('480 euros'))
        const button = card?.querySelector('.askback-primary')
        if (!button) return
        observer.disconnect()
        card.scrollIntoView()
        const { x, y, width, height } = button.getBoundingClientRect()
        const middle = { x: x + width / 2, y: y + height / 2 }
        ${press}
      }).observe(document.body, { childList: true, subtree: true })`)
      await ask('No, it is 480 euros', send(corrected))
      await page.getByRole('alert').filter({ hasText: tooSoon }).waitFor()
      await settled(page)
      expect(await subjects()).toEqual([])
      expect(await findBarriers(page)).toEqual([])
      await cards().getByRole('button', { name: 'Send email' }).click()
      await cards().waitFor({ state: 'detached' })
      await expect.poll(subjects).toEqual(['Invoice 17'])
      expect(await page.getByRole('alert').filter({ hasText: tooSoon }).count()).toBe(0)
    },
  )
})
