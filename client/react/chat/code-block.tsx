import { Fragment, isValidElement, lazy, type ReactNode, Suspense, useDeferredValue, useRef } from 'react'
import { Drawing } from '../icons/drawing.tsx'
import { checkIcon, copyIcon } from '../icons/later-icons.ts'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { useCopy } from './use-copy.ts'

// Loaded with the first code block. If that fails, the code is shown without colours.
const HighlightedCode = lazy(() => import('./highlighted-code.tsx').catch(() => ({ default: PlainCode })))

/** A code block with its language and a copy button. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const block = useRef<HTMLPreElement>(null)
  const labels = useChatLabels()
  const { isCopied, copy } = useCopy()
  const { code, language } = readCode(children)
  // Colours may appear a moment after the text, which has its place at once. Markdown ends code with a line break, also
  // while it is being written.
  const coloured = useDeferredValue(code.replace(/\n$/, ''))
  const [ready, rest] = code.startsWith(coloured) ? [coloured, code.slice(coloured.length)] : ['', code]
  return (
    <figure className="askback-code-block">
      <figcaption>
        <span>{language || labels.code}</span>
        <button
          type="button"
          className="askback-icon-button"
          aria-label={isCopied ? labels.copied : labels.copyCode}
          onClick={() => void copy(block.current?.textContent ?? '')}
        >
          <Drawing lines={isCopied ? checkIcon : copyIcon} />
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre ref={block} tabIndex={0}>
        <code>
          {language ? (
            <>
              <Suspense fallback={ready}>
                <HighlightedCode code={ready} language={language} />
              </Suspense>
              {/* New words, wherever they stand: the same text would be seen to move. */}
              <Fragment key={ready.length}>{rest}</Fragment>
            </>
          ) : (
            code
          )}
        </code>
      </pre>
    </figure>
  )
}

function PlainCode({ code }: { code: string }) {
  return code
}

/** The text of the child element and its language: `ts` for the class `language-ts`. */
function readCode(node: ReactNode): { code: string; language: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(node)) return { code: '', language: '' }
  const { className = '', children } = node.props
  const language = /language-(\S+)/.exec(className)?.[1]?.toLowerCase() ?? ''
  return { code: [children].flat().join(''), language }
}
