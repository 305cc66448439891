import { useState } from 'react'
import { useChatLabels } from '../labels/use-chat-labels.ts'
import { useTell } from './tell.ts'

const shownMs = 1500

/** Copies a text; says for a moment that it has, or that it couldn't: the browser may not allow it. */
export function useCopy(): { isCopied: boolean; copy(text: string): Promise<void> } {
  const tell = useTell()
  const { notCopied } = useChatLabels()
  const [isCopied, setCopied] = useState(false)
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return tell(notCopied)
    }
    setCopied(true)
    setTimeout(setCopied, shownMs, false)
  }
  return { isCopied, copy }
}
