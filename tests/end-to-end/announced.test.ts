import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listen } from '../../support/announcements.ts'
import { chromiumPath, openDemo } from '../../support/browser.ts'
import { approvals, messageBox, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { gate } from '../../support/gate.ts'
import { callTools, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What those hear who cannot see the page: each thing once, when it is complete.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

/** Lets the model answer. */
let answer: () => void
let isAnswered: Promise<void>

const mailTo = (name: string) =>
  ['smtp_send_email', { to: [`${name}@example.com`], subject: 'Party', body: `Dear ${name}!` }] as const
const mailToNobody = ['smtp_send_email', { subject: 'Picnic', body: 'Dear all!' }] as const
const question = (name: string) => `Send "Party" to "${name}@example.com"?`

describe.skipIf(!chromiumPath)('a conversation that is heard', () => {
  beforeAll(async () => {
    chat.model.use(async ({ body }) => {
      await isAnswered
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (said.includes('Invite somebody')) return callTools([mailToNobody])
      if (last?.role === 'tool') return say('They are **invited**.')
      const names = [...said.matchAll(/(?:nvite|,) (\w+)@example\.com/g)].map(([, name]) => mailTo(`${name}`))
      return names.length > 0 ? callTools(names) : say('It is **42**.\n\n- One\n- Two')
    })
    page = await openDemo(browser, chat.stack.url)
    await setMailApproval(chat.stack, 'always')
  })
  beforeEach(async () => {
    ;({ opened: isAnswered, open: answer } = gate())
    await page.goto(chat.stack.url)
    await messageBox(page).waitFor()
  })

  it('says that it is worked on, and then the answer as it is read, also the first one after the page was loaded', async () => {
    const heard = await listen(page)
    await write(page, 'What is it?')
    await page.getByRole('log').getByText('Working').waitFor()
    answer()
    const once = ['Working …', 'It is 42. One Two']
    await expect.poll(heard).toEqual(once)
    await write(page, 'And again?')
    await expect.poll(heard).toEqual([...once, ...once])
  })

  it('says once what is asked while a message is typed, and nothing of what is edited or was asked before', async () => {
    const heard = await listen(page)
    await write(page, 'Invite ada@example.com')
    await messageBox(page).pressSequentially('And then ')
    answer()
    const card = approvals(page)
    await card.waitFor()
    await expect.poll(async () => (await heard()).join()).toContain(question('ada'))
    await messageBox(page).pressSequentially('more')
    await card.getByRole('button', { name: 'Edit' }).click()
    await card.getByRole('textbox', { name: 'Text of the email' }).pressSequentially(' Come early.')
    await card.getByRole('button', { name: 'Cancel' }).click()
    expect(await heard()).toEqual(['Working …', question('ada')])

    await card.getByRole('button', { name: 'Send email' }).click()
    await expect.poll(async () => (await heard()).at(-1)).toBe('They are invited.')
    const all = await heard()
    for (const words of ['invited', question('ada')])
      expect(all.filter((one) => one.includes(words))).toHaveLength(1)
    await messageBox(page).fill('')
  })

  it('says several approvals in one go, briefly', async () => {
    const heard = await listen(page)
    await write(page, 'Invite ada@example.com, bob@example.com, cleo@example.com')
    await messageBox(page).focus()
    answer()
    await approvals(page).nth(2).waitFor()
    await messageBox(page).focus()
    await expect
      .poll(heard)
      .toEqual(['Working …', ['3 approvals', ...['ada', 'bob', 'cleo'].map(question)].join(' ')])
  })

  it('says what is newly asked on the page of all that waits, and not what was there when it was opened', async () => {
    answer()
    await write(page, 'Invite ada@example.com')
    await approvals(page).waitFor()
    const waiting = await page.context().newPage()
    await waiting.goto(`${chat.stack.url}/waiting`)
    await approvals(waiting).first().waitFor()
    const heard = await listen(waiting)
    await write(page, 'Also invite dora@example.com')
    await expect.poll(heard).toEqual([question('dora')])
    await waiting.close()
  })
  it('counts no approvals where something else is newly asked, too', async () => {
    answer()
    const waiting = await page.context().newPage()
    await waiting.goto(`${chat.stack.url}/waiting`)
    await waiting.getByRole('heading', { name: 'Waiting for you' }).waitFor()
    await approvals(waiting).first().waitFor()
    const heard = await listen(waiting)
    const { opened: isLetGo, open: letGo } = gate()
    await waiting.route(/\/chat\/open\?/, async (route) => {
      await isLetGo
      await route.continue()
    })
    await write(page, 'Invite emil@example.com')
    await approvals(page).waitFor()
    await page.goto(chat.stack.url)
    await write(page, 'Invite somebody')
    await page.getByRole('form').waitFor()
    letGo()
    await expect.poll(async () => (await heard()).join()).toContain('Who should I send this email to?')
    expect((await heard()).join()).toContain(question('emil'))
    expect((await heard()).join()).not.toContain('approvals')
    await waiting.close()
  })
})
