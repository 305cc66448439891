import { marked } from 'marked'
import { memo, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { OutsideLink } from '../../../client/react/values/outside-link.tsx'
import { shorten } from '../../../client/values/sentence.ts'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import { CodeBlock } from './code-block.tsx'
import { isHeavy } from './slow-markdown.ts'
import { taskLabels, textOf } from './task-labels.ts'
import { chatWords } from './words.ts'

const plugins = [remarkGfm]
const htmlPlugins = [taskLabels]

/** Nothing is loaded from outside: pictures are shown as text, and links open only with a click. HTML stays text. */
const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ alt }) => <span className="left-out">{chatWords().picture(alt ?? '')}</span>,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ node, children }) => {
    const name = nameTable(node)
    return (
      // biome-ignore lint/a11y/useSemanticElements: a scroll container is not a fieldset
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      <div className="table-scroll" role="group" aria-label={name} tabIndex={0}>
        <table aria-label={name}>{children}</table>
      </div>
    )
  },
}

/**
 * The model's Markdown, which is untrusted: invisible characters are removed, and text too heavy for a browser stays plain.
 * While it is being written, only its last block is parsed again.
 */
const Markdown = memo(function Markdown({ text }: { text: string }) {
  const isPlain = isHeavy(text)
  const blocks = useMemo(() => (isPlain ? [] : splitBlocks(withoutHidden(text))), [text, isPlain])
  if (isPlain) return <p className="plain-text">{withoutHidden(text)}</p>
  return blocks.map((block, index) => <MarkdownBlock key={index} text={block} />)
})

const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} rehypePlugins={htmlPlugins} components={components}>
      {text}
    </ReactMarkdown>
  )
})

/** Maximum length of a table's name. */
const mostName = 120

/** Names a table by its column headers. */
function nameTable(table: Parameters<typeof textOf>[0] | undefined): string {
  const head = table?.children?.find(({ tagName }) => tagName === 'thead')
  const cells = head?.children?.flatMap(({ children = [] }) => children.map(textOf)) ?? []
  const columns = cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ')
  return columns === '' ? chatWords().table : shorten(chatWords().tableOf(columns), mostName)
}

/** Splits text into blocks; a text with link definitions or footnotes stays whole, because they apply to other blocks. */
function splitBlocks(text: string): string[] {
  // Labels have up to 999 characters (CommonMark 0.31, 4.7).
  if (/^ {0,3}\[[^\]]{1,999}\]:/m.test(text)) return [text]
  return marked.lexer(text).flatMap(({ raw, type }) => (type === 'space' ? [] : [raw]))
}

export default Markdown
