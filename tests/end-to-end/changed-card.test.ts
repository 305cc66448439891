import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { chromiumPath, findBarriers, openDemo } from '../../support/browser.ts'
import { conversation, write } from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { withDatabase } from '../../support/chat-user.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// What a yes relied on has changed: the card comes anew, and says what, in the reader's language.

const [browser, chat] = useBrowser(() => startChatStack())
let page: Page

beforeAll(async () => {
  if (!chromiumPath) return
  page = await openDemo(browser, chat.stack.url)
})

/** A document of the demo user, whose agent always asks before it replaces a text. */
const makeDocument = (content: string) =>
  withDatabase(chat.stack, async (sql) => {
    const { email } = chat.stack.demoUser
    const [user] = await sql`select id from auth.users where email = ${email}`
    await sql`
      insert into askback.agent_tool_permissions (agent_id, tool_name, approval)
      select id, 'docs_replace_text', 'always' from askback.agents where user_id = ${user?.id}
      on conflict (agent_id, tool_name) do update set approval = excluded.approval`
    const [row] = await sql`
      insert into askback.documents (user_id, title, content) values (${user?.id}, 'Plan', ${content}) returning id`
    return String(row?.id)
  })

it.skipIf(!chromiumPath)('is shown by the card, in English and in German, and then done', async () => {
  const id = await makeDocument('The cat sat.')
  const contentOf = () =>
    withDatabase(chat.stack, async (sql) => {
      const [row] = await sql`select content from askback.documents where id = ${id}`
      return String(row?.content)
    })
  chat.model.use(({ body }) =>
    body.messages.at(-1)?.role === 'tool'
      ? say('That is done.')
      : callTool('docs_replace_text', { document_id: id, find: 'cat', replace: 'dog' }),
  )
  await page.goto(chat.stack.url)
  await write(page, 'Replace the word')
  const card = page.locator('.askback-approval')
  await card.getByText('Replace words in a document?').waitFor()
  await withDatabase(chat.stack, async (sql) => {
    await sql`select askback_private.write_document(${id}, 'The cat sat. cat cat cat cat cat')`
  })
  await card.locator('.askback-primary').click()
  await card.getByText('6 places now; it was 1.').waitFor()
  await card.getByText('Replace words in a document?').waitFor()
  expect(await contentOf()).toBe('The cat sat. cat cat cat cat cat')
  expect(await findBarriers(page)).toEqual([])
  await page.evaluate(() => localStorage.setItem('askback-language', 'de'))
  await page.reload()
  await card.getByText('Jetzt sind es 6 Stellen; vorher war es 1.').waitFor()
  expect(await card.getByText('6 places now').count()).toBe(0)
  await card.locator('.askback-primary').click()
  await page.getByText('That is done.').waitFor()
  await expect.poll(contentOf).toBe('The dog sat. dog dog dog dog dog')
  await page.evaluate(() => localStorage.removeItem('askback-language'))
  await page.reload()
  await conversation(page).getByText('That is done.').waitFor()
})
