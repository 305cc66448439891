import { Fragment } from 'react'

/** An address in a text, with the marks around it. */
const address = /([^\s@]{1,64}@[^\s@]{1,255})/
/** Where it may break. */
const places = /(?<=\w)(?=[@.]\w)/

/** A text whose addresses stay whole where they fit on a line, and otherwise break at their signs before they break within a word. */
export function BreakingText({ text }: { text: string }) {
  return text.split(address).map((stretch, index) =>
    index % 2 === 0 ? (
      stretch
    ) : (
      <span key={index} className="askback-address">
        {stretch.split(places).map((part, place) => (
          <Fragment key={place}>
            {place > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
    ),
  )
}
