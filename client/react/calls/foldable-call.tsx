import { type ReactNode, useId, useState } from 'react'
import { asObject } from '../../values/json-object.ts'
import { shortenWithin } from '../../values/sentence.ts'
import { isWebAddress } from '../../values/web-address.ts'
import { type Made, Receipt } from '../cards/receipt.tsx'
import { UnaskedReceipt } from '../cards/without-asking-link.tsx'
import { ServiceIcon } from '../icons/service-icon.tsx'
import { useToolNames } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { BreakingText } from '../values/breaking-text.tsx'
import { OutsideLink } from '../values/outside-link.tsx'
import { CallTime } from './call-time.tsx'
import type { CallView } from './call-view.ts'

/** Calls as one line, with the decisions above; click to expand. */
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
  /** Highlighted in the line. */
  mark?: string | undefined
  /** A one-line summary of the details. */
  line: string
  state: CallView['state']
  receipts: readonly Made[]
  children: ReactNode
}) {
  const labels = useLabels()
  const names = useToolNames()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  // When expanded, the correction is shown instead.
  const hasLine = !(isOpen && mark)
  const href = calls.length === 1 ? asObject(calls[0]?.output).url : undefined
  return (
    <div className="askback-tool" data-state={state}>
      {receipts.map((made, index) => (
        // After answering, users keep the focus in the composer.
        <Receipt
          key={made.itemId}
          made={made}
          past={calls.at(-1)?.past}
          about={answeredIn(calls, made)}
          result={made.decision === 'approve' && index < receipts.length - 1 ? labels.callFailed : undefined}
          holds={made.decision !== 'answer'}
        />
      ))}
      {calls.length > 0 && receipts.length === 0 && <UnaskedReceipt call={calls.at(-1)} />}
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <span className="askback-dot" aria-hidden="true" />
        <span className="askback-tool-line">
          <ServiceIcon name={toolName} />
          <span className="askback-tool-title" dir="auto">
            <BreakingText text={names.title(toolName)} />
          </span>{' '}
          {mark && (
            <>
              <span className="askback-corrected">{mark}</span>{' '}
            </>
          )}
          {hasLine && (
            <span className="askback-quiet" dir="auto">
              <BreakingText text={shortenWithin(line)} />
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
      {/* The user has expanded it, so screen readers need not announce it. */}
      <div id={id} hidden={!isOpen} className="askback-tool-details">
        {isOpen && children}
      </div>
    </div>
  )
}

/** What an answer was about: the call below shows what came of it, but not the question. */
function answeredIn(calls: readonly CallView[], { decision, toolCallId }: Made): string | undefined {
  if (decision !== 'answer') return undefined
  return calls.find((call) => call.toolCallId === toolCallId)?.askedFirst
}
