import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { withoutHidden } from '../../../client/hidden-marks.ts'
import { OutsideLink } from '../../../client/react/outside-link.tsx'
import { isHeavy } from './heavy-text.ts'

const plugins = [remarkGfm]

/** Nothing is loaded from outside: a picture is named, a link is only opened by a click. HTML stays text. */
const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ alt }) => <span className="left-out">[picture{alt ? `: ${alt}` : ''}]</span>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="table-scroll" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
}

/** Markdown of a model, which is not trusted: what cannot be seen in it is left out, what is too much for a browser is plain. */
const Markdown = memo(function Markdown({ text }: { text: string }) {
  if (isHeavy(text)) return <p className="plain-text">{withoutHidden(text)}</p>
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {withoutHidden(text)}
    </ReactMarkdown>
  )
})

export default Markdown
