import { useState } from 'react'
import { useToast } from '../../shell/toasts.tsx'
import { chatWords } from './words.ts'

const shownMs = 1500

/** Copies a text; says for a moment that it has, or that it couldn't: the browser may not allow it. */
export function useCopy(): { isCopied: boolean; copy(text: string): Promise<void> } {
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)
  const copy = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return toast(chatWords().notCopied, 'failed')
    }
    setCopied(true)
    setTimeout(setCopied, shownMs, false)
  }
  return { isCopied, copy }
}
