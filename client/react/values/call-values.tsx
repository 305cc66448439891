import type { FormSchema } from '../../api/message.ts'
import { jsonText } from '../../values/json-text.ts'
import { showMoment } from '../../values/local-time.ts'
import { isPlain, showValue } from '../../values/sentence.ts'
import { useToolNames } from '../labels/tool-names.tsx'
import { useLabels } from '../labels/use-labels.ts'
import { ExactText } from './exact-text.tsx'
import { Size, StoredSize, sizeOf } from './file-size.tsx'
import { MailFrame } from './mail-frame.tsx'
import { useUserFile } from './user-files.tsx'

type Values = Record<string, unknown>

/** The values of a call exactly as they will be used: nothing is left out, and HTML is shown in a frame that runs nothing. */
export function CallValues({
  toolName,
  values,
  sender,
  named = {},
}: {
  toolName: string
  values: Values
  /** The account a mail is sent from; null if the user will be asked. */
  sender?: string | null | undefined
  /** What ids among the values are called, by parameter. */
  named?: Readonly<Record<string, string>> | undefined
}) {
  const labels = useLabels()
  const isEmail = useIsEmail(toolName)
  const shown = Object.entries(values).filter(([, value]) => value !== undefined && value !== null)
  if (shown.length === 0) return <p className="askback-quiet">{labels.noValues}</p>
  const isMail = isEmail && 'subject' in values && ('body' in values || 'html' in values)
  if (!isMail) return <ValueList toolName={toolName} values={shown} named={named} />
  // Values whose type does not fit a mail are shown as they are, by name.
  const plain = shown.filter(([name, value]) => !letterParts[name]?.(value))
  const letter: Values = {
    ...values,
    from: values.from ?? (sender === null ? labels.accountToBeAsked : sender),
  }
  const head = Object.keys(letterHead).flatMap((name): [string, unknown][] =>
    letter[name] === undefined || letter[name] === null ? [] : [[name, letter[name]]],
  )
  const others = plain.filter(([name]) => !Object.hasOwn(letterHead, name))
  return (
    <>
      <div className="askback-letter">
        <ValueList toolName={toolName} values={head} />
        <Letter values={values} />
      </div>
      {others.length > 0 && <ValueList toolName={toolName} values={others} />}
    </>
  )
}

/** Whether a tool sends to addresses. What has a subject can be a ticket; of a tool that is not known, nobody can tell. */
function useIsEmail(toolName: string): boolean {
  const { parameters } = useToolNames().find(toolName) ?? {}
  if (parameters === undefined) return true
  const { to } = (parameters as FormSchema).properties ?? {}
  return (to?.items?.format ?? to?.format) === 'email'
}

function ValueList({
  toolName,
  values,
  named = {},
}: {
  toolName: string
  values: readonly [string, unknown][]
  named?: Readonly<Record<string, string>> | undefined
}) {
  const labels = useLabels()
  const names = useToolNames()
  return (
    <dl className="askback-values">
      {values.map(([name, value]) => (
        <div key={name}>
          <dt>{names.parameter(toolName, name)}</dt>
          <dd>
            <Value name={name} value={names.value(toolName, name, value) ?? value} />
            {Object.hasOwn(named, name) && (
              <>
                {' '}
                <span className="askback-quiet">
                  <ExactText text={labels.quotes.join(named[name])} />
                </span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The head of a mail, in order. */
const letterHead = { from: 1, to: 2, cc: 3, bcc: 4, reply_to: 5, subject: 6 }
const isText = (value: unknown) => typeof value === 'string'
/** The rest of a mail. */
const letterParts: Record<string, (value: unknown) => boolean> = {
  body: isText,
  html: isText,
  attachments: Array.isArray,
}

/** A mail as it will be sent: the text, its HTML preview, and the attachments. */
function Letter({ values: { body, html, attachments } }: { values: Values }) {
  const labels = useLabels()
  return (
    <>
      {(typeof body === 'string' || typeof html === 'string') && (
        <div className="askback-letter-parts">
          {typeof body === 'string' && (
            <div className="askback-letter-part">
              {html !== undefined && <p className="askback-label">{labels.letterText}</p>}
              <p className="askback-letter-text">
                <ExactText text={body} />
              </p>
            </div>
          )}
          {typeof html === 'string' && (
            <div className="askback-letter-part">
              <p className="askback-label">{labels.letterLook}</p>
              <Value name="html" value={html} />
            </div>
          )}
        </div>
      )}
      {Array.isArray(attachments) && attachments.length > 0 && <Attachments files={attachments} />}
    </>
  )
}

function Value({ name, value }: { name: string; value: unknown }) {
  const labels = useLabels()
  if (name === 'html' && typeof value === 'string') {
    return (
      <>
        <MailFrame className="askback-html" title={labels.mailLook} html={value} />
        <details className="askback-kept">
          <summary>{labels.mailSource}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <pre dir="ltr" tabIndex={0}>
            <ExactText text={value} />
          </pre>
        </details>
      </>
    )
  }
  if (name === 'attachments' && Array.isArray(value)) return <Attachments files={value} />
  if (Array.isArray(value) && value.every(isPlain)) return <PlainList items={value} />
  if (typeof value === 'boolean') return value ? labels.yes : labels.no
  return isPlain(value) ? (
    <ExactText text={showMoment(value, labels.locale) ?? showValue(value)} />
  ) : (
    <pre dir="ltr">
      <ExactText text={jsonText(value, 2, labels.tooDeep)} />
    </pre>
  )
}

/** Lists longer than this show their length, and this many items until expanded. */
const many = 5
const few = 3

/** One item per line, so that none can be mistaken for two (an item can contain quotes) or get lost among many. */
function PlainList({ items }: { items: readonly unknown[] }) {
  const labels = useLabels()
  if (items.length === 0) return '–'
  const list = (part: readonly unknown[]) =>
    part.map((item, index) => (
      <span key={index}>
        {index > 0 && ', '}
        {/[,;]/.test(String(item)) ? (
          <span className="askback-item">
            <ExactText text={String(item)} />
          </span>
        ) : (
          <ExactText text={String(item)} />
        )}
      </span>
    ))
  if (items.length <= many) return list(items)
  return (
    <>
      <strong>{labels.inAll(items.length)} </strong>
      {list(items.slice(0, few))}
      <details className="askback-kept">
        <summary>{labels.theOther(items.length - few)}</summary>
        {list(items.slice(few))}
      </details>
    </>
  )
}

/** The attached files. */
function Attachments({ files }: { files: readonly unknown[] }) {
  const labels = useLabels()
  return (
    <ul className="askback-letter-files" aria-label={labels.attachments}>
      {files.map((file, index) => (
        <li key={index} className="askback-item">
          {isPlain(file) ? <ExactText text={showValue(file)} /> : <Attachment file={file as Values} />}
        </li>
      ))}
    </ul>
  )
}

/** One attachment: its name, with a link if the conversation has the file, otherwise its content. */
function Attachment({ file }: { file: Values }) {
  const labels = useLabels()
  const stored = useUserFile(file.file_id)
  if (stored) {
    const name = file.filename ?? stored.filename ?? labels.unnamedFile
    return (
      <a href={stored.url} target="_blank" rel="noopener noreferrer">
        <ExactText text={showValue(name)} /> <StoredSize url={stored.url} />
      </a>
    )
  }
  const { filename: name, ...others } = file
  if (Object.keys(others).length === 0) return <ExactText text={showValue(name)} />
  const words = file.file_id === undefined ? labels.unnamedFile : labels.fileElsewhere
  return (
    <details>
      <summary>
        <ExactText text={name === undefined ? words : showValue(name)} />{' '}
        {typeof file.content === 'string' && <Size bytes={sizeOf(file.content, file.encoding)} />}
      </summary>
      <CallValues toolName="" values={others} />
    </details>
  )
}
