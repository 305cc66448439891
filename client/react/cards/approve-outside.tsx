import { type MouseEvent, useRef } from 'react'
import { useLabels } from '../labels/use-labels.ts'

/** Leads out of the frame of another site, to the page of the item or, if it has none, to the conversation. */
export function ApproveOutside({
  conversation,
  pageOf,
}: {
  conversation: string
  pageOf: (() => Promise<string>) | undefined
}) {
  const labels = useLabels()
  // However often it is pressed, it is one link.
  const page = useRef<Promise<string>>(undefined)
  const open = (event: MouseEvent) => {
    if (!pageOf) return
    // With the press: a window that opens later counts as a pop-up.
    const own = window.open('', '_blank')
    if (!own) return
    event.preventDefault()
    own.opener = null
    page.current ??= pageOf()
    page.current.then(
      (address) => own.location.replace(address),
      () => {
        page.current = undefined
        own.location.replace(conversation)
      },
    )
  }
  return (
    <a className="askback-primary" href={conversation} target="_blank" rel="noopener" onClick={open}>
      {labels.approveOutside}
    </a>
  )
}
