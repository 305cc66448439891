import { showValue } from '../sentence.ts'
import { useToolNames } from './tool-names.tsx'
import { useUserFile } from './user-files.tsx'

type Values = Record<string, unknown>

/** The values of a call as they will be used: nothing is left out, HTML stands in a frame that runs nothing. */
export function CallValues({ toolName, values }: { toolName: string; values: Values }) {
  const names = useToolNames()
  const shown = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  if (shown.length === 0) return <p className="askback-quiet">Nothing</p>
  const isMail = 'subject' in values && ('body' in values || 'html' in values)
  const plain = isMail ? shown.filter(([name]) => !letterParts.has(name)) : shown
  return (
    <>
      <dl className="askback-values">
        {plain.map(([name, value]) => (
          <div key={name}>
            <dt>{names.parameter(toolName, name)}</dt>
            <dd>
              <Value name={name} value={value} />
            </dd>
          </div>
        ))}
      </dl>
      {isMail && <Letter values={values} />}
    </>
  )
}

const letterParts = new Set(['body', 'html', 'attachments'])

/** A mail as it will be sent: the text, beside it how it looks, and what is attached. */
function Letter({ values: { body, html, attachments } }: { values: Values }) {
  return (
    <div className="askback-letter">
      {body !== undefined && body !== null && (
        <div className="askback-letter-part">
          {html !== undefined && <p className="askback-label">Text</p>}
          <p className="askback-letter-text">{showValue(body)}</p>
        </div>
      )}
      {typeof html === 'string' && (
        <div className="askback-letter-part">
          <p className="askback-label">As it looks</p>
          <Value name="html" value={html} />
        </div>
      )}
      {Array.isArray(attachments) && attachments.length > 0 && <Attachments files={attachments} />}
    </div>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (name === 'html' && typeof value === 'string') {
    return (
      <>
        <iframe className="askback-html" title="The mail as it will look" sandbox="" srcDoc={value} />
        <details className="askback-kept">
          <summary>Source</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0}>{value}</pre>
        </details>
      </>
    )
  }
  if (name === 'attachments' && Array.isArray(value)) return <Attachments files={value} />
  const isNested =
    typeof value === 'object' && value !== null && !(Array.isArray(value) && value.every(isPlain))
  return isNested ? <pre>{JSON.stringify(value, null, 2)}</pre> : <span>{showValue(value)}</span>
}

/** The files that go along. */
function Attachments({ files }: { files: readonly Values[] }) {
  return (
    <ul className="askback-letter-files" aria-label="Attachments">
      {files.map((file, index) => (
        <li key={index} className="askback-item">
          <Attachment file={file} />
        </li>
      ))}
    </ul>
  )
}

/** A file that goes along: by the name it will have, and where it lies, if the conversation has it. */
function Attachment({ file }: { file: { filename?: unknown; file_id?: unknown } | null }) {
  const stored = useUserFile(file?.file_id)
  const name = file?.filename ?? stored?.filename
  if (name === undefined)
    return <>{file?.file_id === undefined ? showValue(file) : 'A file that is not in this conversation'}</>
  if (!stored) return <>{showValue(name)}</>
  return (
    <a href={stored.url} target="_blank" rel="noopener noreferrer">
      {showValue(name)}
    </a>
  )
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}
