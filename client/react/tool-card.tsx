import { type ReactNode, useId, useState } from 'react'
import { showValue, withoutMark } from '../sentence.ts'
import { CallOutput } from './call-output.tsx'
import { CallValues } from './call-values.tsx'
import { ExactText } from './exact-text.tsx'
import { countFailed } from './failed-parts.ts'
import { asObject, type CallView, isWebAddress, listChanges } from './message-blocks.ts'
import { OutsideLink } from './outside-link.tsx'
import { type Made, Receipt } from './receipt.tsx'
import { describeRepairs } from './repair-words.ts'
import { ServiceIcon } from './service-icon.tsx'
import { CallTime, describeCall, describeCorrection } from './tool-line.tsx'
import { useToolNames } from './tool-names.tsx'

/** A call: one line, and on a click what went in and what came out. Failed attempts stand beside their correction. */
export function ToolCard({
  attempts,
  decided = nobody,
}: {
  attempts: readonly CallView[]
  /** What the user has decided; about these calls it is told above them. */
  decided?: readonly Made[]
}) {
  const names = useToolNames()
  const last = attempts.at(-1)
  if (!last) return null
  const receipts = decided.filter((one) => attempts.some(({ toolCallId }) => toolCallId === one.toolCallId))
  const state = last.state === 'done' && hasFailed(last) ? 'failed' : last.state
  const common = { calls: attempts, state, title: names.title(last.toolName), receipts }
  // Its receipt has said so.
  const isSaid = last.state === 'denied' && receipts.length > 0
  if (attempts.length === 1) {
    return (
      <Foldable {...common} line={isSaid ? '' : describeCall(last)}>
        <CallDetails call={last} />
      </Foldable>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div role="group" aria-label="Corrected call">
      <Foldable
        {...common}
        mark={last.state === 'done' ? (last.isApproved ? 'corrected' : 'corrected itself') : undefined}
        line={isSaid ? '' : describeCorrection(attempts, names)}
      >
        <Changes attempts={attempts} last={last} />
        <ol className="askback-attempts">
          {attempts.map((call) => (
            <li key={call.toolCallId} data-state={call.state}>
              <CallDetails call={call} />
            </li>
          ))}
        </ol>
      </Foldable>
    </div>
  )
}

const nobody: readonly Made[] = []

export function hasFailed({ output }: CallView): boolean {
  return countFailed(output).failed > 0
}

/** The values that are different now. */
function Changes({ attempts, last }: { attempts: readonly CallView[]; last: CallView }) {
  const names = useToolNames()
  const changes = listChanges(attempts[0]?.input, last.input)
  if (changes.length === 0) return null
  return (
    <table className="askback-changes" aria-label="What changed">
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">First attempt</th>
          <th scope="col">{last.state === 'done' ? 'Corrected' : 'Last attempt'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{names.parameter(last.toolName, name)}</th>
            <td>
              <ExactText text={showValue(before)} />
            </td>
            <td>
              <ExactText text={showValue(after)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The line says in short what stands below it: unfolded, it need not. */
export function Foldable({
  calls,
  title,
  mark,
  line,
  state,
  receipts,
  children,
}: {
  calls: readonly CallView[]
  receipts: readonly Made[]
  title: string
  mark?: string | undefined
  line: string
  state: CallView['state']
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isShort = !(isOpen && mark)
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
          <ServiceIcon name={calls.at(-1)?.toolName ?? ''} />
          <span className="askback-tool-title">{title}</span>{' '}
          {mark && <span className="askback-corrected">{mark}</span>}{' '}
          {isShort && <span className="askback-quiet">{line}</span>}
        </span>
        <CallTime calls={calls} />
        <span className="askback-chevron" aria-hidden="true" />
      </button>
      {isWebAddress(href) && (
        <p className="askback-tool-link">
          <OutsideLink href={href}>Open</OutsideLink>
        </p>
      )}
      {/* Who unfolds it reads it: nothing of it is a new message. */}
      <div id={id} hidden={!isOpen} className="askback-tool-details" aria-live="off">
        {isOpen && children}
      </div>
    </div>
  )
}

function CallDetails({ call }: { call: CallView }) {
  const { toolName, input, output, state, errorText, repairs } = call
  return (
    <>
      {/* What is over says so in its line. */}
      {errorText && state !== 'done' && state !== 'over' && (
        <p className="askback-asked">{withoutMark(errorText)}</p>
      )}
      <p className="askback-label">Input</p>
      {typeof input === 'string' ? (
        <pre>
          <ExactText text={input} />
        </pre>
      ) : (
        <CallValues toolName={toolName} values={asObject(input)} />
      )}
      {repairs.length > 0 && (
        <>
          <p className="askback-label">Fixed automatically</p>
          <ul>
            {describeRepairs(repairs).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      {output !== undefined && (
        <>
          <p className="askback-label">Result</p>
          <CallOutput output={output} />
        </>
      )}
    </>
  )
}
