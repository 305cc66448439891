import { randomBytes } from 'node:crypto'
import type { Locator, Page, Route } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { type ChatUser, connectSmtp, signUp } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What is typed and not sent is there again, for whoever has typed it, on the device where they did.

const password = 'correct horse battery'
const day = 24 * 60 * 60 * 1000
const invitation = { to: ['ada@example.com'], subject: 'Summer party', body: 'Dear Ada, you are invited.' }
const { to: _, subject: __, ...withoutBoth } = invitation

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page
let user: ChatUser

const message = (on = page) => on.getByRole('textbox', { name: 'Message' })
const form = (on = page) => on.getByRole('form', { name: recipientQuestion })
const recipient = (on = page) => form(on).getByRole('textbox', { name: 'Recipient email address' })
const card = (on = page) => on.getByRole('group', { name: 'Approval needed' })
const isFocused = (place: Locator) => place.evaluate((one) => one === document.activeElement)
const kept = (on = page) =>
  on.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('askback-kept')))
const press = (name: string, on = page) => on.getByRole('button', { name, exact: true }).click()

async function signIn(address: string, on = page) {
  await on.getByRole('textbox', { name: 'Email' }).fill(address)
  await on.getByLabel('Password').fill(password)
  await press('Sign in', on)
  await on.getByRole('button', { name: 'New chat' }).waitFor()
}

async function write(text: string, on = page) {
  await message(on).fill(text)
  await press('Send', on)
}

describe.skipIf(!chromiumPath)('what is typed and not sent', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      const answer = JSON.stringify(last?.content)
      if (last?.role === 'tool' && !answer.includes('Question:')) return say('That is done.')
      if (said.includes('Invite somebody')) return callTool('smtp_send_email', withoutBoth)
      if (said.includes('Invite ada')) return callTool('smtp_send_email', invitation)
      return say('Well.')
    })
  })
  beforeEach(async () => {
    user = await signUp(chat.stack)
    page = await browser.open(chat.stack.url)
    await signIn(user.email)
    await message().waitFor()
  })
  afterEach(async () => {
    await page.context().close()
    // The browser itself notes each request that was refused, as those of a deleted account are.
    expect(browser.complaints().filter(({ status = 0 }) => status < 400)).toEqual([])
  })

  it('survives a reload, other pages and the end of a session, in each conversation, and goes when it is sent', async () => {
    await message().fill('To be said first')
    await page.reload()
    await expect.poll(() => message().inputValue()).toBe('To be said first')
    await press('Send')
    await page.getByText('Well.').waitFor()
    await message().fill('Half a sentence, and')
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect.poll(() => message().inputValue()).toBe('')
    await message().fill('Another one')
    await page.goBack()
    await page.getByText('Well.').waitFor()
    await expect.poll(() => message().inputValue()).toBe('Half a sentence, and')
    const address = page.url()

    await press('Sign out')
    await signIn(user.email)
    await page.goto(address)
    await expect.poll(() => message().inputValue()).toBe('Half a sentence, and')
    await press('Send')
    await expect.poll(() => message().inputValue()).toBe('')
    await page.getByText('Well.').nth(1).waitFor()
    await page.reload()
    await page.getByText('Half a sentence, and').waitFor()
    expect(await message().inputValue()).toBe('')
    await page.goto(chat.stack.url)
    await expect.poll(() => message().inputValue()).toBe('Another one')
    await message().fill('')
    await expect.poll(kept).toEqual([])
  })

  it('is seen by nobody else on the same device', async () => {
    await message().fill('Of one user')
    const { email: other } = await signUp(chat.stack)
    await press('Sign out')
    await signIn(other)
    await message().waitFor()
    expect(await message().inputValue()).toBe('')
    await message().fill('Of another')
    await press('Sign out')
    await signIn(user.email)
    await expect.poll(() => message().inputValue()).toBe('Of one user')
  })

  it('is gone on with where it was begun: in the message box, beside an open question, too', async () => {
    await write('Hello')
    await page.getByText('Well.').waitFor()
    await page.reload()
    await page.getByText('Well.').waitFor()
    await expect.poll(() => isFocused(message())).toBe(true)
    await page.keyboard.type('So')
    expect(await message().inputValue()).toBe('So')
    await message().fill('')

    await connectSmtp(chat.stack, user.id)
    await write('Invite somebody')
    await recipient().waitFor()
    await page.reload()
    await recipient().waitFor()
    await expect.poll(() => isFocused(recipient())).toBe(true)
    await message().fill('By the ')
    await page.reload()
    await recipient().waitFor()
    await expect.poll(() => isFocused(message())).toBe(true)
    await page.keyboard.type('way')
    expect(await message().inputValue()).toBe('By the way')
    expect(await recipient().inputValue()).toBe('')
  })

  it('is there again in a form that was half filled in, wherever it is opened, until it is answered', async () => {
    await connectSmtp(chat.stack, user.id)
    await write('Invite somebody')
    await recipient().fill('bob@')
    await page.reload()
    await expect.poll(() => recipient().inputValue()).toBe('bob@')
    const address = page.url()
    await press('Sign out')
    await signIn(user.email)
    await page.goto(address)
    await expect.poll(() => recipient().inputValue()).toBe('bob@')
    await recipient().fill('bob@example.com')
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Waiting/ })
      .click()
    await expect.poll(() => recipient().inputValue()).toBe('bob@example.com')
    await form().getByRole('textbox', { name: 'Subject' }).fill('Garden party')
    await page.goBack()
    await expect
      .poll(() => form().getByRole('textbox', { name: 'Subject' }).inputValue())
      .toBe('Garden party')
    await card().getByRole('button', { name: 'Send email' }).click()
    await card().waitFor({ state: 'detached' })
    await expect.poll(kept).toEqual([])
  })

  it('is there again in an approval that was being edited, until it is decided', async () => {
    await connectSmtp(chat.stack, user.id)
    await write('Invite ada@example.com')
    await card().getByRole('button', { name: 'Edit' }).press('Enter')
    // Whoever presses it with the keyboard goes on in the first field.
    await expect
      .poll(() =>
        card()
          .getByRole('textbox')
          .first()
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await card().getByRole('textbox', { name: 'Subject' }).fill('Winter party')
    const address = page.url()
    await press('Sign out')
    await signIn(user.email)
    await page.goto(address)
    const subject = card().getByRole('textbox', { name: 'Subject' })
    await expect.poll(() => subject.inputValue()).toBe('Winter party')
    expect(await card().getByRole('textbox', { name: 'Text' }).inputValue()).toBe(invitation.body)
    // By keyboard: after a reload it may still be moving into place.
    await card().getByRole('button', { name: 'Send email' }).press('Enter')
    await card().waitFor({ state: 'detached' })
    await expect.poll(async () => (await chat.stack.inbox.messages()).at(-1)?.subject).toBe('Winter party')
    await expect.poll(kept).toEqual([])
  })

  it('is gone from an approval whose editing was given up', async () => {
    await connectSmtp(chat.stack, user.id)
    await write('Invite ada@example.com')
    const subject = card().getByRole('textbox', { name: 'Subject' })
    for (const how of ['Cancel', 'Escape']) {
      await card().getByRole('button', { name: 'Edit' }).press('Enter')
      await subject.fill('Winter party')
      if (how === 'Escape') {
        // However often it is pressed, it loses nothing.
        for (let press = 0; press < 3; press++) {
          await page.keyboard.press('Escape')
          expect(await isFocused(card().getByRole('button', { name: 'Cancel' }))).toBe(true)
          expect(await subject.inputValue()).toBe('Winter party')
        }
        await page.keyboard.press('Enter')
      } else await card().getByRole('button', { name: 'Cancel' }).press('Enter')
      await subject.waitFor({ state: 'detached' })
      expect(await isFocused(card().getByRole('button', { name: 'Edit' }))).toBe(true)
      expect(await kept()).toEqual([])
      await card().getByRole('button', { name: 'Edit' }).press('Enter')
      expect(await subject.inputValue()).toBe('Summer party')
      await card().getByRole('button', { name: 'Cancel' }).press('Enter')
    }
    await page.reload()
    await card().getByRole('button', { name: 'Edit' }).press('Enter')
    expect(await subject.inputValue()).toBe('Summer party')
  })

  it('is there again in the form of a connection, but for secrets, which stand nowhere', async () => {
    const secret = `secret-${randomBytes(8).toString('hex')}`
    const open = async () => {
      await page.goto(`${chat.stack.url}/settings/integrations`)
      return page.getByRole('region', { name: 'SMTP' })
    }
    const smtp = await open()
    await smtp.getByRole('button', { name: 'Connect' }).click()
    await smtp.getByLabel(/mail server/i).fill('mail.example.com')
    await smtp.getByLabel(/password/i).fill(secret)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('mail.example.com')
    await page.reload()
    expect(await smtp.getByLabel(/mail server/i).inputValue()).toBe('mail.example.com')
    expect(await smtp.getByLabel(/password/i).inputValue()).toBe('')
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain(secret)
    expect(await findBarriers(page)).toEqual([])
    await smtp.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(kept).toEqual([])
  })

  it('is there again where an earlier message was being changed', async () => {
    await write('Hello')
    await page.getByText('Well.').waitFor()
    await press('Edit message')
    await message().fill('Hello again, and')
    await page.reload()
    await page.getByText('Well.').waitFor()
    await expect.poll(() => message().inputValue()).toBe('Hello again, and')
    await page.getByText('You’re editing an earlier message.').waitFor()
    await press('Cancel')
    expect(await message().inputValue()).toBe('')
    await expect.poll(kept).toEqual([])
  })

  it('keeps files, small and large', async () => {
    const attach = (name: string, size: number) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'a') })
    const attached = (name: string) =>
      page.getByRole('list', { name: 'Attached files' }).getByText(name, { exact: true })
    await attach('small.txt', 1000)
    await attached('small.txt').waitFor()
    await page.reload()
    await attached('small.txt').waitFor()
    await attach('large.txt', 1_000_000)
    await attached('large.txt').waitFor()
    // They are there as long as the page is open.
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await attached('large.txt').waitFor()
    await page.reload()
    await attached('small.txt').waitFor()
    await attached('large.txt').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await press('Remove small.txt')
    await press('Remove large.txt')
    await expect.poll(kept).toEqual([])
  })

  it('is followed by a tab that has found it and not changed it, and taken from none where somebody types', async () => {
    await message().fill('In the first')
    const other = await page.context().newPage()
    await other.goto(chat.stack.url)
    await message(other).waitFor()
    await expect.poll(() => message(other).inputValue()).toBe('In the first')
    await message().fill('In the first, still')
    await expect.poll(() => message(other).inputValue()).toBe('In the first, still')
    await message(other).fill('In the second')
    await write('Said in the first')
    await page.getByText('Well.').waitFor()
    expect(await message(other).inputValue()).toBe('In the second')
    await other.reload()
    await expect.poll(() => message(other).inputValue()).toBe('In the second')

    // What was sent in one tab does not wait in another to be sent again.
    await other.goto(page.url())
    await message().fill('To be said once')
    await other.reload()
    await expect.poll(() => message(other).inputValue()).toBe('To be said once')
    await press('Send')
    await expect.poll(() => message(other).inputValue()).toBe('')
  })

  it('is on the same card in another tab, so that nothing old is sent from there', async () => {
    await connectSmtp(chat.stack, user.id)
    await write('Invite ada@example.com')
    await card().waitFor()
    const other = await page.context().newPage()
    await other.goto(`${chat.stack.url}/waiting`)
    await card(other).getByText('ada@example.com').first().waitFor()
    await press('Edit')
    await card().getByRole('textbox', { name: 'Subject' }).fill('Winter party')
    const subject = card(other).getByRole('textbox', { name: 'Subject' })
    await expect.poll(() => subject.inputValue()).toBe('Winter party')
    await press('Cancel')
    await card(other).getByRole('button', { name: 'Edit' }).waitFor()
    await card(other).getByText('Summer party').first().waitFor()
    await card().getByRole('button', { name: 'Deny' }).click()
    await other.close()
  })

  describe('where a new chat is begun', () => {
    const newChat = `[...document.querySelectorAll('button')].find((one) => one.textContent === 'New chat').click()`
    const inOneTick = (text: string, ...then: string[]) =>
      message()
        .fill(text)
        .then(() => page.evaluate(`${enter}; ${then.join(';')}`))
    const enter = `document.querySelector('.askback-composer textarea')
      .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))`
    const asked = (words: string) =>
      chat.model.requests.filter(({ body }) => JSON.stringify(body.messages.at(-1)).includes(words)).length
    const listed = (title: string) => page.getByRole('link', { name: title, exact: true })

    it('in the tick of a send, the message is sent all the same, and the new chat is empty', async () => {
      await inOneTick('First words', newChat)
      await listed('First words').waitFor()
      expect(await message().inputValue()).toBe('')
      expect(new URL(page.url()).pathname).toBe('/')
      expect(await page.getByRole('article', { name: 'You' }).count()).toBe(0)
      await inOneTick('Second words', newChat, newChat)
      await listed('Second words').waitFor()
      for (const words of ['First words', 'Second words']) {
        await listed(words).click()
        await page.getByRole('article', { name: 'You' }).getByText(words).waitFor()
        await page.getByText('Well.').waitFor()
        expect(asked(words)).toBe(1)
      }
      // From a conversation as well.
      await inOneTick('Third words', newChat)
      await listed('Second words').click()
      await page.getByText('Third words').waitFor()
      await expect.poll(() => page.getByText('Well.').count()).toBe(2)
      await expect.poll(kept).toEqual([])
    })

    it('in the tick of a send that takes long, the message is shown to whoever has come back before it arrived', async () => {
      await write('Opening words')
      await page.getByText('Well.').waitFor()
      const posted = /functions\/v1\/chat$/
      const held: Route[] = []
      await page.route(posted, (route) => void held.push(route))
      await inOneTick('Slow words', newChat)
      await expect.poll(() => page.getByText('Well.').count()).toBe(0)
      await listed('Opening words').click()
      await page.getByText('Well.').waitFor()
      await expect.poll(() => held.length).toBe(1)
      await held[0]?.continue()
      await page.getByRole('article', { name: 'You' }).getByText('Slow words').waitFor()
      await expect.poll(() => page.getByText('Well.').count()).toBe(2)
      await expect.poll(kept).toEqual([])
      await page.unroute(posted)
    })

    it('in the tick of a send that fails, its user is told, and the message is there to be sent again', async () => {
      const posted = /functions\/v1\/chat$/
      await page.route(posted, (route) => route.abort())
      await inOneTick('Lost words', newChat)
      await page.getByText('Your last message wasn’t sent.').first().waitFor()
      await page.unroute(posted)
      await press('New chat')
      await page.getByRole('article', { name: 'You' }).getByText('Lost words').waitFor()
      await press('Try again')
      await page.getByText('Well.').waitFor()
      expect(asked('Lost words')).toBe(1)
      await expect.poll(kept).toEqual([])
      for (const { status } of browser.complaints()) expect([0, 404]).toContain(status)
    })

    it('what was only typed stays where it was typed', async () => {
      await message().fill('Begun here')
      await press('New chat')
      expect(await message().inputValue()).toBe('Begun here')
      await write('Hello there')
      await page.getByText('Well.').waitFor()
      await message().fill('Begun in a conversation')
      await press('New chat')
      await page.waitForURL(chat.stack.url)
      expect(await message().inputValue()).toBe('')
      await listed('Hello there').click()
      await expect.poll(() => message().inputValue()).toBe('Begun in a conversation')
      await message().fill('')
    })
  })

  describe('where a message could not be sent', () => {
    const posted = /functions\/v1\/chat$/
    const said = () => page.getByRole('article', { name: 'You' })
    const alert = (on = page) => on.getByRole('alert').getByText('Your last message wasn’t sent.')
    const asked = (words: string) =>
      chat.model.requests.filter(({ body }) => JSON.stringify(body.messages.at(-1)).includes(words)).length
    /** The browser itself notes what it could not send. */
    const expectLost = () => {
      for (const { status } of browser.complaints()) expect([0, 401, 404, 503]).toContain(status)
    }

    it('has it there after a reload and in other tabs, of a new conversation too, and sends it once', async () => {
      await page.route(posted, (route) => route.abort())
      await write('Said into the void')
      await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
      await page.reload()
      await alert().waitFor()
      await said().getByText('Said into the void').waitFor()
      expect(await findBarriers(page)).toEqual([])
      // From the start page, too: nothing else leads there.
      await page.goto(chat.stack.url)
      await alert().waitFor()
      const other = await page.context().newPage()
      await other.goto(page.url())
      await alert(other).waitFor()
      await page.unroute(posted)
      await press('Try again')
      await page.getByText('Well.').waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await other.getByText('Well.').waitFor()
      await expect.poll(() => other.getByRole('alert').count()).toBe(0)
      await expect.poll(kept).toEqual([])
      await page.reload()
      await page.getByText('Well.').waitFor()
      expect(await said().count()).toBe(1)
      expect(asked('Said into the void')).toBe(1)
      await page.goto(chat.stack.url)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      await other.close()
      expectLost()
    })

    it('has the change of an earlier one in the composer after a reload, beside what is stored', async () => {
      await write('Hello')
      await page.getByText('Well.').waitFor()
      await page.route(posted, (route) => route.abort())
      await press('Edit message')
      await write('Hello, changed')
      await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
      await page.reload()
      await said().getByText('Hello', { exact: true }).waitFor()
      await page.getByText('Well.').waitFor()
      await expect.poll(() => message().inputValue()).toBe('Hello, changed')
      await page.getByText('You’re editing an earlier message.').waitFor()
      await page.unroute(posted)
      await press('Send')
      await said().getByText('Hello, changed').waitFor()
      await page.getByText('Well.').waitFor()
      await expect.poll(kept).toEqual([])

      // Of one that did arrive nothing is left to be sent.
      await page.route(posted, async (route) => {
        await route.fetch()
        await route.abort()
      })
      await press('Edit message')
      await write('Hello, once more')
      await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
      await page.reload()
      await said().getByText('Hello, once more').waitFor()
      await expect.poll(() => message().inputValue()).toBe('')
      await expect.poll(kept).toEqual([])
      expect(asked('Hello, once more')).toBe(1)
      expectLost()
    })

    it('does not send again what did arrive', async () => {
      await write('Hello')
      await page.getByText('Well.').waitFor()
      await page.route(posted, async (route) => {
        await route.fetch()
        await route.abort()
      })
      await write('Heard, but not answered')
      await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
      await page.reload()
      await page.getByText('Well.').nth(1).waitFor()
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      expect(await said().count()).toBe(2)
      expect(asked('Heard, but not answered')).toBe(1)
      await expect.poll(kept).toEqual([])
      expectLost()
    })

    it('has it there after the end of a session, with its files', async () => {
      await write('Hello')
      await page.getByText('Well.').waitFor()
      await page.route(posted, (route) => route.fulfill({ status: 503 }))
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'small.txt', mimeType: 'text/plain', buffer: Buffer.from('Small') })
      await page.getByRole('button', { name: 'Remove small.txt' }).waitFor()
      await write('At the end of a day')
      await page.getByRole('alert').getByText('The server isn’t answering.').waitFor()
      const address = page.url()
      await press('Sign out')
      await signIn(user.email)
      await page.goto(address)
      await alert().waitFor()
      await said().last().getByText('small.txt').waitFor()
      await page.unroute(posted)
      await press('Try again')
      await page.getByText('Well.').nth(1).waitFor()
      await page.reload()
      await page.getByText('Well.').nth(1).waitFor()
      await said().last().getByRole('link', { name: 'small.txt' }).waitFor()
      expect(await said().count()).toBe(2)

      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(1_000_000, 'a') })
      await page.getByRole('button', { name: 'Remove large.txt' }).waitFor()
      await page.route(posted, (route) => route.abort())
      await write('And the next day')
      await page.getByRole('alert').getByText('Can’t reach the server.').waitFor()
      await page.reload()
      await said().last().getByText('large.txt').waitFor()
      expectLost()
    })
  })

  it('loses only the keeping where the browser keeps nothing', async () => {
    await page.addInitScript(() => {
      const set = Storage.prototype.setItem
      Storage.prototype.setItem = function (key: string, text: string) {
        if (key.startsWith('askback-kept')) throw new DOMException('It is full.', 'QuotaExceededError')
        set.call(this, key, text)
      }
    })
    await page.reload()
    await message().fill('Half a sentence')
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Chat', exact: true }).click()
    await expect.poll(() => message().inputValue()).toBe('Half a sentence')
    await press('Send')
    await page.getByText('Well.').waitFor()
    expect(await message().inputValue()).toBe('')
  })

  it('is forgotten after 30 days, or with the account', async () => {
    await message().fill('Of last month')
    const age = (ms: number) =>
      page.evaluate((ms) => {
        for (const key of Object.keys(localStorage).filter((one) => one.startsWith('askback-kept'))) {
          const { at, value } = JSON.parse(localStorage.getItem(key) ?? '')
          localStorage.setItem(key, JSON.stringify({ at: at - ms, value }))
        }
      }, ms)
    await age(29 * day)
    await page.reload()
    await expect.poll(() => message().inputValue()).toBe('Of last month')
    await age(1.1 * day)
    await page.reload()
    await message().waitFor()
    expect(await message().inputValue()).toBe('')
    await expect.poll(kept).toEqual([])

    await message().fill('Of an account that goes')
    await page.goto(`${chat.stack.url}/settings/account`)
    await page.getByLabel(/to confirm$/).fill(user.email)
    await press('Delete my account')
    await page.getByText('Your account and everything in it have been deleted.').waitFor()
    await expect.poll(kept).toEqual([])
  })
})
