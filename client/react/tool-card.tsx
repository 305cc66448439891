import { type ReactNode, useId, useState } from 'react'
import { showValue, withoutMark } from '../sentence.ts'
import { CallOutput } from './call-output.tsx'
import { CallValues } from './call-values.tsx'
import { ExactText } from './exact-text.tsx'
import { asObject, type CallView, listChanges } from './message-blocks.ts'
import { describeRepairs } from './repair-words.ts'
import { ServiceIcon } from './service-icon.tsx'
import { CallTime, describeCall, describeCorrection } from './tool-line.tsx'
import { useToolNames } from './tool-names.tsx'

/** A call: one line, and on a click what went in and what came out. Failed attempts stand beside their correction. */
export function ToolCard({ attempts }: { attempts: readonly CallView[] }) {
  const names = useToolNames()
  const last = attempts.at(-1)
  if (!last) return null
  const common = { calls: attempts, state: last.state, title: names.title(last.toolName) }
  if (attempts.length === 1) {
    return (
      <Foldable {...common} line={describeCall(last)}>
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
        line={describeCorrection(attempts, names)}
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
function Foldable({
  calls,
  title,
  mark,
  line,
  state,
  children,
}: {
  calls: readonly CallView[]
  title: string
  mark?: string | undefined
  line: string
  state: CallView['state']
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isShort = !(isOpen && mark)
  return (
    <div className="askback-tool" data-state={state}>
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
