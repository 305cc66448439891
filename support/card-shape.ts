import type { Page } from 'playwright-core'

/**
 * What of the cards has lost its shape, a line for each: a hole above the buttons, a question that is no heading any
 * more, words that are cut off or do not read as they will be sent. For all hosts of `host-styles.ts`, at any width.
 */
export async function misshapen(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = []
    const say = (fault: string, one: Element) =>
      faults.push(`${fault}: ${one.textContent?.trim().slice(0, 50)}`)
    const isSeen = (one: Element) => one.checkVisibility({ visibilityProperty: true })
    for (const decision of document.querySelectorAll<HTMLElement>('.askback-decision')) {
      const before = decision.previousElementSibling
      if (!before || !isSeen(decision)) continue
      // Where they stand once all of a long card is in sight.
      decision.style.position = 'static'
      const hole = decision.getBoundingClientRect().top - before.getBoundingClientRect().bottom
      decision.style.position = ''
      if (hole < 0 || hole > 24) say(`${Math.round(hole)} px above the buttons`, before)
    }
    for (const question of document.querySelectorAll('.askback-question h2')) {
      const { fontSize, fontWeight, lineHeight } = getComputedStyle(question)
      const size = Number.parseFloat(fontSize)
      if (size < 16 || size > 24) say(`a question of ${fontSize}`, question)
      if (Number(fontWeight) < 600) say(`a question with a weight of ${fontWeight}`, question)
      if (Number.parseFloat(lineHeight) < 1.1 * size) say(`a question with lines of ${lineHeight}`, question)
    }
    const sent =
      '.askback-question h2, .askback-letter *, .askback-values *, input, textarea, .askback-receipt *'
    for (const one of document.querySelectorAll(`:is(.askback-card, .askback-tool) :is(${sent})`)) {
      const { letterSpacing, textTransform } = getComputedStyle(one)
      if (textTransform !== 'none') say(`reads in ${textTransform}`, one)
      if (Math.abs(Number.parseFloat(letterSpacing) || 0) > 1) say(`spaced by ${letterSpacing}`, one)
    }
    const around =
      '.askback-card, .askback-composer, .askback-conversations, .askback-provider, .askback-receipt, .askback-tool'
    for (const box of document.querySelectorAll(around)) {
      if (!isSeen(box)) continue
      const { left, right } = box.getBoundingClientRect()
      if (left < -1 || right > innerWidth + 1) say('wider than the page', box)
      for (const one of box.querySelectorAll(
        'p, h2, h3, li, dd, label, a, button, input, textarea, select',
      )) {
        const inner = one.getBoundingClientRect()
        // What has a scroller of its own, or is only heard.
        if (!isSeen(one) || inner.width < 2 || one.closest('pre, .askback-announced, .askback-changes'))
          continue
        if (inner.left < left - 1 || inner.right > right + 1) say(`beyond its box, ${one.tagName}`, one)
      }
    }
    for (const list of document.querySelectorAll(
      '.askback-conversations ul, .askback-values, .askback-values dd',
    ))
      for (const side of ['marginLeft', 'marginBottom', 'paddingLeft'] as const)
        if (
          isSeen(list) &&
          Number.parseFloat(getComputedStyle(list)[side]) > 0 &&
          !list.matches('.askback-letter > *')
        )
          say(`${side} of ${getComputedStyle(list)[side]}`, list)
    return faults
  })
}
