import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FrameLocator, Locator, Page, Route } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { chromiumPath, findBarriers, resize } from '../../support/browser.ts'
import {
  approvals,
  conversation,
  covered,
  dockedCard,
  isOnTop,
  messageBox,
  write,
} from '../../support/chat-page.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval, signInDemo, signUp, withDatabase } from '../../support/chat-user.ts'
import { makeClientApp } from '../../support/client-app.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { useBrowser } from '../../support/use-browser.ts'

// `<AskbackChat>` as the README has it, in an app that has nothing else of ours.

const [browser, chat] = useBrowser(() => startChatStack())
let folder: string
let menus = 0
let server: Awaited<ReturnType<typeof preview>>
const url = () => server.resolvedUrls?.local[0] ?? ''
const list = (page: Page) => page.getByRole('region', { name: 'Conversations' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const toNewest = (page: Page) => page.getByRole('button', { name: 'Newest message' })
/** How many pixels of the conversation are below its edge. */
const unread = (page: Page) =>
  conversation(page).evaluate((log) => {
    const {
      scrollHeight = 0,
      scrollTop = 0,
      clientHeight = 0,
    } = log.closest('.askback-chat-scroll > *') ?? {}
    return scrollHeight - scrollTop - clientHeight
  })

/** For a page whose keyboard only covers it, see `cover`. */
const fakeKeyboard = () => {
  const seen = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: 640 })
  Object.defineProperty(globalThis, 'visualViewport', { value: seen })
}
const cover = (page: Page, height: number) =>
  page.evaluate((height) => {
    Object.assign(visualViewport ?? {}, { height })
    visualViewport?.dispatchEvent(new Event('resize'))
  }, height)

const formulas = `The area is $\\pi r^2$, which costs $5 or $6.

$$
\\int_0^1 x^2 \\, dx = \\frac{1}{3}
$$

\\[ \\href{javascript:alert(1)}{x} \\includegraphics{https://192.0.2.1/a.png} \\]

\\(\\text{<img src="https://192.0.2.1/b.png">}\\)`

/** Somebody else signs in, in the app that is open. */
const signIn = (
  page: Page,
  { email, password = 'correct horse battery' }: { email: string; password?: string },
) =>
  page.evaluate(
    (facts) =>
      (
        globalThis as never as { supabase: { auth: { signInWithPassword(facts: object): Promise<unknown> } } }
      ).supabase.auth.signInWithPassword(facts),
    { email, password },
  )

/** Another site that shows the app in a frame, until its test has ended. Resolves to its address. */
async function serveAround(): Promise<string> {
  const site = createServer((request, response) => {
    const src = url() + request.url?.slice(1)
    response.setHeader('content-type', 'text/html')
    response.end(`<iframe title="app" width="900" height="700" src="${src}"></iframe>`)
  })
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  onTestFinished(() => void site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}
const cardIn = (app: FrameLocator) => app.getByRole('group', { name: 'Approval needed' })
async function sayIn(app: FrameLocator, text: string) {
  await app.getByRole('textbox', { name: 'Message' }).fill(text)
  await app.getByRole('button', { name: 'Send', exact: true }).click()
}
async function openOutside(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page')
  await cardIn(page.frameLocator('iframe')).getByRole('link', { name: 'Open to approve' }).click()
  return await opened
}

describe.skipIf(!chromiumPath)('the whole chat', () => {
  beforeAll(async () => {
    chat.model.use(({ body }) => {
      const last = body.messages.at(-1)
      const said = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content)
      if (last?.role === 'tool') return say('That is done.')
      if (said.includes('Invite'))
        return callTool('smtp_send_email', { to: ['ada@example.com'], subject: 'Party', body: 'Come.' })
      if (said.includes('somebody')) return callTool('smtp_send_email', { subject: 'Party', body: 'Come.' })
      if (said.includes('menu')) return say(`# Menu ${++menus}`)
      if (said.includes('formula')) return say(formulas)
      return say('# Plan\n\n| who | what |\n|---|---|\n| Ada | tea |\n\n```ts\nconst tea = 1\n```')
    })
    await setMailApproval(chat.stack, 'always')
    const demo = await signInDemo(chat.stack)
    // The functions have started when a page asks them.
    await demo.post({ message: 'Plan nothing' })
    folder = await mkdtemp(join(tmpdir(), 'askback-whole-'))
    const root = await makeClientApp(folder, chat.stack, { chat: 'whole' })
    const main = join(root, 'main.tsx')
    const code = (await readFile(main, 'utf8'))
      .replace("createElement('div')", "createElement('main')")
      .replace(
        /(createRoot\(.*\))\.render\((.*)\)/,
        'globalThis.root = $1; root.render(globalThis.chat = $2)',
      )
    await writeFile(main, `${code}\nglobalThis.supabase = supabase`)
    const whole = join(root, 'chat-whole.tsx')
    await writeFile(
      whole,
      (await readFile(whole, 'utf8')).replace(
        'askback={askback}',
        'askback={askback} allowedFrames={new URLSearchParams(location.search).getAll("allowed")}',
      ),
    )
    const options = { root, configFile: false as const, logLevel: 'error' as const }
    await build({ ...options, build: { target: 'es2022' } })
    server = await preview({ ...options, preview: { port: 0, host: '127.0.0.1' } })
  })
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('renders Markdown, lists the conversation, and finds it again by a word', async () => {
    const page = await browser.open(url())
    await write(page, 'Plan the tea')
    await conversation(page).getByRole('table').waitFor()
    await conversation(page).locator('figure pre').getByText('const tea = 1').waitFor()
    await list(page).getByRole('link', { name: 'Plan the tea' }).first().waitFor()
    expect(await findBarriers(page)).toEqual([])
    await press(page, 'New chat')
    await page.getByText('What can I do for you?').waitFor()
    await page.getByRole('searchbox', { name: 'Search conversations' }).fill('tea')
    await list(page)
      .getByRole('status')
      .getByText(/\d result/)
      .waitFor()
    await list(page).getByRole('link', { name: 'Plan the tea' }).first().click()
    await conversation(page).getByRole('table').waitFor()
    await page.reload()
    await conversation(page).getByRole('table').waitFor()
  })

  it('rates, regenerates and edits', async () => {
    const page = await browser.open(url())
    await write(page, 'Plan the supper')
    await conversation(page).getByRole('table').waitFor()
    await conversation(page).getByRole('button', { name: 'Good answer' }).click()
    await conversation(page).getByRole('button', { name: 'Good answer', pressed: true }).waitFor()
    await press(page, 'Regenerate')
    await conversation(page).getByRole('button', { name: 'Good answer', pressed: false }).waitFor()
    await press(page, 'Edit message')
    await messageBox(page).fill('Plan the breakfast')
    await press(page, 'Send')
    await conversation(page).getByText('Plan the breakfast').waitFor()
    expect(await conversation(page).getByText('Plan the supper').count()).toBe(0)
  })

  it('has nothing in the way of a decision above the keyboard of a phone', async () => {
    const page = await browser.open(url(), { width: 360, height: 640 })
    await write(page, 'Invite ada@example.com')
    const docked = dockedCard(page)
    await docked.getByRole('button', { name: 'Send email' }).waitFor()
    await resize(page, { width: 360, height: 340 })
    await expect.poll(() => covered(docked)).toEqual([])
    await press(page, 'Write a message instead')
    await approvals(page).getByRole('button', { name: 'Send email' }).waitFor()
    await expect.poll(() => covered(approvals(page))).toEqual([])
  })

  it('shows what sends a form while it is filled in above the keyboard of a phone', async () => {
    const page = await browser.open(url(), { width: 360, height: 640 })
    await write(page, 'Write to somebody')
    const docked = dockedCard(page)
    const field = docked.getByRole('textbox', { name: 'Recipient email address' })
    await field.waitFor()
    await resize(page, { width: 360, height: 340 })
    await field.fill('ada@example.com')
    const inSight = (one: Locator) => expect.poll(() => one.evaluate(isOnTop)).toBe(true)
    await inSight(field)
    await inSight(docked.getByRole('button', { name: 'Send email' }))
    await expect.poll(() => covered(docked)).toEqual([])
    await docked.getByRole('button', { name: 'Deny' }).click()
    await docked.waitFor({ state: 'detached' })
  })

  it('gives way to a keyboard that only covers the page', async () => {
    const page = await browser.open('about:blank', { width: 360, height: 640 })
    await page.addInitScript(fakeKeyboard)
    await page.goto(url())
    await write(page, 'Write to somebody')
    const docked = dockedCard(page)
    await docked.getByRole('textbox').first().focus()
    const button = docked.getByRole('button', { name: 'Send email' })
    const middle = () =>
      button.evaluate((one) => one.getBoundingClientRect()).then(({ y, height }) => y + height / 2)
    await expect.poll(middle).toBeGreaterThan(340)
    await cover(page, 340)
    await expect.poll(middle).toBeLessThan(340)
    await cover(page, 640)
    await expect.poll(middle).toBeGreaterThan(340)
    await docked.getByRole('button', { name: 'Deny' }).click()
    await docked.waitFor({ state: 'detached' })
  })

  it('stays at its end whenever the keyboard of a phone comes and goes', async () => {
    const page = await browser.open(url(), { width: 360, height: 640 })
    await write(page, 'Plan the lunch')
    await page.getByRole('button', { name: 'Regenerate' }).waitFor()
    const shrink = async () => {
      await resize(page, { width: 360, height: 300 })
      await expect.poll(() => toNewest(page).count()).toBe(0)
      await expect.poll(() => unread(page)).toBeLessThan(2)
    }
    await shrink()
    await resize(page, { width: 360, height: 640 })
    await expect.poll(() => unread(page)).toBeLessThan(2)
    await shrink()
    await write(page, 'Plan the tea')
    await expect.poll(() => conversation(page).getByRole('table').count()).toBe(2)
    await page.getByRole('button', { name: 'Regenerate' }).nth(1).waitFor()
    await expect.poll(() => unread(page)).toBeLessThan(2)
    await resize(page, { width: 360, height: 640 })
    await shrink()
  })

  it('follows what a message and a decision lead to above the keyboard of a phone', async () => {
    const page = await browser.open(url(), { width: 360, height: 640 })
    await write(page, 'Plan the tea')
    await conversation(page).getByRole('table').waitFor()
    await resize(page, { width: 360, height: 340 })
    await write(page, 'Invite ada@example.com')
    const docked = dockedCard(page)
    await docked.getByRole('button', { name: 'Send email' }).waitFor()
    expect(await toNewest(page).isVisible()).toBe(false)
    await docked.getByRole('button', { name: 'Send email' }).click()
    const done = conversation(page).getByText('That is done.')
    await done.waitFor()
    await expect.poll(() => done.evaluate(isOnTop)).toBe(true)
    await expect.poll(() => unread(page)).toBeLessThan(2)
    await conversation(page).evaluate((log) => log.closest('.askback-chat-scroll > *')?.scrollTo(0, 0))
    await toNewest(page).waitFor()
    await write(page, 'Plan the supper')
    await expect.poll(() => conversation(page).getByRole('table').count()).toBe(2)
    await expect.poll(() => unread(page)).toBeLessThan(2)
  })

  it('shows no way to the newest message above a card that stands in place of the composer', async () => {
    const page = await browser.open(url(), { width: 360, height: 640 })
    await write(page, 'Plan the tea')
    await conversation(page).getByRole('table').waitFor()
    await write(page, 'Invite ada@example.com')
    await dockedCard(page).getByRole('button', { name: 'Send email' }).waitFor()
    await conversation(page).evaluate((log) => log.closest('.askback-chat-scroll > *')?.scrollTo(0, 0))
    await page.locator('.askback-to-newest').waitFor({ state: 'attached' })
    expect(await toNewest(page).isVisible()).toBe(false)
    await dockedCard(page).getByRole('button', { name: 'Deny' }).click()
  })

  it.each(['makes the page lower', 'covers the page'])(
    'shows the field of a card that is typed in above a keyboard that %s',
    async (how) => {
      const page = await browser.open('about:blank', { width: 360, height: 640 })
      const covers = how.startsWith('covers')
      if (covers) await page.addInitScript(fakeKeyboard)
      await page.goto(url())
      await write(page, 'Invite ada@example.com')
      const docked = dockedCard(page)
      await docked.getByText('Add a reason').locator('..').click()
      const field = docked.getByRole('textbox', { name: 'Reason for denying' })
      await field.click()
      if (covers) await cover(page, 340)
      else await resize(page, { width: 360, height: 340 })
      await expect
        .poll(() => field.evaluate((one) => one.getBoundingClientRect().bottom))
        .toBeLessThanOrEqual(340)
      await expect.poll(() => field.evaluate(isOnTop)).toBe(true)
      if (covers) await cover(page, 640)
      await docked.getByRole('button', { name: 'Deny' }).click()
    },
  )

  it('says at once that nothing waits any more', async () => {
    await withDatabase(chat.stack, (sql) => sql`delete from askback.conversations`)
    const page = await browser.open('about:blank')
    // Without its clock.
    await page.addInitScript(() => Object.assign(globalThis, { setInterval: () => 0 }))
    await page.goto(url())
    await write(page, 'Invite ada@example.com')
    const waits = page.getByRole('button', { name: '1 waiting for you' })
    await waits.waitFor()
    await approvals(page).getByRole('button', { name: 'Deny' }).click()
    await waits.waitFor({ state: 'detached' })
  })

  it('docks cards and folds its list by its own width, not that of the window', async () => {
    const page = await browser.open(url())
    await page.getByText('What can I do for you?').waitFor()
    await page.locator('main').evaluate((main) => {
      main.style.cssText = 'width: 380px; height: 420px; margin: 40px'
    })
    await page.getByRole('button', { name: 'Conversations' }).waitFor()
    expect(await list(page).isVisible()).toBe(false)
    await write(page, 'Invite ada@example.com')
    const docked = dockedCard(page)
    await docked.getByRole('button', { name: 'Send email' }).waitFor()
    await expect.poll(() => covered(docked)).toEqual([])
    await page.locator('main').evaluate((main) => {
      main.style.width = '1000px'
    })
    await docked.waitFor({ state: 'detached' })
    await approvals(page).getByRole('button', { name: 'Send email' }).waitFor()
    expect(await list(page).isVisible()).toBe(true)
  })

  it('leads the keyboard into its list and back where the list takes the place of the conversation', async () => {
    const page = await browser.open(url(), { width: 360, height: 640 })
    await write(page, 'Plan the harvest')
    await conversation(page).getByRole('table').waitFor()
    const opens = page.getByRole('button', { name: 'Conversations', exact: true })
    const focused = (place: Locator) =>
      expect.poll(() => place.evaluate((one) => one === document.activeElement)).toBe(true)
    const search = list(page).getByRole('searchbox')
    await opens.press('Enter')
    await focused(list(page).getByRole('button', { name: 'New chat' }))
    await page.keyboard.press('Escape')
    await focused(opens)
    expect(await list(page).isVisible()).toBe(false)
    await opens.press('Enter')
    await search.fill('harvest')
    // The first one leaves the search.
    await search.press('Escape')
    expect(await search.inputValue()).toBe('')
    await list(page).getByRole('button', { name: 'Back to the chat' }).press('Enter')
    await focused(opens)
    await opens.press('Enter')
    await search.fill('harvest')
    await list(page)
      .getByRole('status')
      .getByText(/\d result/)
      .waitFor()
    await list(page).getByRole('link', { name: 'Plan the harvest' }).first().press('Enter')
    // A search leads to the message that it has found.
    await focused(conversation(page).getByRole('article').filter({ hasText: 'harvest' }).first())
    await opens.press('Enter')
    await focused(list(page).getByRole('button', { name: 'New chat' }))
    expect(await search.inputValue()).toBe('')
  })

  it('shows formulas once there are some, and nothing else of what stands in them', async () => {
    const page = await browser.open(url())
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await write(page, 'Plan the tea')
    await conversation(page).getByRole('table').waitFor()
    expect(asked.filter((address) => address.includes('formula'))).toEqual([])
    await write(page, 'Show a formula')
    const answer = conversation(page).getByRole('article', { name: 'Answer' }).last()
    await answer.locator('math[display=block] mfrac').waitFor()
    await answer.locator('math msup').first().waitFor()
    expect(await answer.textContent()).toContain('which costs $5 or $6.')
    expect(await answer.locator('img, a, [href], [src]').count()).toBe(0)
    expect(await answer.getByText('<img src="https://192.0.2.1/b.png">').count()).toBe(1)
    expect(await answer.getByText('includegraphics').count()).toBe(1)
    expect(asked.filter((address) => address.includes('192.0.2.1'))).toEqual([])
    expect(await findBarriers(page)).toEqual([])
  })

  it('keeps the answers that others have taken the place of', async () => {
    const page = await browser.open(url())
    const answer = (number: number) => conversation(page).getByText(`Menu ${number}`, { exact: true })
    await write(page, 'Plan the menu')
    await answer(1).waitFor()
    await press(page, 'Regenerate')
    await answer(2).waitFor()
    await page.getByText('2 of 2').waitFor()
    await press(page, 'Previous answer')
    await answer(1).waitFor()
    await page.getByText('The chat continues with the latest answer.').waitFor()
    expect(await page.getByRole('button', { name: 'Regenerate' }).count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await press(page, 'Next answer')
    await answer(2).waitFor()
    await press(page, 'Regenerate')
    await answer(3).waitFor()
    await page.reload()
    await page.getByText('3 of 3').waitFor()
    await press(page, 'Edit message')
    await messageBox(page).fill('Plan another menu')
    await press(page, 'Send')
    await answer(4).waitFor()
    await page.getByRole('button', { name: 'Regenerate' }).waitFor()
    // They answered other words.
    expect(await page.getByText(/\d of \d/).count()).toBe(0)
  })

  it('renames, pins and deletes by keyboard', async () => {
    const page = await browser.open(url())
    await write(page, 'Plan the garden')
    const row = list(page).getByRole('link', { name: 'Plan the garden', exact: true })
    await row.waitFor()
    await row.focus()
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    await press('ArrowRight', 'Enter')
    await list(page).getByRole('button', { name: 'Rename' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).fill('The garden')
    await press('Enter')
    await page.getByRole('heading', { name: 'The garden' }).waitFor()
    const renamed = list(page).getByRole('link', { name: 'The garden', exact: true })
    await renamed.focus()
    await press('ArrowRight', 'Enter', 'Tab', 'Enter')
    await list(page).getByRole('heading', { name: 'Pinned' }).waitFor()
    await renamed.focus()
    await press('ArrowRight', 'Enter')
    await list(page).getByRole('button', { name: 'Unpin' }).waitFor()
    await list(page).getByRole('button', { name: 'Delete' }).click()
    await list(page).getByText('What was sent stays sent.').waitFor()
    await press('Escape')
    await renamed.waitFor()
    await press('Enter')
    await list(page).getByRole('button', { name: 'Delete' }).click()
    await press('Tab', 'Enter')
    await renamed.waitFor({ state: 'detached' })
    await page.getByText('What can I do for you?').waitFor()
  })

  it('brings back what could not be sent after its chat was left, and why', async () => {
    const page = await browser.open(url())
    await write(page, 'Plan the walk')
    await conversation(page).getByRole('table').waitFor()
    const held: Route[] = []
    await page.route(/\/functions\/v1\/chat$/, (route) => void held.push(route))
    const sendAndLeave = async (text: string, leave: () => void) => {
      await messageBox(page).fill(text)
      await page.evaluate(`document.querySelector('.askback-composer').requestSubmit(); (${leave})()`)
      await expect.poll(() => held.length).toBe(1)
      await held.pop()?.abort('failed')
    }
    await sendAndLeave('Plan the dinner', () =>
      document.querySelector<HTMLElement>('.askback-chat-list .askback-button')?.click(),
    )
    await page.getByRole('alert').getByText('Your last message wasn’t sent.').waitFor()
    await list(page).getByRole('link', { name: 'Plan the walk' }).first().click()
    await conversation(page).getByText('Plan the dinner').waitFor()
    await page.getByRole('alert').getByText('Your last message wasn’t sent.').first().waitFor()
    await press(page, 'New chat')
    await page.getByText('What can I do for you?').waitFor()
    await sendAndLeave('Plan the party', () =>
      (globalThis as never as { root: { render(node: unknown): void } }).root.render(null),
    )
    await expect.poll(() => page.getByRole('textbox').count()).toBe(0)
    await page.evaluate('root.render(chat)')
    await conversation(page).getByText('Plan the party').waitFor()
    await page.unroute(/\/functions\/v1\/chat$/)
    await press(page, 'Try again')
    await conversation(page).getByRole('table').waitFor()
    expect(await conversation(page).getByText('Plan the party').count()).toBe(1)
    browser.complaints()
  })

  it('approves on the page of the item, if the site around it may not have it approved there', async () => {
    const page = await browser.open(await serveAround())
    const app = page.frameLocator('iframe')
    await chat.stack.inbox.clear()
    await sayIn(app, 'Invite ada@example.com')
    await cardIn(app).getByText('could cover parts of it').waitFor()
    expect(await cardIn(app).getByRole('button', { name: 'Send email' }).count()).toBe(0)
    const own = await openOutside(page)
    await own.waitForURL(/\/open#askl_/)
    expect(await own.evaluate('opener')).toBe(null)
    await own.getByRole('button', { name: 'Sign in' }).click()
    await own.getByRole('button', { name: 'Try the demo' }).click()
    await own.getByRole('button', { name: 'Send email' }).dblclick()
    await own.getByText('Sent "Party" to "ada@example.com"').waitFor()
    await app.getByText('That is done.').waitFor()
    await app.getByText('You approved').waitFor()
    expect(await cardIn(app).count()).toBe(0)
    expect(await chat.stack.inbox.messages()).toHaveLength(1)
  })

  it('approves in the conversation outside of the frame, if the item has no page', async () => {
    const page = await browser.open(await serveAround())
    await page.route(/\/link$/, (route) => route.abort('failed'))
    await sayIn(page.frameLocator('iframe'), 'Invite ada@example.com')
    const own = await openOutside(page)
    await own.getByRole('button', { name: 'Send email' }).waitFor()
    expect(await own.getByRole('link', { name: 'Open to approve' }).count()).toBe(0)
    browser.complaints()
  })

  it('approves inside the frame of a site that the app allows', async () => {
    const around = await serveAround()
    const page = await browser.open(`${around}/?allowed=${encodeURIComponent(around)}`)
    const app = page.frameLocator('iframe')
    await sayIn(app, 'Invite ada@example.com')
    await cardIn(app).getByRole('button', { name: 'Send email' }).waitFor()
    expect(await cardIn(app).getByRole('link', { name: 'Open to approve' }).count()).toBe(0)
  })

  it('leaves nothing of a user to the next one', async () => {
    const page = await browser.open(url())
    await write(page, 'Invite ada@example.com')
    await approvals(page).waitFor()
    await list(page).getByRole('link', { name: 'Invite ada@example.com' }).first().waitFor()
    await messageBox(page).fill('For nobody else')
    await signIn(page, await signUp(chat.stack))
    await page.getByText('What can I do for you?').waitFor()
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await messageBox(page).inputValue()).toBe('')
    expect(await approvals(page).count()).toBe(0)
    expect(await list(page).getByRole('link').count()).toBe(0)
    expect(await page.getByText('waits for you').count()).toBe(0)
    expect(browser.complaints().filter(({ status }) => status !== 404)).toEqual([])
  })

  it('sends nothing of a user as the next one', async () => {
    const page = await browser.open('about:blank')
    const held: Route[] = []
    await page.route(/chat-engine/, (route) => void held.push(route))
    await page.goto(url())
    await messageBox(page).fill('Plan my secret')
    await messageBox(page).press('Enter')
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await expect.poll(() => held.length).toBe(1)
    await signIn(page, await signUp(chat.stack))
    await page.getByText('What can I do for you?').waitFor()
    const requests = chat.model.requests.length
    await held.pop()?.continue()
    await write(page, 'Plan the tea')
    await conversation(page).getByRole('table').waitFor()
    const said = JSON.stringify(chat.model.requests.slice(requests).map(({ body }) => body))
    expect(said).toContain('Plan the tea')
    expect(said).not.toContain('secret')
    await signIn(page, chat.stack.demoUser)
    await conversation(page).getByText('Plan my secret').waitFor()
    await page.getByText('Your last message wasn’t sent.').waitFor()
    browser.complaints()
  })
})
