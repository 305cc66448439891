import type { Page } from 'playwright-core'

/** What stands around each word that comes from the words of a language. */
const word = /⟦[^⟦⟧]*⟧/g

/** Where the app shows what others have written, or a format of `Intl`. */
const written = ['[dir=auto]', 'bdi', 'time', 'code', 'kbd', 'pre', 'option[lang]']

/**
 * Puts marks around each word of the German that a page loads, so that what was forgotten there stands out; and hears
 * what servers answer, which is data. To be called before the page opens the app.
 */
export async function watchWords(
  page: Page,
): Promise<{ forgotten(others?: readonly string[]): Promise<string[]> }> {
  await page.route(/\/assets\/de-[^/]+\.js$/, async (route) => {
    const source = await (await route.fetch()).text()
    const name = /([\w$]+) as language/.exec(source)?.[1]
    const body = `${source.replace(/[\w$]+ as language/, 'marked as language')}\nconst marked = (${mark})(${name})`
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  const heard: string[] = []
  page.on('response', async (response) => {
    if (!/\/v1\/|\/inbox\/messages|config\.json/.test(response.url())) return
    const answer: unknown = await response.json().catch(() => undefined)
    heard.push(...stringsOf(answer))
  })
  return {
    /** Texts and accessible names that are no words of the language, nor data, nor within `others`. */
    async forgotten(others = []) {
      const texts = await page.evaluate(readTexts, [...written, ...others].join())
      const left = texts.map((text) => {
        let rest = text
        while (rest.search(word) >= 0) rest = rest.replace(word, '')
        return rest.replace(/\s+/g, ' ').trim()
      })
      return [...new Set(left)].filter(
        (rest) => /\p{L}/u.test(rest) && !heard.some((one) => one.replace(/\s+/g, ' ').includes(bare(rest))),
      )
    },
  }
}

/** Without the signs around it, and the number of a text that stands there several times. */
function bare(text: string): string {
  return text.replace(/ \(\d+\)$/, '').replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, '')
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsOf)
}

/** Runs in the page: `Function.prototype.toString` takes it there. */
function mark(words: unknown, name?: string): unknown {
  if (typeof words === 'string')
    return name === 'locale' ? words : words.replace(/[\p{L}\p{M}][\p{L}\p{M}’'-]*/gu, '⟦$&⟧')
  if (typeof words === 'function') return (...given: unknown[]) => mark(words(...given))
  if (Array.isArray(words)) return words.map((one) => mark(one))
  if (typeof words !== 'object' || words === null) return words
  return Object.fromEntries(Object.entries(words).map(([key, one]) => [key, mark(one, key)]))
}

/** Runs in the page: everything that is seen or read out, but what stands within such elements. */
function readTexts(besides: string): string[] {
  const texts: string[] = []
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const node = nodes.currentNode
    const element = node instanceof Element ? node : node.parentElement
    if (!element || element.closest(besides) || element.closest('script, style')) continue
    // An option is never seen by itself.
    if (!(element.closest('select') ?? element).checkVisibility()) continue
    if (node instanceof Element) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const value = element.getAttribute(name)
        if (value) texts.push(value)
      }
    } else if (node.textContent?.trim() && !element.matches('textarea')) {
      texts.push(node.textContent)
    }
  }
  return [document.title.replace(/^\(\d+\) /, '').replace(/(?:^| · )Askback$/, ''), ...texts]
}
