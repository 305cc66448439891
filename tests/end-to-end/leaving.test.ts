import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { chromiumPath, findBarriers } from '../../support/browser.ts'
import { type ChatUser, signUp, withDatabase } from '../../support/chat-user.ts'
import { request } from '../../support/equipped-user.ts'
import { startStack } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, stack] = useBrowser(() => startStack())

describe.skipIf(!chromiumPath)('leaving', () => {
  afterEach(() => {
    // Whoever is gone is refused, and a request that was stopped has failed.
    expect(browser.complaints().filter(({ status }) => status !== 403 && status !== 0)).toEqual([])
  })

  const left = async ({ id }: ChatUser) =>
    (await withDatabase(stack, (sql) => sql`select 1 from auth.users where id = ${id}`)).length

  /** The account page of a user whose account has lost its address, or never had one: anonymous, or with a phone. */
  async function openWithout(
    user: ChatUser,
    facts: { phone?: string; is_anonymous?: boolean },
    locale: string,
  ) {
    await withDatabase(
      stack,
      (sql) => sql`update auth.users set ${sql({ email: null, ...facts })} where id = ${user.id}`,
    )
    const page = await browser.open(stack.url, { locale })
    await page.evaluate(
      ([key, session]) => localStorage.setItem(key as string, session as string),
      [
        `askback-${new URL(stack.url).host}`,
        JSON.stringify({
          access_token: user.token,
          refresh_token: 'none',
          token_type: 'bearer',
          expires_in: 3600,
          expires_at: Math.floor(Date.now() / 1000) + 3600,
          user: { id: user.id, email: '', phone: '', ...facts },
        }),
      ],
    )
    await page.goto(`${stack.url}/settings/account`)
    return page
  }

  it('deletes an anonymous account once the word that the page shows is typed', async () => {
    const user = await signUp(stack)
    const page = await openWithout(user, { is_anonymous: true }, 'en')
    await page.getByText('Signed in without an email address.').waitFor()
    // There is no password to change.
    expect(await page.getByRole('form', { name: 'Password' }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    const form = page.getByRole('form', { name: 'Delete account' })
    const word = form.getByRole('textbox', { name: 'Type DELETE to confirm' })
    await word.fill('remove')
    await form.getByRole('button').click()
    await form.getByText('Type DELETE to confirm.').waitFor()
    expect(await left(user)).toBe(1)
    await word.fill('delete ')
    await form.getByRole('button').click()
    await page.getByText('Your account and everything in it have been deleted.').waitFor()
    expect(await left(user)).toBe(0)
    await page.context().close()
  })

  it('deletes an account with a phone, in German', async () => {
    const user = await signUp(stack)
    const page = await openWithout(user, { phone: '4915112345678' }, 'de')
    await page.getByText('Angemeldet als 4915112345678.').waitFor()
    const form = page.getByRole('form', { name: 'Konto löschen' })
    await form.getByRole('textbox', { name: 'Gib zur Bestätigung LÖSCHEN ein' }).fill('LÖSCHEN')
    await form.getByRole('button').click()
    await page.getByText('Dein Konto und alles darin ist gelöscht.').waitFor()
    expect(await left(user)).toBe(0)
    await page.context().close()
  })

  describe('with tokens for OpenAI clients', () => {
    const signIn = async (user: ChatUser): Promise<Page> => {
      const page = await browser.open(`${stack.url}/settings/account`)
      await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
      await page.getByLabel('Password').fill('correct horse battery')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('region', { name: 'Devices' }).waitFor()
      return page
    }
    const withToken = async () => {
      const user = await signUp(stack)
      const { json } = await request(stack, user, 'POST', '/integration-settings/tokens', { name: 'Mine' })
      const token = { token: json.token.value as string }
      return { user, use: async () => (await request(stack, token, 'GET', '/chat/v1/models')).status }
    }

    it('signing out on one device leaves them as they are', async () => {
      const { user, use } = await withToken()
      const page = await signIn(user)
      await page.getByRole('button', { name: 'Sign out', exact: true }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      expect(await use()).toBe(200)
      await page.context().close()
    })

    it('ending all sessions at Supabase Auth leaves them, too', async () => {
      const { user, use } = await withToken()
      const ended = await fetch(`${stack.url}/auth/v1/logout?scope=global`, {
        method: 'POST',
        headers: { apikey: stack.keys.publishableKey, authorization: `Bearer ${user.token}` },
      })
      expect(ended.status).toBe(204)
      expect(await use()).toBe(200)
    })

    it('signing out everywhere revokes them, and says so before', async () => {
      const { user, use } = await withToken()
      const page = await signIn(user)
      await page.getByText('All your tokens for OpenAI clients are revoked for good.').waitFor()
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page
        .getByText('You are signed out on all of your devices, and your tokens are revoked.')
        .waitFor()
      expect(await use()).toBe(401)
      await page.context().close()
    })

    it('nobody is signed out if they cannot be revoked', async () => {
      const { user, use } = await withToken()
      const page = await signIn(user)
      await page.route('**/integration-settings/tokens', (route) => route.abort())
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('status').filter({ hasText: /./ }).first().waitFor()
      await page.getByRole('region', { name: 'Devices' }).waitFor()
      expect(await use()).toBe(200)
      await page.unrouteAll()
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByText('your tokens are revoked.').waitFor()
      expect(await use()).toBe(401)
      await page.context().close()
    })
  })
})
