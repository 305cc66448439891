import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath } from '../../support/browser.ts'
import { startChatStack } from '../../support/chat-stack.ts'
import { setMailApproval } from '../../support/chat-user.ts'
import { makeClientApp } from '../../support/client-app.ts'
import { demoScript } from '../../support/demo-script.ts'
import { serveApp } from '../../support/serve-app.ts'
import { project } from '../../support/stack.ts'
import { useBrowser } from '../../support/use-browser.ts'

let folder: string
const [browser, chat] = useBrowser(() => startChatStack())

beforeAll(async () => {
  if (!chromiumPath) return
  folder = await mkdtemp(join(tmpdir(), 'askback-languages-'))
})
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

/**
 * The words in Latin letters that stand outside of ⟦ and ⟧, in texts and in attributes that are read. Names of parameters,
 * values of programs, addresses and units are in Latin letters, too.
 */
function strayWords(): string[] {
  const known =
    /https?:\S*|<\/?p>|\b(?:To|From|Subject|Body|Html|Attachments|Content|File id|Url|ok|true|false|byte|kB|MB)\b/g
  const isLatin = (text: string) => /\p{Script=Latin}/u.test(text.replaceAll(known, ''))
  const stray: string[] = []
  let depth = 0
  const outside = (text: string) => {
    let rest = ''
    for (const character of text) {
      if (character === '⟦') depth++
      else if (character === '⟧') depth--
      else if (depth === 0) rest += character
    }
    return rest
  }
  const walk = (element: Element) => {
    if (element.matches('script, style, [hidden]')) return
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      const words = outside(element.getAttribute(name) ?? '')
      if (isLatin(words)) stray.push(`${name}: ${words}`)
    }
    for (const node of element.childNodes) {
      if (node instanceof Element) walk(node)
      else if (node.nodeType === Node.TEXT_NODE) {
        const words = outside(node.nodeValue ?? '')
        if (isLatin(words)) stray.push(words)
      }
    }
  }
  walk(document.body)
  return depth === 0 ? stray : [...stray, 'a bracket is not closed']
}

/** Unfolds everything, and lets every form and every card say what is wrong. */
async function unfold(page: Page): Promise<void> {
  await page.locator('article').first().waitFor()
  // What is in a fold may be folded, too.
  await page.waitForFunction(() => {
    const folded = document.querySelectorAll<HTMLElement>('.askback-tool > [aria-expanded=false]')
    for (const one of folded) one.click()
    for (const one of document.querySelectorAll('details')) one.open = true
    return folded.length === 0
  })
}

describe.skipIf(!chromiumPath)('the pieces in other languages', () => {
  let app: Awaited<ReturnType<typeof serveApp>>
  beforeAll(async () => {
    app = await serveApp(join(project, 'support/all-pieces'))
  })
  afterAll(() => app?.stop())

  it('say nothing that is no label, unfolded, edited and refused', async () => {
    const page = await browser.open(app.url, { locale: 'el-GR' })
    await unfold(page)
    // Of each kind of card at least one is there.
    for (const name of ['approvalNeeded', 'connectionNeeded'] as const)
      expect(await page.getByRole('group', { name: `⟦${(await words())[name]}⟧` }).count()).toBeGreaterThan(0)
    expect(await page.evaluate(strayWords)).toEqual([])

    // What is wrong with a form, before and after something is typed.
    const form = page.locator('form', { has: page.getByLabel('Παραλήπτης') })
    await form.locator('[type=submit]').click()
    await form
      .getByText(/is required/)
      .first()
      .waitFor()
    expect(await page.evaluate(strayWords)).toEqual([])
    for (const [label, typed] of [
      ['Παραλήπτης', 'φίλος'],
      ['Πόρτα', '70'],
      ['Πλήθος', 'πολύ'],
      ['Τόπος', 'εδώ'],
      ['Όνομα', 'Άδα Λάβλεϊς'],
    ] as const)
      await form.getByLabel(label).fill(typed)
    await form.locator('[type=submit]').click()
    await form.getByText('⟦Όνομα can have up to 2 characters.⟧').waitFor()
    expect(await form.locator('.askback-problem').count()).toBe(6)
    expect(await page.evaluate(strayWords)).toEqual([])

    // The settings: a form, what is refused, and what is asked before something is deleted.
    const provider = page.getByRole('region', { name: 'Πάροχος 1' })
    await provider.getByRole('button', { name: '⟦Connect another⟧' }).click()
    await provider.getByLabel('Κλειδί').fill('κλειδί')
    await provider.getByRole('button', { name: '⟦Connect⟧' }).click()
    await provider.getByText('⟦The server isn’t answering. Try again in a minute.⟧').waitFor()
    expect(await page.evaluate(strayWords)).toEqual([])
    await provider.getByRole('button', { name: '⟦Disconnect⟧' }).first().click()
    await page.getByRole('alertdialog', { name: '⟦Disconnect Πάροχος 1 (φίλος0@γράμμα.ελ)?⟧' }).waitFor()
    expect(await page.evaluate(strayWords)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })

    // Edited, decided together, and refused.
    await page.getByRole('button', { name: '⟦Edit⟧' }).first().click()
    await page.getByRole('checkbox', { name: '⟦Select all⟧' }).check()
    await page.getByRole('button', { name: '⟦Approve all 3⟧' }).click()
    await page.getByText('⟦The server isn’t answering. Try again in a minute.⟧').first().waitFor()
    await page.locator('.askback-several li [type=checkbox]').first().uncheck()
    await page.getByRole('button', { name: '⟦Deny 2⟧' }).waitFor()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        { name: 'κενό', mimeType: 'text/plain', buffer: Buffer.from('') },
        { name: 'μεγάλο', mimeType: 'text/plain', buffer: Buffer.alloc(6 * 1024 * 1024) },
      ])
    await page.getByText('⟦“μεγάλο” is larger than').waitFor()
    expect(await page.evaluate(strayWords)).toEqual([])
    // Of the message that cannot be drawn.
    expect(browser.complaints()).toHaveLength(1)
  })

  it('stand the other way round where reading begins at the right, and nothing is wider than a phone', async () => {
    const page = await browser.open(`${app.url}?dir=rtl`, { width: 360, locale: 'ar' })
    await unfold(page)
    const wide = await page.locator('main *').evaluateAll((all) =>
      all.flatMap((one) => {
        const { left, right, width } = one.getBoundingClientRect()
        return width > 0 && (left < 0 || right > innerWidth) ? [one.outerHTML.slice(0, 100)] : []
      }),
    )
    expect(wide).toEqual([])
    const decision = page.locator('.askback-decision').first()
    const places = await decision
      .locator('> button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().right))
    expect(places.length).toBe(3)
    expect(places).toEqual([...places].sort((one, other) => other - one))
    const row = await page
      .locator('.askback-composer-row')
      .first()
      .evaluate((row) =>
        [row, row.querySelector('[type=submit]')].map((one) => one?.getBoundingClientRect().left ?? 0),
      )
    // What sends stands where a line ends.
    expect(row[1]).toBe(row[0])
    // What people have written keeps its own direction.
    const directions = await page
      .locator('.askback-text, .askback-letter-text > bdi, .askback-question h2')
      .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).direction))])
    expect(directions).toEqual(['ltr'])
    // Of the message that cannot be drawn.
    expect(browser.complaints()).toHaveLength(1)
  })
})

describe.skipIf(!chromiumPath)('the packed client in a German app', () => {
  let app: Awaited<ReturnType<typeof serveApp>>
  beforeAll(async () => {
    chat.model.use(demoScript({}))
    await setMailApproval(chat.stack, 'always')
    const root = await makeClientApp(folder, chat.stack)
    const main = join(root, 'main.tsx')
    const english = await readFile(main, 'utf8')
    await writeFile(
      main,
      `import { german } from 'askback/client/labels/de'
import { LabelsProvider } from 'askback/react/labels'
${english.replace('<Chat userId={data.user.id} />', '<LabelsProvider labels={{ ...german, skip: "Weiter ohne" }}>$&</LabelsProvider>')}`,
    )
    app = await serveApp(root)
  })
  afterAll(() => app?.stop())

  it('asks, takes a decision and says what came of it in German, and in one word of its own', async () => {
    browser.complaints()
    const page = await browser.open(app.url, { locale: 'de-DE' })
    await page.getByRole('textbox', { name: 'Nachricht' }).fill('Send an email about the meeting')
    await page.getByRole('textbox', { name: 'Nachricht' }).press('Enter')
    const approval = page.getByRole('group', { name: 'Freigabe nötig' })
    await approval.getByText(/^gerade eben angefragt · läuft in 7 Tagen ab$/).waitFor()
    await approval.getByRole('textbox').first().fill('ada')
    await approval.locator('.askback-primary').click()
    await approval.getByText('„ada“ ist keine vollständige E-Mail-Adresse.').waitFor()
    await approval.getByRole('textbox').first().fill('ada@example.com')
    await approval.getByRole('button', { name: 'Ändern' }).click()
    await approval.getByRole('button', { name: 'Abbrechen' }).click()
    await approval.locator('.askback-primary').click()
    await page.getByText(/^Von dir freigegeben · \d\d:\d\d$/).waitFor()
    const call = page.locator('.askback-tool > button').last()
    await call.click()
    await page.getByText('Eingabe', { exact: true }).waitFor()
    await page.getByText('Ergebnis', { exact: true }).waitFor()
    expect(await call.locator('.askback-time').textContent()).toMatch(/^(< )?\d+(,\d)? s$/)
    expect((await chat.stack.inbox.messages()).map(({ to }) => to)).toEqual([['ada@example.com']])
    expect(browser.complaints()).toEqual([])
  })
})

/** The English labels, by their names. */
async function words() {
  return (await import('../../client/labels/en.ts')).english
}
