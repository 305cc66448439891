import { jsonText } from '../json-text.ts'
import { isPlain, showValue } from '../sentence.ts'
import { ExactText } from './exact-text.tsx'
import { MailFrame } from './mail-frame.tsx'
import { useToolNames } from './tool-names.tsx'

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
        <MailFrame className="askback-html" title="The mail as it will look" html={value} />
        <details>
          <summary>Source</summary>
          <pre>
            <ExactText text={value} />
          </pre>
        </details>
      </>
    )
  }
  if (name === 'attachments' && Array.isArray(value)) return <Attachments files={value} />
  if (Array.isArray(value) && value.every(isPlain)) return <PlainList items={value} />
  return isPlain(value) ? (
    <ExactText text={showValue(value)} />
  ) : (
    <pre>
      <ExactText text={jsonText(value)} />
    </pre>
  )
}

/** Items from which on their number is told, and how many of them stand there without a click. */
const many = 10

/** Each by itself, so that none can be read as two, or hide among many. */
function PlainList({ items }: { items: readonly unknown[] }) {
  if (items.length === 0) return '–'
  const list = (part: readonly unknown[]) =>
    part.map((item, index) => (
      <span key={index}>
        {index > 0 && ', '}
        <ExactText text={/[,;]/.test(String(item)) ? `“${item}”` : String(item)} />
      </span>
    ))
  if (items.length <= many) return list(items)
  return (
    <>
      <strong>{items.length} in all: </strong>
      {list(items.slice(0, many))}
      <details>
        <summary>The other {items.length - many}</summary>
        {list(items.slice(many))}
      </details>
    </>
  )
}

/** Their names, and on a click all that is known of each: its type, and what stands in it. */
function Attachments({ files }: { files: readonly unknown[] }) {
  return files.map((file, index) => {
    const { filename } = (isPlain(file) ? {} : file) as { filename?: unknown }
    if (typeof filename !== 'string') return <ExactText key={index} text={showValue(file)} />
    return (
      <details key={index}>
        <summary>
          <ExactText text={filename} />
        </summary>
        <CallValues toolName="" values={file as Record<string, unknown>} />
      </details>
    )
  })
}
