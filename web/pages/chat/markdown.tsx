import { marked } from 'marked'
import { memo, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'

const plugins = [remarkGfm]

/** Nothing is loaded from outside: a picture is named, a link is only opened by a click. HTML stays text. */
const components: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ),
  img: ({ alt }) => <span className="left-out">[picture{alt ? `: ${alt}` : ''}]</span>,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  table: ({ children }) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="table-scroll" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </section>
  ),
}

/** Markdown of a model, which is not trusted. While it is written only its last block is read again. */
const Markdown = memo(function Markdown({ text }: { text: string }) {
  const blocks = useMemo(() => splitBlocks(text), [text])
  return blocks.map((block, index) => <MarkdownBlock key={index} text={block} />)
})

const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={plugins} components={components}>
      {text}
    </ReactMarkdown>
  )
})

/** Paragraphs, lists, tables and the like; one text where addresses and footnotes stand apart from what names them. */
function splitBlocks(text: string): string[] {
  if (/^ {0,3}\[[^\]]+\]:/m.test(text)) return [text]
  return marked.lexer(text).flatMap(({ raw, type }) => (type === 'space' ? [] : [raw]))
}

export default Markdown
