import { isValidElement, lazy, type ReactNode, Suspense, useDeferredValue, useRef, useState } from 'react'
import { Drawing } from '../../icons.tsx'
import { checkIcon, copyIcon } from '../../later-icons.ts'
import { chatWords } from './words.ts'

// Loaded with the first code. Where it cannot be, the code stands there all the same.
const HighlightedCode = lazy(() => import('./highlighted-code.tsx').catch(() => ({ default: PlainCode })))

const shownMs = 1500

/** Code with its language and a button to copy it. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const block = useRef<HTMLPreElement>(null)
  const words = chatWords()
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(block.current?.textContent ?? '')
    setCopied(true)
    setTimeout(setCopied, shownMs, false)
  }
  const { code, language } = readCode(children)
  // Colours may come a moment after the words.
  const shown = useDeferredValue(code)
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language || words.code}</span>
        <button type="button" className="plain" onClick={() => void copy()}>
          <Drawing lines={isCopied ? checkIcon : copyIcon} />
          <span className="hidden">{isCopied ? words.copied : words.copyCode}</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre ref={block} tabIndex={0}>
        <code>
          {language ? (
            <Suspense fallback={shown}>
              <HighlightedCode code={shown} language={language} />
            </Suspense>
          ) : (
            shown
          )}
        </code>
      </pre>
    </figure>
  )
}

function PlainCode({ code }: { code: string }) {
  return code
}

/** The text of the element inside, and its language: `language-ts` is `ts`. */
function readCode(node: ReactNode): { code: string; language: string } {
  if (!isValidElement<{ className?: string; children?: ReactNode }>(node)) return { code: '', language: '' }
  const { className = '', children } = node.props
  const language = /language-(\S+)/.exec(className)?.[1]?.toLowerCase() ?? ''
  return { code: [children].flat().join(''), language }
}
