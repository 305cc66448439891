import { marked } from 'marked'
import { memo, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { withoutHidden } from '../../../client/hidden-marks.ts'
import { OutsideLink } from '../../../client/react/outside-link.tsx'
import { shorten } from '../../../client/sentence.ts'
import { CodeBlock } from './code-block.tsx'
import { isHeavy } from './heavy-text.ts'
import { taskLabels, textOf } from './task-labels.ts'
import { chatWords } from './words.ts'

const plugins = [remarkGfm]
const htmlPlugins = [taskLabels]

/** Nothing is loaded from outside: a picture is named, a link is only opened by a click. HTML stays text. */
const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ alt }) => <span className="left-out">{chatWords().picture(alt ?? '')}</span>,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ node, children }) => {
    const name = nameTable(node)
    return (
      // biome-ignore lint/a11y/useSemanticElements: what scrolls is no set of fields
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
      <div className="table-scroll" role="group" aria-label={name} tabIndex={0}>
        <table aria-label={name}>{children}</table>
      </div>
    )
  },
}

/**
 * Markdown of a model, which is not trusted: what cannot be seen in it is left out, what is too much for a browser stays
 * plain. While it is written only its last block is read again.
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

/** Characters of a table's name. */
const mostName = 120

/** By what stands above its columns. */
function nameTable(table: Parameters<typeof textOf>[0] | undefined): string {
  const head = table?.children?.find(({ tagName }) => tagName === 'thead')
  const cells = head?.children?.flatMap(({ children = [] }) => children.map(textOf)) ?? []
  const columns = cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ')
  return columns === '' ? chatWords().table : shorten(chatWords().tableOf(columns), mostName)
}

/** Paragraphs, lists, tables and the like; one text where addresses and footnotes stand apart from what names them. */
function splitBlocks(text: string): string[] {
  // Names have up to 999 characters (CommonMark 0.31, 4.7).
  if (/^ {0,3}\[[^\]]{1,999}\]:/m.test(text)) return [text]
  return marked.lexer(text).flatMap(({ raw, type }) => (type === 'space' ? [] : [raw]))
}

export default Markdown
