import type { Page } from 'playwright-core'

/** Roots of the pieces, and what of them is pressed or filled in. */
const pieces =
  '.askback-card, .askback-chat, .askback-chips, .askback-composer, .askback-conversations, .askback-dialog, .askback-provider, .askback-receipt, .askback-tool'
const controls = 'a[href], button, input:not([type=file]), select, summary, textarea'
/** Buttons of words, in a row of their own. */
const shaped =
  '.askback-actions > :is(a, button), .askback-button, .askback-chips > button, .askback-count, .askback-earlier > button, .askback-more'

/** Marks what is seen of the pieces, and nothing else, before an app's stylesheet is there. */
export async function markSeen(page: Page): Promise<number> {
  return page.evaluate(
    ({ pieces, controls }) => {
      const all = [...document.querySelectorAll<HTMLElement>(pieces)]
        .flatMap((piece) => [piece, ...piece.querySelectorAll<HTMLElement>('*')])
        .filter((one) => {
          const hasWords = [...one.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
          )
          const isHeard = one.closest('.askback-announced, option, svg') !== null
          return (
            (hasWords || one.matches(controls)) &&
            !isHeard &&
            one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
          )
        })
      for (const one of document.querySelectorAll<HTMLElement>('[data-seen]')) delete one.dataset.seen
      for (const one of all) one.dataset.seen = ''
      return all.length
    },
    { pieces, controls },
  )
}

/** What of that cannot be seen, read, told from its ground or hit any more, a line for each. */
export async function illegible(page: Page): Promise<string[]> {
  // An app may have its colours fade in.
  await page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
  })
  return page.evaluate(
    ({ controls, shaped }) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
      /** Colours drawn over each other, as red, green and blue. */
      const draw = (colors: readonly string[]) => {
        for (const color of colors) {
          if (canvas) canvas.fillStyle = color
          canvas?.fillRect(0, 0, 1, 1)
        }
        return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
      }
      const luminance = (color: readonly number[]) => {
        const [r = 0, g = 0, b = 0] = color.map((value) => {
          const part = value / 255
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      /** WCAG 2, 1.4.3. */
      const contrast = (one: readonly string[], other: readonly string[]) => {
        const [a, b] = [luminance(draw(one)), luminance(draw(other))]
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
      }
      const sheet = document.body.appendChild(document.createElement('i'))
      sheet.style.background = 'Canvas'
      const canvasColor = getComputedStyle(sheet).backgroundColor
      sheet.remove()
      const groundsOf = (element: Element | null) => {
        const grounds: string[] = []
        for (let one = element; one; one = one.parentElement)
          grounds.unshift(getComputedStyle(one).backgroundColor)
        return [canvasColor, ...grounds]
      }
      const opacityOf = (element: Element | null) => {
        let opacity = 1
        for (let one = element; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity)
        return opacity
      }
      /** How far everything around it is scrolled. */
      const scrolled = (element: Element) => {
        let sum = scrollY
        for (
          let one = element.parentElement;
          one && one !== document.documentElement;
          one = one.parentElement
        )
          sum += one.scrollTop
        return sum
      }
      const name = (one: Element) =>
        `${one.tagName.toLowerCase()}.${one.className || one.parentElement?.className} “${(one.textContent || (one as HTMLInputElement).value || one.getAttribute('aria-label'))?.trim().slice(0, 40)}”`

      return [...document.querySelectorAll<HTMLElement>('[data-seen]')].flatMap((one) => {
        const style = getComputedStyle(one)
        const { width, height, right, bottom } = one.getBoundingClientRect()
        const isWord = one.matches('a') && style.display === 'inline'
        if (
          !one.checkVisibility({ visibilityProperty: true }) ||
          width < 1 ||
          height < 1 ||
          right < 0 ||
          bottom + scrolled(one) < 0
        )
          return [`invisible: ${name(one)}`]
        const faults: string[] = []
        const isBox = one.matches('[type=checkbox]')
        // The box of a task in an answer is drawn, and takes no press.
        if (one.matches('.task-list-item input'))
          return style.appearance === 'none' || opacityOf(one) < 1 ? [`no box: ${name(one)}`] : []
        const isOff = one.closest(':disabled, [aria-disabled=true]') !== null
        const opacity = opacityOf(one)
        const grounds = groundsOf(one)
        if (isOff) {
          if (one.matches(controls) && (opacity > 0.7 || opacity < 0.3))
            faults.push(`disabled with an opacity of ${opacity}: ${name(one)}`)
        } else {
          if (opacity < 1) faults.push(`opacity ${opacity}: ${name(one)}`)
          const readable = contrast(grounds, [...grounds, style.color])
          if (!isBox && readable < 4.5)
            faults.push(`contrast ${readable.toFixed(2)}, ${style.color} on ${draw(grounds)}: ${name(one)}`)
          if (one.matches('[placeholder]')) {
            const inside = contrast(grounds, [...grounds, getComputedStyle(one, '::placeholder').color])
            if (inside < 4.5) faults.push(`contrast ${inside.toFixed(2)} of the placeholder: ${name(one)}`)
          }
        }
        if (!isBox && Number.parseFloat(style.fontSize) < 10.5) faults.push(`${style.fontSize}: ${name(one)}`)
        if (one.matches(controls)) {
          const label = isBox ? (one as HTMLInputElement).labels?.[0] : undefined
          const target = (label ?? one).getBoundingClientRect()
          if (!isWord && (target.width < 23.5 || target.height < 23.5))
            faults.push(`${Math.round(target.width)}x${Math.round(target.height)} px: ${name(one)}`)
          if (style.pointerEvents === 'none') faults.push(`takes no press: ${name(one)}`)
          if (isBox && style.appearance === 'none') faults.push(`no box: ${name(one)}`)
        }
        // The arrow of a choice is its shape.
        if (one.matches('.askback-choice') && style.appearance === 'none')
          faults.push(`no arrow: ${name(one)}`)
        if (
          one.matches(
            `${shaped}, input:not([type=checkbox]), select:not(.askback-choice), .askback-field textarea`,
          )
        ) {
          const behind = groundsOf(one.parentElement)
          const hasGround = contrast(behind, grounds) >= 1.2
          const hasLine =
            Number.parseFloat(style.borderBottomWidth) >= 1 &&
            style.borderBottomStyle !== 'none' &&
            contrast(behind, [...behind, style.borderBottomColor]) >= 1.5
          if (!hasGround && !hasLine && !style.textDecorationLine.includes('underline'))
            faults.push(`no shape: ${name(one)}`)
        }
        return faults
      })
    },
    { controls, shaped },
  )
}

/** What shows no ring when the keyboard comes to it. */
export async function ringless(page: Page): Promise<string[]> {
  // From here on the focus is that of a keyboard.
  await page.keyboard.press('Tab')
  return page.evaluate((controls) => {
    const before = document.activeElement
    const all = [...document.querySelectorAll<HTMLElement>('[data-seen]')].filter(
      (one) => one.matches(controls) && !one.matches(':disabled, .askback-composer > textarea'),
    )
    const faults = all.flatMap((one) => {
      one.focus({ preventScroll: true })
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
      const isRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
      if (document.activeElement !== one || (isRing && !/, 0\)$/.test(outlineColor))) return []
      return [`no ring: ${one.outerHTML.slice(0, 80)}`]
    })
    ;(before as HTMLElement | null)?.focus({ preventScroll: true })
    return faults
  }, controls)
}
