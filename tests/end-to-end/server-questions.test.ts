import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { formRequest, pageRequest } from '../../support/asking-tool.ts'
import { chromiumPath, findBarriers, openDemo, sidewaysScroll } from '../../support/browser.ts'
import { conversation, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { addServer } from '../../support/mcp-server-row.ts'
import { type Asks, startToolServer, type ToolServer } from '../../support/mcp-tool-server.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What a server of MCP asks is a card that begins with the server, and shows its words as a quotation.

const [browser, chat] = useBrowser(async () => {
  const [stack, served] = await Promise.all([startChatStack(), startToolServer([findTrip])])
  return { ...stack, served, stop: () => Promise.all([stack.stop(), served.stop()]) }
})
const findTrip = {
  name: 'find_trip',
  description: 'Finds a trip.',
  annotations: { readOnlyHint: true },
  inputSchema: { type: 'object' as const, properties: { to: { type: 'string' } } },
}
let page: Page
let served: ToolServer

beforeAll(async () => {
  if (!chromiumPath) return
  served = chat.served
  chat.model.use(({ body }) =>
    body.messages.at(-1)?.role === 'tool'
      ? say('That is it.')
      : callTool('trips__find_trip', { to: 'Lisbon' }),
  )
  const { url, tools } = served
  await withDatabase(chat.stack, (sql) => addServer(sql, { name: 'trips', url, tools, trusted: true }))
  page = await openDemo(browser, chat.stack.url)
})
beforeEach(() => {
  if (served) served.calls.length = 0
})

const form: Asks = {
  requestState: 'state',
  inputRequests: {
    who: formRequest(
      '<b>Who</b> travels? See [here](https://evil.example/x)',
      {
        name: { type: 'string', title: 'Your name', default: 'Askback' },
        nights: { type: 'integer', minimum: 1 },
        seat: {
          type: 'string',
          oneOf: [
            { const: 'a', title: 'Aisle' },
            { const: 'w', title: 'Window' },
          ],
        },
        meals: {
          type: 'array',
          items: { type: 'string', enum: ['fish', 'rice'], enumNames: ['Fish', 'Rice'] },
        },
        news: { type: 'boolean' },
      },
      ['name', 'nights'],
    ),
  },
}
const card = (on: Page, asks = 'asks'): Locator => on.getByRole('form', { name: `${served.host} ${asks}:` })

/** A conversation in which the server asks this. */
async function begin(asks: Asks, on = page): Promise<void> {
  served.answer(({ inputResponses }) => (inputResponses ? 'Found.' : asks))
  await on.goto(chat.stack.url)
  await write(on, 'Find a trip to Lisbon')
}

it.skipIf(!chromiumPath)('is filled in like a form, and shows what the server proposes', async () => {
  await begin(form)
  const asked = card(page)
  await asked.getByText('<b>Who</b> travels? See [here]', { exact: true }).waitFor()
  expect(await asked.getByRole('link').count()).toBe(0)
  await asked.getByText(`Proposed by ${served.host}`).waitFor()
  await asked.getByText('Never enter passwords or codes here.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await asked.getByRole('button', { name: 'Send answer' }).click()
  await asked.getByText('is required.').waitFor()
  await asked.getByRole('textbox', { name: 'Nights' }).fill('2')
  await asked.getByRole('combobox', { name: 'Seat' }).selectOption('Window')
  await asked.getByRole('checkbox', { name: 'Rice' }).check()
  await asked.getByRole('button', { name: 'Send answer' }).click()
  await conversation(page).getByText('That is it.').waitFor()
  expect(served.calls.map(({ inputResponses }) => inputResponses)).toEqual([
    undefined,
    {
      who: {
        action: 'accept',
        content: { name: 'Askback', nights: 2, seat: 'w', meals: ['rice'] },
      },
    },
  ])
  await page.reload()
  await conversation(page).getByText('That is it.').waitFor()
  expect(await card(page).count()).toBe(0)
})

it.skipIf(!chromiumPath)('is a page to open, in a tab that knows nothing of this one', async () => {
  const url = `${new URL(served.url).origin}/sign`
  await begin({ inputRequests: { sign: pageRequest('Please sign.', url) } })
  const asked = card(page)
  await asked.getByText(url, { exact: true }).waitFor()
  const link = asked.getByRole('link', { name: `Open ${served.host}` })
  expect(await link.getAttribute('target')).toBe('_blank')
  expect(await link.getAttribute('rel')).toContain('noopener')
  await asked.getByRole('button', { name: 'Done' }).click()
  await conversation(page).getByText('That is it.').waitFor()
  expect(served.calls.at(-1)?.inputResponses).toEqual({ sign: { action: 'accept' } })
})

it.skipIf(!chromiumPath)('is declined on the page of all that waits', async () => {
  await begin(form)
  await card(page).waitFor()
  await page.goto(`${chat.stack.url}/waiting`)
  await card(page).getByRole('button', { name: 'Don’t answer' }).click()
  await page.getByText('You skipped this').waitFor()
  await expect.poll(() => served.calls.at(-1)?.inputResponses).toEqual({ who: { action: 'decline' } })
})

it.skipIf(!chromiumPath)('fits a phone, in German', async () => {
  const phone = await browser.open(chat.stack.url, { width: 360, height: 740, locale: 'de-DE', touch: true })
  await phone.getByRole('button', { name: 'Demo ausprobieren' }).click()
  served.answer(({ inputResponses }) => (inputResponses ? 'Found.' : form))
  await phone.getByRole('textbox', { name: 'Nachricht' }).fill('Finde eine Reise')
  await phone.getByRole('button', { name: 'Senden', exact: true }).click()
  const asked = card(phone, 'fragt')
  await asked.getByText(`Vorgeschlagen von ${served.host}`).waitFor()
  await asked.getByText('Passwörter und Codes gehören nie hierher.').waitFor()
  expect(await sidewaysScroll(phone)).toBe(0)
  expect(await findBarriers(phone)).toEqual([])
  await asked.getByRole('button', { name: 'Nicht antworten' }).click()
  await phone.getByText('That is it.').waitFor()
})
