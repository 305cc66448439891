import { asObject } from '../json-object.ts'
import { showValue, withoutMark } from '../sentence.ts'
import { CallOutput } from './call-output.tsx'
import { CallValues } from './call-values.tsx'
import { type CallView, listChanges } from './call-view.ts'
import { ExactText } from './exact-text.tsx'
import { hasFailed } from './failed-parts.ts'
import { FoldableCall } from './foldable-call.tsx'
import type { Made } from './receipt.tsx'
import { describeRepairs } from './repair-words.ts'
import { describeCall, describeCorrection } from './tool-line.ts'
import { useToolNames } from './tool-names.tsx'

const none: readonly Made[] = []

/** A call: one line, and on a click what went in and what came out. Failed attempts stand beside their correction. */
export function ToolCard({
  attempts,
  decided = none,
}: {
  attempts: readonly CallView[]
  /** What the user has decided; about these calls it is told above them. */
  decided?: readonly Made[]
}) {
  const names = useToolNames()
  const last = attempts.at(-1)
  if (!last) return null
  const receipts = decided.filter((one) => attempts.some(({ toolCallId }) => toolCallId === one.toolCallId))
  const state = last.state === 'done' && hasFailed(last.output) ? 'failed' : last.state
  const common = { calls: attempts, state, toolName: last.toolName, receipts }
  // The receipt above it has.
  const isSaid = last.state === 'denied' && receipts.length > 0
  if (attempts.length === 1) {
    return (
      <FoldableCall {...common} line={isSaid ? '' : describeCall(last)}>
        <CallDetails call={last} />
      </FoldableCall>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div role="group" aria-label="Corrected call">
      <FoldableCall
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
      </FoldableCall>
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
