import { showValue } from '../sentence.ts'
import { useToolNames } from './tool-names.tsx'
import { useUserFile } from './user-files.tsx'

/** The values of a call as they will be used: nothing is left out, HTML stands in a frame that runs nothing. */
export function CallValues({ toolName, values }: { toolName: string; values: Record<string, unknown> }) {
  const names = useToolNames()
  const shown = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  if (shown.length === 0) return <p className="askback-quiet">Nothing</p>
  return (
    <dl className="askback-values">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{names.parameter(toolName, name)}</dt>
          <dd>
            <Value name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  if (name === 'html' && typeof value === 'string') {
    return (
      <>
        <iframe className="askback-html" title="The mail as it will look" sandbox="" srcDoc={value} />
        <details>
          <summary>Source</summary>
          <pre>{value}</pre>
        </details>
      </>
    )
  }
  if (name === 'attachments' && Array.isArray(value)) {
    return (
      <ul className="askback-attachments">
        {value.map((file, index) => (
          <li key={`${index} ${JSON.stringify(file).length}`}>
            <Attachment file={file} />
          </li>
        ))}
      </ul>
    )
  }
  const isNested =
    typeof value === 'object' && value !== null && !(Array.isArray(value) && value.every(isPlain))
  return isNested ? <pre>{JSON.stringify(value, null, 2)}</pre> : <span>{showValue(value)}</span>
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
