import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { signUp, withDatabase } from '../../support/chat-user.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, stack] = useBrowser(() => startStack())

describe.skipIf(!chromiumPath)('a banned user', () => {
  it('reads why on every page, and nowhere that there is nothing yet', async () => {
    const { id, email, token } = await signUp(stack)
    await withDatabase(
      stack,
      (sql) => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${id}`,
    )
    const page = await browser.open(stack.url)
    const session = {
      access_token: token,
      refresh_token: 'none',
      token_type: 'bearer',
      expires_in: 3600,
      expires_at: Math.floor(Date.now() / 1000) + 3600,
      user: { id, email },
    }
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key as string, value as string),
      [`askback-${new URL(stack.url).host}`, JSON.stringify(session)],
    )
    for (const path of ['/agents', '/insights', '/waiting', '/settings/integrations']) {
      await page.goto(`${stack.url}${path}`)
      await page.getByRole('main').getByText('This account is disabled.').waitFor()
      expect(
        await page
          .getByRole('main')
          .getByText(/create one now|No calls in the last/)
          .count(),
      ).toBe(0)
    }
    for (const { status } of browser.complaints()) expect(status).toBe(403)
    await page.context().close()
  })
})
