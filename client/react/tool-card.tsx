import { useId, useState } from 'react'
import { capitalise, labelOf, showValue, withoutMark } from '../sentence.ts'
import { CallOutput } from './call-output.tsx'
import { CallValues } from './call-values.tsx'
import { ExactText } from './exact-text.tsx'
import { asObject, type CallView, listChanges } from './message-blocks.ts'
import { useToolNames } from './tool-names.tsx'

const stateWords: Record<CallView['state'], string> = {
  running: 'working',
  done: 'done',
  failed: 'did not work',
  asks: 'waits for you',
  denied: 'not done: you said no',
  waiting: 'waits',
}

/** A call: one line, and on a click what went in and what came out. Failed attempts stand beside their correction. */
export function ToolCard({ attempts }: { attempts: readonly CallView[] }) {
  const last = attempts.at(-1)
  if (!last) return null
  return attempts.length > 1 ? <CorrectedCall attempts={attempts} last={last} /> : <SingleCall call={last} />
}

function SingleCall({ call }: { call: CallView }) {
  const names = useToolNames()
  return (
    <Foldable
      className="askback-tool"
      state={call.state}
      line={
        <>
          <span className="askback-tool-title">{names.title(call.toolName)}</span>
          <span className="askback-quiet">{lineOf(call)}</span>
        </>
      }
    >
      <CallDetails call={call} />
    </Foldable>
  )
}

function CorrectedCall({ attempts, last }: { attempts: readonly CallView[]; last: CallView }) {
  const names = useToolNames()
  const changes = listChanges(attempts[0]?.input, last.input)
  const changed = changes.map(({ name }) => names.parameter(last.toolName, name)).join(', ')
  const sentence =
    last.state === 'done' ? `corrected by itself${changed ? `: ${changed}` : ''}` : stateWords[last.state]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like a card
    <div role="group" aria-label="Corrected call">
      <Foldable
        className="askback-tool"
        state={last.state}
        line={
          <>
            <span className="askback-tool-title">{names.title(last.toolName)}</span>
            <span className="askback-quiet">{sentence}</span>
          </>
        }
      >
        {changes.length > 0 && (
          <table className="askback-changes">
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
        )}
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

function Foldable({
  line,
  state,
  className,
  children,
}: {
  line: React.ReactNode
  state: CallView['state']
  className: string
  children: React.ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={className} data-state={state}>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        <span className="askback-dot" aria-hidden="true" />
        {line}
        <span className="askback-chevron" aria-hidden="true" />
      </button>
      <div id={id} hidden={!isOpen} className="askback-tool-details">
        {isOpen && children}
      </div>
    </div>
  )
}

function lineOf({ state, errorText, repairs }: CallView): string {
  const words = stateWords[state]
  if (state === 'failed' && errorText) return withoutMark(errorText)
  return repairs.length > 0 ? `${words}, ${countRepairs(repairs.length)}` : words
}

function CallDetails({ call }: { call: CallView }) {
  const { toolName, input, output, state, errorText, repairs } = call
  return (
    <>
      {errorText && state !== 'done' && <p className="askback-asked">{withoutMark(errorText)}</p>}
      <h3>What went in</h3>
      {typeof input === 'string' ? (
        <pre>
          <ExactText text={input} />
        </pre>
      ) : (
        <CallValues toolName={toolName} values={asObject(input)} />
      )}
      {repairs.length > 0 && (
        <>
          <h3>Repaired on the way</h3>
          <ul>
            {repairs.map(({ path, rule }) => (
              <li key={`${path} ${rule}`}>
                {path ? `${labelOf(path)}: ` : ''}
                {capitalise(rule.replace(/[-_]/g, ' '))}
              </li>
            ))}
          </ul>
        </>
      )}
      {output !== undefined && (
        <>
          <h3>What came out</h3>
          <CallOutput output={output} />
        </>
      )}
    </>
  )
}

function countRepairs(count: number): string {
  return count === 1 ? 'one value repaired' : `${count} values repaired`
}
