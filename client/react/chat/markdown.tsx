import { marked } from 'marked'
import { type ComponentProps, lazy, memo, type ReactNode, Suspense, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { withoutHidden } from '../../../shared/words/hidden-marks.ts'
import { shorten } from '../../values/sentence.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { OutsideLink } from '../values/outside-link.tsx'
import { CodeBlock } from './code-block.tsx'
import { formulaIn, mathAsCode } from './math-as-code.ts'
import { isHeavy } from './slow-markdown.ts'
import { taskLabels, textOf } from './task-labels.ts'

const plugins = [remarkGfm]
// Loaded with the first formula. If that fails, its source is shown.
const Formula = lazy(() => import('./formula.tsx').catch(() => ({ default: Source })))

/** Nothing is loaded from outside: pictures are shown as text, and links open only with a click. HTML stays text. */
const components: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ alt }) => <Picture name={alt ?? ''} />,
  pre: ({ children }) => <CodeBlock>{children}</CodeBlock>,
  code: ({ node, children, ...code }) => <Code {...code}>{children}</Code>,
  table: ({ node, children }) => <Table columns={nameColumns(node)}>{children}</Table>,
}

function Code({ children, ...code }: ComponentProps<'code'>) {
  const formula = typeof children === 'string' ? formulaIn(children) : undefined
  if (!formula) return <code {...code}>{children}</code>
  return (
    <Suspense fallback={<Source tex={formula.tex} />}>
      <Formula {...formula} />
    </Suspense>
  )
}

function Source({ tex }: { tex: string }) {
  return <code>{tex}</code>
}

function Picture({ name }: { name: string }) {
  return <span className="askback-quiet">{useChatLabels().picture(name)}</span>
}

function Table({ columns, children }: { columns: string; children?: ReactNode }) {
  const labels = useChatLabels()
  const name = columns === '' ? labels.table : shorten(labels.tableOf(columns), mostName)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a scroll container is not a fieldset
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div className="askback-table" role="group" aria-label={name} tabIndex={0}>
      <table aria-label={name}>{children}</table>
    </div>
  )
}

/**
 * The model's Markdown, which is untrusted: invisible characters are removed, and text too heavy for a browser stays plain.
 * While it is being written, only its last block is parsed again.
 */
const Markdown = memo(function Markdown({ text }: { text: string }) {
  const isPlain = isHeavy(text)
  const blocks = useMemo(() => (isPlain ? [] : splitBlocks(mathAsCode(withoutHidden(text)))), [text, isPlain])
  if (isPlain) return <p className="askback-plain">{withoutHidden(text)}</p>
  return blocks.map((block, index) => <MarkdownBlock key={index} text={block} />)
})

const MarkdownBlock = memo(function MarkdownBlock({ text }: { text: string }) {
  const { task } = useChatLabels()
  const htmlPlugins = useMemo(() => [() => taskLabels(task)], [task])
  return (
    <ReactMarkdown remarkPlugins={plugins} rehypePlugins={htmlPlugins} components={components}>
      {text}
    </ReactMarkdown>
  )
})

/** Maximum length of a table's name. */
const mostName = 120

/** The column headers of a table. */
function nameColumns(table: Parameters<typeof textOf>[0] | undefined): string {
  const head = table?.children?.find(({ tagName }) => tagName === 'thead')
  const cells = head?.children?.flatMap(({ children = [] }) => children.map(textOf)) ?? []
  return cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ')
}

/** Splits text into blocks; a text with link definitions or footnotes stays whole, because they apply to other blocks. */
function splitBlocks(text: string): string[] {
  // Labels have up to 999 characters (CommonMark 0.31, 4.7).
  if (/^ {0,3}\[[^\]]{1,999}\]:/m.test(text)) return [text]
  return marked.lexer(text).flatMap(({ raw, type }) => (type === 'space' ? [] : [raw]))
}

export default Markdown
