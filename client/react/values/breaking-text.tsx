import { Fragment } from 'react'

/** An address in a text, with the marks around it; or a word that begins with a single letter, such as "E-Mail". */
const whole = /([^\s@]{1,64}@[^\s@]{1,255}|(?<!\p{L})\p{L}-\p{L}+)/u
/** Where it may break. */
const places = /(?<=\w)(?=[@.]\w)/

/**
 * A text whose addresses stay whole where they fit on a line, and otherwise break at their signs before they break within a
 * word. Of other words, none leaves a single letter at the end of a line.
 */
export function BreakingText({ text }: { text: string }) {
  return text.split(whole).map((stretch, index) =>
    index % 2 === 0 ? (
      stretch
    ) : stretch.includes('@') ? (
      <span key={index} className="askback-address">
        {stretch.split(places).map((part, place) => (
          <Fragment key={place}>
            {/* Hidden, or the browser tells screen readers of a space there. */}
            {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: a <wbr> takes no focus. */}
            {place > 0 && <wbr aria-hidden="true" />}
            {part}
          </Fragment>
        ))}
      </span>
    ) : (
      <span key={index} className="askback-whole">
        {stretch}
      </span>
    ),
  )
}
