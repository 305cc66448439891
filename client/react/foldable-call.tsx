import { type ReactNode, useId, useState } from 'react'
import { asObject } from '../json-object.ts'
import { isWebAddress } from '../web-address.ts'
import { CallTime } from './call-time.tsx'
import type { CallView } from './call-view.ts'
import { OutsideLink } from './outside-link.tsx'
import { type Made, Receipt } from './receipt.tsx'
import { ServiceIcon } from './service-icon.tsx'
import { useToolNames } from './tool-names.tsx'
import { useLabels } from './use-labels.ts'

/** Calls in one line, above it what was decided about them; on a click what stands in them. */
export function FoldableCall({
  calls,
  toolName,
  mark,
  line,
  state,
  receipts,
  children,
}: {
  calls: readonly CallView[]
  toolName: string
  /** What stands out in the line. */
  mark?: string | undefined
  /** In short what stands below it. */
  line: string
  state: CallView['state']
  receipts: readonly Made[]
  children: ReactNode
}) {
  const labels = useLabels()
  const names = useToolNames()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  // Unfolded, a correction says it better.
  const hasLine = !(isOpen && mark)
  const href = calls.length === 1 ? asObject(calls[0]?.output).url : undefined
  return (
    <div className="askback-tool" data-state={state}>
      {receipts.map((made) => (
        // Who has answered goes on writing.
        <Receipt key={made.itemId} made={made} holds={made.decision !== 'answer'} />
      ))}
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <span className="askback-dot" aria-hidden="true" />
        <span className="askback-tool-line">
          <ServiceIcon name={toolName} />
          <span className="askback-tool-title" dir="auto">
            {names.title(toolName)}
          </span>{' '}
          {mark && <span className="askback-corrected">{mark}</span>}{' '}
          {hasLine && (
            <span className="askback-quiet" dir="auto">
              {line}
            </span>
          )}
        </span>
        <CallTime calls={calls} />
        <span className="askback-chevron" aria-hidden="true" />
      </button>
      {isWebAddress(href) && (
        <p className="askback-tool-link">
          <OutsideLink href={href}>{labels.openResult}</OutsideLink>
        </p>
      )}
      {/* Who unfolds it reads it: nothing of it is a new message. */}
      <div id={id} hidden={!isOpen} className="askback-tool-details" aria-live="off">
        {isOpen && children}
      </div>
    </div>
  )
}
