import { isValidElement, type ReactNode, useRef, useState } from 'react'
import { Icon } from '../../icons.tsx'

const shownMs = 1500

/** Code with its language and a button to copy it. */
export function CodeBlock({ children }: { children: ReactNode }) {
  const code = useRef<HTMLPreElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(code.current?.textContent ?? '')
    setCopied(true)
    setTimeout(setCopied, shownMs, false)
  }
  return (
    <figure className="code-block">
      <figcaption>
        <span>{languageOf(children)}</span>
        <button type="button" className="plain" onClick={() => void copy()}>
          <Icon name={isCopied ? 'check' : 'copy'} />
          <span className="hidden">{isCopied ? 'Copied' : 'Copy code'}</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
    </figure>
  )
}

/** `language-ts` of the element inside to `ts`. */
function languageOf(children: ReactNode): string {
  const { className = '' } = isValidElement<{ className?: string }>(children) ? children.props : {}
  return /language-(\S+)/.exec(className)?.[1] ?? 'Code'
}
