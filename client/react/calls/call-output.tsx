import { useCallback, useMemo, useState } from 'react'
import { jsonPieces } from '../../values/json-pieces.ts'
import { showMoment } from '../../values/local-time.ts'
import { isPlain, labelOf, shorten, showValue } from '../../values/sentence.ts'
import { useLabels } from '../labels/use-labels.ts'
import { LongText, MoreButton } from '../values/long-text.tsx'
import { OutsideLink } from '../values/outside-link.tsx'
import { type Found, readFound } from './found-items.ts'

/** Items or values shown at first, and added with each step. */
const firstItems = 20
const stepItems = 100

/**
 * The result of a call: search results as a list with sources, plain values by name, everything else as is.
 * Long results expand in steps.
 */
export function CallOutput({ output }: { output: unknown }) {
  const { locale, tooDeep } = useLabels()
  const found = useMemo(() => readFound(output, locale), [output, locale])
  const values = useMemo(() => (found === undefined ? readValues(output) : undefined), [found, output])
  const read = useCallback(
    () => (typeof output === 'string' ? [output] : jsonPieces(output, tooDeep)),
    [output, tooDeep],
  )
  if (found !== undefined) return <FoundList found={found} />
  if (values !== undefined) return <ValueList values={values} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <pre className="askback-output" dir={typeof output === 'string' ? 'auto' : 'ltr'} tabIndex={0}>
      <LongText read={read} />
    </pre>
  )
}

function FoundList({ found }: { found: readonly Found[] }) {
  const labels = useLabels()
  const { shown, more } = useSteps(found)
  if (found.length === 0) return <p className="askback-quiet">{labels.nothingFound}</p>
  return (
    <>
      <ol className="askback-found">
        {shown.map(({ title, url, text }, index) => (
          <li key={index}>
            {url ? (
              <OutsideLink href={url}>{shorten(title)}</OutsideLink>
            ) : (
              <strong dir="auto">{shorten(title)}</strong>
            )}
            {text && (
              <p className="askback-quiet" dir="auto">
                <PlainText text={text} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {more}
    </>
  )
}

function ValueList({ values }: { values: readonly [string, unknown][] }) {
  const { locale, outputs } = useLabels()
  const { shown, more } = useSteps(values)
  return (
    <>
      <dl className="askback-values">
        {shown.map(([name, value]) => (
          <div key={name}>
            <dt>{Object.hasOwn(outputs, name) ? outputs[name] : labelOf(name)}</dt>
            <dd dir="auto">
              {Array.isArray(value) ? (
                <PlainItems items={value} />
              ) : (
                <PlainText text={showOutput(value, locale)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
      {more}
    </>
  )
}

function PlainText({ text }: { text: string }) {
  const read = useCallback(() => [text], [text])
  return <LongText read={read} />
}

function PlainItems({ items }: { items: readonly unknown[] }) {
  const { locale } = useLabels()
  const read = useCallback(() => itemPieces(items, locale), [items, locale])
  return <LongText read={read} />
}

function* itemPieces(items: readonly unknown[], locale: string): Generator<string> {
  for (const [index, item] of items.entries()) yield `${index === 0 ? '' : ', '}${showOutput(item, locale)}`
}

/** Shows moments in the reader's time zone. */
function showOutput(value: unknown, locale: string): string {
  return showMoment(value, locale) ?? showValue(value)
}

/** The first items of a list, and a button for more if there are any. */
function useSteps<T>(items: readonly T[]) {
  const [count, setCount] = useState(firstItems)
  const more = items.length > count && <MoreButton onMore={() => setCount(count + stepItems)} />
  return { shown: items.slice(0, count), more }
}

/** The values of a flat object, without empty ones; undefined for anything nested. */
function readValues(output: unknown): [string, unknown][] | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return undefined
  const entries = Object.entries(output).filter(([, value]) => !isNothing(value))
  return entries.length > 0 && entries.every(([, value]) => isPlain(value) || isPlainList(value))
    ? entries
    : undefined
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlain)
}
