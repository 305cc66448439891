import type { Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, openDemo } from '../../support/browser.ts'
import { messageBox, openBehind, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, withDatabase } from '../../support/chat-user.ts'
import { replyLate } from '../../support/late-reply.ts'
import { callTool, type ModelServerReply, say } from '../../support/model-reply.ts'
import { pidOf } from '../../support/pid-of.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

// Whatever a person presses, types or loses in the app, and however often: one mail in the inbox.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

const mail = { to: ['ada@example.com'], subject: 'Hi', body: 'Hello Ada' }
const { to: _, ...withoutRecipient } = mail
const call = callTool('smtp_send_email', mail)
const ask = 'Say hello to ada@example.com'

const mails = () => chat.stack.inbox.messages()
const cardIn = (tab: Page) => tab.getByRole('group', { name: 'Approval needed' })
const formIn = (tab: Page) => tab.getByRole('form', { name: recipientQuestion })
const approve = (tab: Page) => cardIn(tab).getByRole('button', { name: 'Send email' })

describe.skipIf(!chromiumPath)('one mail in the inbox, however it is answered twice in the app:', () => {
  beforeAll(async () => {
    page = await openDemo(browser, chat.stack.url, { timezoneId: 'Asia/Kolkata' })
  })
  beforeEach(() => chat.stack.inbox.clear())
  afterEach(async () => {
    await page.unrouteAll()
    await page.context().setOffline(false)
    for (const tab of page.context().pages()) if (tab !== page) await tab.close()
    // The browser itself notes what could not be sent, and what was refused.
    expect(browser.complaints().filter(({ status }) => status === undefined)).toEqual([])
  })
  async function begin(text: string) {
    await page.getByRole('button', { name: 'New chat' }).click()
    await write(page, text)
  }

  /** A new conversation that waits for the approval of a mail; what the model answers then. */
  async function asked(...then: ModelServerReply[]) {
    await setMailApproval(chat.stack, 'always')
    chat.model.use([call, ...then])
    await begin(ask)
    await approve(page).waitFor()
  }

  /** A new conversation that asks in a form whom a mail is for. */
  async function askedInForm() {
    await setMailApproval(chat.stack, 'never')
    chat.model.use(Array(3).fill(callTool('smtp_send_email', withoutRecipient)))
    await begin('Send a mail that says hello')
    await formIn(page).waitFor()
  }

  async function fill(tab: Page) {
    await formIn(tab).getByRole('textbox').fill('ada@example.com')
    await formIn(tab).getByRole('button', { name: 'Send answer' }).click()
  }

  /** The next reply of the model waits until it is let go. */
  const held = (...replies: ModelServerReply[]) => replyLate(chat.model, replies)

  it('in the chat, and in its form', async () => {
    await askedInForm()
    const behind = await openBehind(page)
    await formIn(behind).waitFor()
    chat.model.use([call, say('It is sent.')])
    await write(page, 'To ada@example.com')
    await page.getByText('It is sent.').waitFor()
    await formIn(page).waitFor({ state: 'detached' })
    await fill(behind)
    await behind.getByText('It is sent.').waitFor()
    await formIn(behind).waitFor({ state: 'detached' })
    expect(await mails()).toHaveLength(1)
    // What was asked about was done by another call: nothing has failed.
    for (const tab of [page, behind]) {
      await tab.locator('.askback-tool[data-state="over"]').waitFor()
      expect(await tab.locator('.askback-tool[data-state="failed"]').count()).toBe(0)
    }
  })

  it('in the chat, which closes its form with the call, before the answer is written', async () => {
    await askedInForm()
    const { release } = replyLate(chat.model, [call, say('It is sent.')], 2)
    await write(page, 'To ada@example.com')
    await formIn(page).waitFor({ state: 'detached' })
    await page.locator('.askback-tool[data-state="over"]').waitFor()
    expect(await page.getByText('It is sent.').count()).toBe(0)
    release()
    await page.getByText('It is sent.').waitFor()
    expect(await mails()).toHaveLength(1)
  })

  it('in its form while what was said in the chat is worked on', async () => {
    await askedInForm()
    const { arrived, release } = held(call, say('It is sent.'))
    await write(page, 'To ada@example.com')
    await arrived
    const posted = page.waitForRequest('**/answer')
    await fill(page)
    await posted
    release()
    await page.getByText('It is sent.').waitFor()
    await formIn(page).waitFor({ state: 'detached' })
    expect(await mails()).toHaveLength(1)
  })

  it('with words in the chat, and by both cards', async () => {
    await asked()
    const behind = await openBehind(page)
    await approve(behind).waitFor()
    chat.model.use([call, say('It is sent.')])
    await write(page, 'yes, send it please')
    await page.getByText('Asked again below.').waitFor()
    await approve(page).waitFor()
    expect(await cardIn(page).count()).toBe(1)
    expect(await mails()).toHaveLength(0)
    await approve(behind).click()
    await behind.getByText('Asked again below.').waitFor()
    expect(await mails()).toHaveLength(0)
    await approve(page).click()
    await page.getByText('It is sent.').waitFor()
    await cardIn(page).waitFor({ state: 'detached' })
    expect(await mails()).toHaveLength(1)
  })

  it('in two tabs at once', async () => {
    await asked(say('It is sent.'))
    const second = await openBehind(page)
    await approve(second).waitFor()
    await Promise.all([page, second].map((tab) => approve(tab).click()))
    for (const tab of [page, second]) {
      await tab.getByText('It is sent.').waitFor()
      await cardIn(tab).waitFor({ state: 'detached' })
    }
    expect(await mails()).toHaveLength(1)
  })

  it('by a double click on Send, which does not press the Stop that takes its place', async () => {
    await setMailApproval(chat.stack, 'never')
    chat.model.use([call, say('It is sent.')])
    await page.getByRole('button', { name: 'New chat' }).click()
    await messageBox(page).fill(ask)
    await page.getByRole('button', { name: 'Send', exact: true }).dblclick()
    await page.getByText('It is sent.').waitFor()
    expect(await mails()).toHaveLength(1)
  })

  it('by a double click', async () => {
    await asked(say('It is sent.'))
    await approve(page).dblclick()
    await page.getByText('It is sent.').waitFor()
    await cardIn(page).waitFor({ state: 'detached' })
    expect(await mails()).toHaveLength(1)
  })

  it('by a second press that finds the buttons of the answer where the card was', async () => {
    await asked(say('It is sent.'), say('Again?'))
    // A card takes no press at first.
    await approve(page).click({ trial: true })
    const { x, y, width, height } = (await approve(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [clientX, clientY] = [x + width / 2, y + height / 2]
    const now = () => page.evaluate(() => performance.now())
    const pressed = await now()
    await page.mouse.click(clientX, clientY)
    await page.getByText('It is sent.').waitFor()
    // Where exactly the button comes to depends on the window, and when on the machine.
    const press = (at: number) =>
      page.getByRole('button', { name: 'Regenerate' }).evaluate(
        (button, { at, ...place }) => {
          const event = new MouseEvent('click', { ...place, detail: 1, bubbles: true, cancelable: true })
          Object.defineProperty(event, 'timeStamp', { value: at })
          button.dispatchEvent(event)
        },
        { at, clientX, clientY },
      )
    await press(pressed + 2500)
    expect(await page.getByText('It is sent.').count()).toBe(1)
    await press((await now()) + 4000)
    await page.getByText('Again?').waitFor()
    expect(await mails()).toHaveLength(1)
  })

  it('in another tab, by a press on the card that goes at that moment: the buttons below it take none', async () => {
    await asked(say('It is sent.'))
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await approve(tab).click({ trial: true })
    await tab.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('.askback-approval')) return
        observer.disconnect()
        const button = document.querySelector(
          '[aria-label="Conversation"] [data-role=assistant] button.askback-icon-button',
        )
        Object.assign(window, { found: button && getComputedStyle(button).pointerEvents })
      }).observe(document.body, { childList: true, subtree: true })
    })
    await approve(page).click()
    await expect.poll(() => tab.evaluate(() => (window as { found?: string }).found)).toBe('none')
    expect(await mails()).toHaveLength(1)
  })

  it('by a client that never heard what became of its click, and clicks again', async () => {
    await asked(say('It is sent.'))
    await page.route('**/stream', (route) => route.abort())
    await page.route('**/approval', async (route) => {
      const carriedOut = route.fetch()
      await page.context().setOffline(true)
      await carriedOut
      await route.abort('timedout')
    })
    await approve(page).click()
    await cardIn(page).getByRole('alert').getByText('Can’t reach the server.').waitFor()
    expect(await mails()).toHaveLength(1)
    // Else the page may hear of the first click before the second one.
    await page.route('**/chat/conversations/*', (route) => route.abort())
    await page.unroute('**/approval')
    await page.unroute('**/stream')
    await page.context().setOffline(false)
    await approve(page).click()
    await page.unroute('**/chat/conversations/*')
    await page.getByText('It is sent.').waitFor()
    await cardIn(page).waitFor({ state: 'detached' })
    expect(await mails()).toHaveLength(1)
  })

  it('by another answer of the model', async () => {
    await asked(say('It is sent.'))
    await approve(page).click()
    await page.getByText('It is sent.').waitFor()
    chat.model.use([call, say('Not again.')])
    await page.getByRole('button', { name: 'Regenerate' }).click()
    const warning = cardIn(page).getByText('Already sent on')
    await warning.waitFor()
    // At the reader's own time.
    expect(await warning.innerText()).not.toContain('UTC')
    await cardIn(page).getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Not again.').waitFor()
    expect(await mails()).toHaveLength(1)
  })

  it('before and after the chat was restarted', async () => {
    await asked()
    const behind = await openBehind(page)
    await approve(behind).waitFor()
    const { arrived } = held()
    await approve(page).click()
    await arrived
    process.kill(pidOf(chat.stack.pids(), 'chat'), 'SIGKILL')
    expect(await mails()).toHaveLength(1)
    // As if a minute had passed: whoever held it is dead.
    await withDatabase(chat.stack, async (sql) => {
      await sql`update askback.runs set lease_expires_at = now() where lease_expires_at > now()`
      await sql`update askback.tool_executions set lease_expires_at = now() where lease_expires_at > now()`
    })
    await page.getByText('This was interrupted before it was finished.').waitFor()
    await page.getByText('Sent "Hi" to "ada@example.com".').waitFor()
    chat.model.use([say('It is sent.')])
    await approve(behind).click()
    await behind.getByText('It is sent.').waitFor()
    await cardIn(behind).waitFor({ state: 'detached' })
    expect(await mails()).toHaveLength(1)
  })
})
