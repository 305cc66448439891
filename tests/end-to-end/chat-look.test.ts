import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../support/announcements.ts'
import {
  chromiumPath,
  downwardScroll,
  findBarriers,
  openDemo,
  resize,
  sidewaysScroll,
} from '../../support/browser.ts'
import { approvals, dockedCard, messageBox, pressUntil, write } from '../../support/chat-page.ts'
import { type ChatStack, startChatStack } from '../../support/chat-stack.ts'
import { signInDemo, withDatabase } from '../../support/chat-user.ts'
import { demoScript } from '../../support/demo-script.ts'
import { gate } from '../../support/gate.ts'
import { storeLongConversation } from '../../support/long-conversation.ts'
import { callTool, say } from '../../support/model-reply.ts'
import { recipientQuestion } from '../../support/recipient-question.ts'
import { useBrowser } from '../../support/use-browser.ts'

const [browser, chat] = useBrowser(() => startChatStack({ ASKBACK_SIMULATE: 'search' }))
let page: Page

const release: (() => void)[] = []
const letGo = () => {
  for (const one of release.splice(0)) one()
}
const held = () => new Promise<void>((resolve) => release.push(resolve))

const invitation = {
  to: ['ada@example.com'],
  bcc: ['bob@example.com'],
  reply_to: 'team@example.com',
  subject: 'Summer party',
  body: 'You are invited.',
  html: '<h1>You are invited</h1><img src="https://evil.example/pixel.png">',
  attachments: [
    { filename: 'plan.txt', content: 'The plan.' },
    { filename: 'map.csv', content: 'a,b' },
  ],
}
/** A line of each language that is coloured, and one that is not. */
const languages = [
  ['ts', 'export const a: number = 1'],
  ['javascript', 'const a = "text"'],
  ['python', 'def add(a): return None'],
  ['json', '{ "name": true }'],
  ['sh', 'if true; then echo done; fi'],
  ['sql', 'select 1 from t'],
  ['html', '<b class="x">bold</b>'],
  ['css', '.a { color: red }'],
  ['yaml', 'name: 1'],
  ['brainfuck', '++[->+<]'],
]
/** A key of a simulated search provider, for the demo user. */
async function connectSearch({ stack }: ChatStack): Promise<void> {
  const { token } = await signInDemo(stack)
  const response = await fetch(`${stack.url}/functions/v1/integration-settings/connections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ provider: 'serper', values: { api_key: 'good-key' } }),
  })
  expect(response.ok).toBe(true)
}

describe.skipIf(!chromiumPath)('the look and the feel of the chat in a browser', () => {
  beforeAll(async () => {
    const script = demoScript({
      'Think about it': () => say('It is **42**.', { thoughts: 'Six times seven.' }),
      'Ponder for long': () =>
        say('Never said.', { thoughts: 'Hm. '.repeat(20), hang: true, afterChunks: 6 }),
      'Show code': () => say('```ts\nconst a = 1\n```\n\n| Name | Count |\n|---|---|\n| one | 1 |'),
      'Show languages': () =>
        say(languages.map(([name, code]) => `\`\`\`${name}\n${code}\n\`\`\``).join('\n\n')),
      'Show tasks': () =>
        say('- [x] Write *it*\n- [ ] Test it\n  - [ ] in Chromium\n\n1. [ ] Ship it\n\n   With care.'),
      'Send the invitation': () => callTool('smtp_send_email', invitation),
    })
    chat.model.use(async (request) => {
      const last = request.body.messages.at(-1)
      if (last?.role === 'user' && JSON.stringify(last.content).includes('taking your time')) await held()
      return script(request)
    })
    await withDatabase(
      chat.stack,
      (database) => database`
        insert into askback.agent_llm_preferences (agent_id, fallbacks)
        select id, '[{"provider":"any","model":"second-model"}]'::jsonb from askback.agents
        on conflict (agent_id) do update set fallbacks = excluded.fallbacks`,
    )
    await storeLongConversation(chat.stack, 40)
    page = await openDemo(browser, chat.stack.url)
  })

  const message = () => messageBox(page)
  const isFocused = (selector: string) =>
    page.evaluate((one) => document.activeElement?.matches(one) ?? false, selector)

  /** By keyboard, from the composer to what the line above it names. */
  async function toCard() {
    const line = dockedCard(page).getByRole('button', { name: /:/ })
    await line.waitFor()
    for (let tabs = 0; tabs < 3; tabs++) {
      await page.keyboard.press('Shift+Tab')
      if (await line.evaluate((one) => one === document.activeElement)) return page.keyboard.press('Enter')
    }
    throw new Error('The line above the composer cannot be reached.')
  }

  /** What is asked for from anywhere else, from now on. */
  function listOutside(): string[] {
    const outside: string[] = []
    page.on('request', (request) => {
      if (!/^(?:data|about):/.test(request.url()) && !request.url().startsWith(chat.stack.url))
        outside.push(request.url())
    })
    return outside
  }
  async function begin(text: string) {
    await page.getByRole('button', { name: 'New chat' }).click()
    await write(page, text)
  }
  /** Until then an answer grows, and moves what is pressed. */
  const isOver = () => page.getByRole('button', { name: 'Send', exact: true }).waitFor()

  it('answers with the model that was chosen for the conversation, also after it was opened again', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const choice = page.getByRole('combobox', { name: 'Model' })
    await choice.waitFor()
    expect(await choice.getByRole('option').allInnerTexts()).toEqual(['scripted-model', 'second-model'])
    await choice.selectOption('second-model')
    await write(page, 'Think about it')
    await page.getByText('It is 42.').waitFor()
    expect(chat.model.requests.at(-1)?.body.model).toBe('second-model')
    await page.reload()
    await page.getByText('It is 42.').waitFor()
    await expect.poll(() => choice.inputValue()).toBe('any/second-model')
    await choice.selectOption('scripted-model')
    await write(page, 'Think about it again')
    await expect.poll(() => chat.model.requests.at(-1)?.body.model).toBe('scripted-model')
    await page.getByText('It is 42.').nth(1).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('It is 42.').nth(1).waitFor()
    await expect.poll(() => choice.inputValue()).toBe('')
  })

  it('shows thoughts while they are thought, folds them, and keeps them', async () => {
    await begin('Ponder for long')
    await page.getByText('Thinking …').waitFor()
    await page.getByText('Hm. Hm.').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    await begin('Think about it')
    await page.getByText('It is 42.').waitFor()
    await page.reload()
    await page.getByText('Thoughts', { exact: true }).waitFor()
    expect(await page.getByText('Six times seven.').isVisible()).toBe(false)
    await page.getByText('Thoughts', { exact: true }).click()
    await page.getByText('Six times seven.').waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('names what was found by number, and loads nothing of it', async () => {
    const outside = listOutside()
    await connectSearch(chat)
    await begin('Search the web for edge functions')
    const sources = page.getByRole('region', { name: 'Sources' })
    const first = sources.getByRole('link').first()
    await first.waitFor()
    expect(await first.innerText()).toMatch(/^1\s+edge functions/)
    expect(await first.getAttribute('rel')).toBe('noopener noreferrer')
    expect(await first.getAttribute('target')).toBe('_blank')
    await isOver()
    await sources.getByText('6 more').click()
    expect(await sources.getByRole('link').count()).toBe(10)
    expect(await findBarriers(page)).toEqual([])
    expect(outside).toEqual([])
  })

  it('takes the focus with a question from nobody who is in the composer, and gives it back', async () => {
    await begin('Send an email about the meeting, taking your time')
    await expect.poll(() => release.length).toBe(1)
    await message().fill('And by the way')
    letGo()
    const question = page.getByRole('form', { name: recipientQuestion })
    await question.waitFor()
    expect(await isFocused('.askback-composer textarea')).toBe(true)
    expect(await message().inputValue()).toBe('And by the way')

    await message().fill('')
    await begin('Send an email about the meeting, taking your time')
    await expect.poll(() => release.length).toBe(1)
    // Each letter from here on is meant for a message.
    await message().focus()
    letGo()
    for (let letters = 0; letters < 400 && (await question.count()) === 0; letters++)
      await page.keyboard.type('a')
    await question.waitFor()
    await page.keyboard.type('b')
    expect(await message().inputValue()).toMatch(/^a+b$/)
    expect(await question.getByRole('textbox').inputValue()).toBe('')

    await message().fill('')
    await toCard()
    await expect.poll(() => isFocused('.askback-question input')).toBe(true)
    await page.keyboard.type('ada@example.com')
    // Where the page has just led to, it takes no key that decides.
    await pressUntil(
      () => page.keyboard.press('Enter'),
      async () => (await page.getByText('I sent the email').count()) === 1,
    )
    await expect.poll(() => isFocused('.askback-composer textarea')).toBe(true)
  })

  it('says an answer once to who cannot see it: when it is complete', async () => {
    await begin('Think about it')
    await page.getByText('It is 42.').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
    const heard = await listen(page)
    await write(page, 'Think about it once more')
    await expect.poll(heard).toEqual(['Working …', 'It is 42.'])
    await page.getByText('Thoughts', { exact: true }).nth(1).click()
    await page.getByText('Six times seven.').nth(1).waitFor()
    expect(await heard()).toHaveLength(2)
  })

  it('shows a mail as it will be sent, lets a file be taken out, and is decided by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Agents' }).click()
    const permission = page.getByLabel('Permission for Send email', { exact: true })
    const saved = page.waitForResponse(
      (response) =>
        response.url().includes('/agent_tool_permissions') && response.request().method() === 'POST',
    )
    await permission.selectOption('Ask first')
    await saved
    const outside = listOutside()
    await chat.stack.inbox.clear()
    const people = 'ada@example.com, bob@example.com, team@example.com'
    await begin(`Send the invitation to ${people}`)
    const card = approvals(page)
    await card.getByText('bob@example.com', { exact: true }).waitFor()
    await card.getByText('team@example.com', { exact: true }).waitFor()
    await card.getByText('map.csv').waitFor()
    const look = card.locator('iframe')
    expect(await look.getAttribute('sandbox')).toBe('')
    expect(await look.contentFrame().getByRole('heading').innerText()).toBe('You are invited')
    expect(await findBarriers(page)).toEqual([])
    expect(await isFocused('.askback-composer textarea')).toBe(true)
    await toCard()
    await expect.poll(() => isFocused('[role=group]')).toBe(true)
    const press = async (name: string) => {
      const button = card.getByRole('button', { name })
      for (let tabs = 0; tabs < 20; tabs++) {
        if (await button.evaluate((one) => one === document.activeElement))
          return page.keyboard.press('Enter')
        await page.keyboard.press('Tab')
      }
      throw new Error(`${name} cannot be reached.`)
    }
    await press('Edit')
    expect(await findBarriers(page)).toEqual([])
    await card.getByRole('button', { name: 'Remove map.csv' }).focus()
    await page.keyboard.press('Enter')
    await press('Send email')
    await page
      .getByRole('log')
      .getByText(/^Sent "Summer party"/)
      .waitFor()
    const [mail] = await chat.stack.inbox.messages()
    expect(mail).toMatchObject({ bcc: ['bob@example.com'], subject: 'Summer party' })
    expect(mail?.attachments.map(({ filename }) => filename)).toEqual(['plan.txt'])
    // The picture in the mail is kept back.
    expect(outside).toEqual([])
  })

  it('has a list of what the keyboard can do, and does it', async () => {
    await page.getByRole('link', { name: 'Chat' }).click()
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).focus()
    await page.keyboard.press('Control+/')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.waitFor()
    await list.getByText('Page through the conversation').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
    await expect.poll(() => isFocused('[title="Keyboard shortcuts"]')).toBe(true)
    // By itself, no key does anything but write.
    await page.keyboard.press('?')
    await page.keyboard.press('/')
    expect(await list.count()).toBe(0)
    expect(await isFocused('[title="Keyboard shortcuts"]')).toBe(true)
    await message().focus()
    await page.keyboard.type('A question?')
    expect(await message().inputValue()).toBe('A question?')
    expect(await list.count()).toBe(0)
    await page.keyboard.press('Control+k')
    await expect.poll(() => isFocused('#search-conversations')).toBe(true)
    await page.keyboard.press('Control+Shift+O')
    await expect.poll(() => isFocused('.askback-composer textarea')).toBe(true)
    // Nothing has been said here yet: this is the new chat.
    expect(await message().inputValue()).toBe('A question?')
    await message().fill('')
  })

  it('copies code, and shows it and tables at 200 % without a second scrollbar', async () => {
    await begin('Show code')
    await page.getByRole('table').waitFor()
    await isOver()
    await page.getByRole('button', { name: 'Copy code' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('const a = 1\n')
    const size = page.viewportSize()
    // Half as many pixels in each direction: what a window shows at 200 %.
    await resize(page, { width: 640, height: 400 })
    expect(await sidewaysScroll(page)).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    if (size) await resize(page, size)
  })

  it('colours code in eight languages with enough contrast, light and dark, once there is some', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const hasAskedFor = (name: string) => asked.some((url) => url.includes(name))
    await begin('Think about it')
    await page.getByText('It is 42.').waitFor()
    expect(hasAskedFor('highlighted-code')).toBe(false)
    await begin('Show languages')
    const blocks = page.locator('figure.askback-code-block')
    for (const [index, [name = '', code = '']] of languages.entries()) {
      const block = blocks.nth(index)
      await block.getByText(code).waitFor()
      if (name === 'brainfuck') expect(await block.locator('code [class^=askback-code-]').count()).toBe(0)
      else await block.locator('code [class^=askback-code-]').first().waitFor()
      expect(await block.locator('[style]').count()).toBe(0)
    }
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findBarriers(page)).toEqual([])
    }
  })

  it('names the box of a task by its words, and a table by its columns', async () => {
    await begin('Show tasks')
    const task = (name: string) => page.getByRole('checkbox', { name, exact: true })
    await task('Ship it').waitFor()
    expect(await task('Write it').isChecked()).toBe(true)
    expect(await task('Test it').isChecked()).toBe(false)
    expect(await task('in Chromium').count()).toBe(1)
    expect(await findBarriers(page)).toEqual([])
    await begin('Show code')
    await page.getByRole('table', { name: 'Table: Name, Count' }).waitFor()
    const place = page.getByRole('group', { name: 'Table: Name, Count' })
    await place.focus()
    expect(await place.evaluate((one) => one === document.activeElement)).toBe(true)
  })

  it('does not move what is pressed on the start page when its suggestions arrive', async () => {
    const { opened: passed, open: pass } = gate()
    await page.route('**/chat/tools', async (route) => {
      await passed
      await route.continue()
    })
    await page.goto(chat.stack.url)
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.waitFor()
    expect(await page.locator('.suggestions button').count()).toBe(0)
    const before = await send.boundingBox()
    pass()
    await page.locator('.suggestions button').first().waitFor()
    expect(await send.boundingBox()).toEqual(before)
    await page.unrouteAll()
  })

  it('has its composer in the middle of a wide page until the first message, which takes neither text nor focus', async () => {
    await page.getByRole('button', { name: 'New chat' }).click()
    const heading = page.getByRole('heading', { name: 'What can I do for you?' })
    await heading.waitFor()
    const place = async () => {
      const { y = 0, height = 0 } = (await page.locator('.askback-composer').boundingBox()) ?? {}
      return (y + height / 2) / (page.viewportSize()?.height ?? 1)
    }
    expect(await place()).toBeGreaterThan(0.3)
    expect(await place()).toBeLessThan(0.7)
    const suggestions = await page.locator('.suggestions').boundingBox()
    const composer = await page.locator('.askback-composer').boundingBox()
    expect(suggestions?.y).toBeGreaterThan(composer?.y ?? Number.POSITIVE_INFINITY)
    expect(await findBarriers(page)).toEqual([])
    await message().fill('Think about it, taking your time')
    await page.keyboard.press('Enter')
    await page.keyboard.type('What I write meanwhile')
    await expect.poll(() => release.length).toBe(1)
    expect(await isFocused('.askback-composer textarea')).toBe(true)
    expect(await message().inputValue()).toBe('What I write meanwhile')
    await expect.poll(place).toBeGreaterThan(0.8)
    letGo()
    await page.getByText('It is 42.').waitFor()
    expect(await message().inputValue()).toBe('What I write meanwhile')
    await message().fill('')
    await resize(page, { width: 360, height: 740 })
    await page.getByRole('button', { name: 'New chat' }).click()
    await heading.waitFor()
    expect(await place()).toBeGreaterThan(0.8)
    await resize(page, { width: 768, height: 1024 })
    // The sidebar is folded away.
    await page.getByRole('button', { name: 'Menu', exact: true }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
    expect(await sidewaysScroll(page)).toBe(0)
    await resize(page, { width: 1280, height: 800 })
  })

  it('moves nothing for whoever wants less motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await begin('Think about it, taking your time')
    await page.getByText('Working').waitFor()
    await expect.poll(() => release.length).toBe(1)
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    letGo()
    await page.getByText('It is 42.').waitFor()
    await page.emulateMedia({ reducedMotion: null })
  })

  it('brings a card, a receipt and the drawer in within 120 to 180 ms, and at once for whoever wants less motion', async () => {
    const look = () =>
      page.evaluate(() =>
        ['.askback-question', '.askback-receipt', '.drawer', '.backdrop'].map((place) => {
          const element = document.querySelector(place)
          if (!element) return undefined
          const { animationName, animationDuration } = getComputedStyle(element)
          return animationName === 'none' ? 0 : Number.parseFloat(animationDuration) * 1000
        }),
      )
    await begin('Send an email about the meeting')
    const card = approvals(page)
    await card.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Not sent').waitFor()
    await write(page, 'Send an email about trains')
    await card.waitFor()
    await resize(page, { width: 768, height: 900 })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('dialog', { name: 'Menu' }).waitFor()
    for (const ms of await look()) {
      expect(ms).toBeGreaterThanOrEqual(120)
      expect(ms).toBeLessThanOrEqual(180)
    }
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await look()).toEqual([0, 0, 0, 0])
    await page.emulateMedia({ reducedMotion: null })
    await page.keyboard.press('Escape')
    await resize(page, { width: 1280, height: 800 })
  })

  it('has a mark of its own, and icons of what is done with each provider and tool, none from elsewhere', async () => {
    const outside = listOutside()
    await page.goto(`${chat.stack.url}/settings/integrations`)
    const drawn = async (place: Locator) => {
      expect((await place.boundingBox())?.width).toBeGreaterThanOrEqual(14)
      return place.innerHTML()
    }
    await drawn(page.locator('.brand svg'))
    const shapes = await Promise.all(
      ['Gmail', 'Google Docs', 'Serper'].map((name) =>
        drawn(page.getByRole('region', { name, exact: true }).locator('svg').first()),
      ),
    )
    expect(new Set(shapes).size).toBe(3)
    await page.getByRole('link', { name: 'Agents' }).click()
    const tool = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
    expect(await drawn(tool('Create document').locator('svg').first())).toBe(shapes[1])
    // The icon of the tab.
    const icon = await page.request.get(
      new URL((await page.locator('link[rel=icon]').getAttribute('href')) ?? '', page.url()).href,
    )
    expect(icon.headers()['content-type']).toContain('image/svg+xml')
    expect(await page.locator('img, image, use').count()).toBe(0)
    expect(outside).toEqual([])
  })

  it('has all of a long conversation on the page, where a search finds it', async () => {
    await page.goto(`${chat.stack.url}/chat/long`)
    await page.getByText('Answer 40.').waitFor()
    await expect.poll(() => page.getByRole('article').count()).toBe(80)
    await expect.poll(() => page.getByRole('log').getAttribute('aria-busy')).toBe('false')
    const isAtEnd = () =>
      page.getByText('Answer 40.').evaluate((one) => one.getBoundingClientRect().top < window.innerHeight)
    await expect.poll(isAtEnd).toBe(true)
    // As the browser's own search does, backwards from the message box.
    type Finder = { find(text: string, isExact: boolean, isBackwards: boolean): boolean }
    const found = () => (window as unknown as Finder).find('Question 2:', false, true)
    expect(await page.evaluate(found)).toBe(true)
    for (const size of [
      { width: 360, height: 740 },
      { width: 1280, height: 800 },
    ]) {
      await resize(page, size)
      expect([size, await downwardScroll(page)]).toEqual([size, 0])
    }
  })

  it('leads to the newest message from a place where nothing is covered', async () => {
    await resize(page, { width: 768, height: 700 })
    await page.goto(`${chat.stack.url}/chat/long`)
    await page.getByText('Answer 40.').waitFor()
    await expect.poll(() => page.getByRole('log').getAttribute('aria-busy')).toBe('false')
    await page.getByText('Answer 39.').hover()
    await page.mouse.wheel(0, -600)
    const button = page.getByRole('button', { name: 'Newest message' })
    await button.waitFor()
    const words = await page.getByRole('log').evaluate((log) => {
      let scroller = log.parentElement
      while (scroller && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
        scroller = scroller.parentElement
      return scroller?.getBoundingClientRect().bottom ?? Infinity
    })
    expect((await button.boundingBox())?.y).toBeGreaterThanOrEqual(words)
    await button.click()
    await button.waitFor({ state: 'detached' })
    await resize(page, { width: 1280, height: 800 })
  })
})
