import { asObject } from '../../values/json-object.ts'
import { showValue, withoutMark } from '../../values/sentence.ts'
import type { Made } from '../cards/receipt.tsx'
import { useToolNames } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { CallValues } from '../values/call-values.tsx'
import { ExactText } from '../values/exact-text.tsx'
import { CallOutput } from './call-output.tsx'
import { type CallView, inputOnCard, listChanges } from './call-view.ts'
import { hasFailed } from './failed-parts.ts'
import { FoldableCall } from './foldable-call.tsx'
import { describeRepairs } from './repair-words.ts'
import { describeCall, describeCorrection, describeDenied } from './tool-line.ts'

const none: readonly Made[] = []

/** A call: one line, with its input and output on a click. Failed attempts are shown beside their correction. */
export function ToolCard({
  attempts,
  decided = none,
}: {
  attempts: readonly CallView[]
  /** The user's decisions about these calls, shown above them. */
  decided?: readonly Made[]
}) {
  const labels = useLabels()
  const names = useToolNames()
  const last = attempts.at(-1)
  if (!last) return null
  const receipts = decided.filter((one) => attempts.some(({ toolCallId }) => toolCallId === one.toolCallId))
  const state = last.state === 'done' && hasFailed(last.output) ? 'failed' : last.state
  const common = { calls: attempts, state, toolName: last.toolName, receipts }
  const denied = last.state === 'denied' ? describeDenied(last, labels) : undefined
  const isDone = last.state === 'done'
  // With what somebody typed, it was not the model that corrected the call.
  const isBySelf = isDone && attempts.every(({ lacked }) => !lacked)
  const edited = isDone && last.edited ? labels.changedByYou : undefined
  if (attempts.length === 1) {
    return (
      <FoldableCall {...common} mark={edited} line={denied ?? describeCall(last, labels)}>
        <Edited call={last} />
        <CallDetails call={last} />
      </FoldableCall>
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div role="group" aria-label={labels.correctedCall}>
      <FoldableCall
        {...common}
        mark={edited ?? (isBySelf ? labels.selfCorrected : undefined)}
        line={denied ?? describeCorrection(attempts, names, labels)}
      >
        <Changes
          toolName={last.toolName}
          title={labels.whatChanged}
          columns={[labels.firstAttempt, isDone ? labels.correctedAttempt : labels.lastAttempt]}
          versions={[attempts[0]?.input, inputOnCard(last)]}
        />
        <Edited call={last} />
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

/** What the user changed before approving it. */
function Edited({ call }: { call: CallView }) {
  const labels = useLabels()
  return (
    <Changes
      toolName={call.toolName}
      title={labels.whatYouChanged}
      columns={[labels.onTheCard, labels.yourChange]}
      versions={[inputOnCard(call), call.input]}
    />
  )
}

/** The values that differ between two versions of a call. */
function Changes({
  toolName,
  title,
  columns,
  versions,
}: {
  toolName: string
  title: string
  columns: readonly [string, string]
  versions: readonly [unknown, unknown]
}) {
  const labels = useLabels()
  const names = useToolNames()
  const changes = listChanges(...versions)
  if (changes.length === 0) return null
  return (
    <table className="askback-changes" aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{labels.changedValue}</th>
          <th scope="col">{columns[0]}</th>
          <th scope="col">{columns[1]}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{names.parameter(toolName, name)}</th>
            <td>
              <ExactText text={names.value(toolName, name, before) ?? showValue(before)} />
            </td>
            <td>
              <ExactText text={names.value(toolName, name, after) ?? showValue(after)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CallDetails({ call }: { call: CallView }) {
  const labels = useLabels()
  const { parameter } = useToolNames()
  const { toolName, input, output, state, errorText, repairs } = call
  return (
    <>
      {/* A call that is over says so in its line. */}
      {errorText && state !== 'done' && state !== 'over' && (
        <p className="askback-asked" dir="auto">
          {withoutMark(errorText)}
        </p>
      )}
      <p className="askback-label">{labels.input}</p>
      {typeof input === 'string' ? (
        <pre dir="ltr">
          <ExactText text={input} />
        </pre>
      ) : (
        <CallValues toolName={toolName} values={asObject(input)} />
      )}
      {repairs.length > 0 && (
        <>
          <p className="askback-label">{labels.fixedAutomatically}</p>
          <ul>
            {describeRepairs(repairs, labels, (path) => parameter(toolName, path)).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </>
      )}
      {output !== undefined && (
        <>
          <p className="askback-label">{labels.result}</p>
          <CallOutput output={output} />
        </>
      )}
    </>
  )
}
