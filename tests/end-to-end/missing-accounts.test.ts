import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { callTools, say } from '../../support/model-server.ts'
import { useBrowser } from '../../support/use-browser.ts'

// An answer lacks three accounts: all three are asked for, and each card stays until its own account is connected.

const mail = { subject: 'Tea', body: 'It is good.' }
const words = {
  'en-GB': {
    join: ['Create an account', 'Create account'],
    fields: ['Email', 'Password', 'Message'],
    needed: 'Connection needed',
    connect: (name: string) => `Connect ${name}`,
    skip: 'Skip',
  },
  'de-DE': {
    join: ['Konto erstellen', 'Konto erstellen'],
    fields: ['E-Mail', 'Passwort', 'Nachricht'],
    needed: 'Verbindung nötig',
    connect: (name: string) => `${name} verbinden`,
    skip: 'Überspringen',
  },
} as const

const [browser, chat] = useBrowser(() => startChatStack({ ASKBACK_SIMULATE: 'google,search' }))

/** Somebody new, who asks for something that needs three accounts. */
async function ask(locale: keyof typeof words): Promise<Page> {
  const { join, fields } = words[locale]
  const page = await browser.open(chat.stack.url, { locale })
  await page.getByRole('button', { name: join[0] }).click()
  await page.getByRole('textbox', { name: fields[0] }).fill(`${crypto.randomUUID()}@example.com`)
  await page.getByLabel(fields[1]).fill('correct horse battery')
  await page.getByRole('button', { name: join[1] }).click()
  await page
    .getByRole('textbox', { name: fields[2] })
    .fill('Search for tea, and write to ada@example.com and bob@example.com')
  await page.keyboard.press('Enter')
  return page
}

/** Connects the search where its card leads. */
async function connectSearch(page: Page) {
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: /Serper/ }).click()
  const tab = await opened
  const section = tab.getByRole('region', { name: 'Serper' })
  await section.locator('input[type=password]').fill('test-key-123456')
  await tab.keyboard.press('Enter')
  await section.getByRole('article').waitFor()
  await tab.close()
}

describe.skipIf(!chromiumPath)('three missing accounts', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) =>
      body.messages.at(-1)?.role === 'user' && (body.tools?.length ?? 0) > 0
        ? callTools([
            ['gmail_send_email', { to: ['ada@example.com'], ...mail }],
            ['web_search', { query: 'tea' }],
            ['smtp_send_email', { to: ['bob@example.com'], ...mail }],
          ])
        : say('Done.'),
    )
  })

  for (const locale of ['en-GB', 'de-DE'] as const)
    it(`are asked for at once, and each card stays until its own is connected, in ${locale}`, async () => {
      const page = await ask(locale)
      const { connect, needed, skip } = words[locale]
      /** The cards of a tab: the id of each item, and what its button says. */
      const cards = (tab = page) =>
        tab
          .locator('[data-item]')
          .filter({ has: tab.getByRole('group', { name: needed }) })
          .evaluateAll((all) =>
            all.map((one) => [one.querySelector('a')?.textContent, one.getAttribute('data-item')] as const),
          )
      const names = async (tab = page) => (await cards(tab)).map(([name]) => name)
      await expect.poll(names).toEqual([connect('Gmail'), connect('Serper'), connect('SMTP')])
      expect(await findBarriers(page)).toEqual([])
      const [gmail, , smtp] = await cards()
      const other = await page.context().newPage()
      await other.goto(page.url())
      await expect.poll(() => names(other)).toHaveLength(3)

      await connectSearch(page)
      for (const tab of [page, other]) await expect.poll(() => cards(tab)).toEqual([gmail, smtp])

      await other.getByRole('group', { name: needed }).last().getByRole('button', { name: skip }).click()
      for (const tab of [page, other]) await expect.poll(() => cards(tab)).toEqual([gmail])

      await page.reload()
      await expect.poll(() => cards()).toEqual([gmail])
      expect(await findBarriers(page)).toEqual([])
    })
})
