import { readDeclarations } from '../../../../shared/integrations/email/style-rules.ts'

/** Attributes of an element, as the parser returns them: names in lower case. */
export type Attributes = Readonly<Record<string, string>>

/** What a property says where nobody sees the element. */
const unseen: Readonly<Record<string, RegExp>> = {
  display: /^none$/,
  visibility: /^(?:hidden|collapse)$/,
  'content-visibility': /^hidden$/,
  clip: /^rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]/,
  'clip-path': /^(?:inset\((?:50|100)%|circle\(0)/,
  transform: /\bscale[xy]?\(0\)/,
}
/** Out of the page: slides that wait for their turn are not that far away. */
const away = /^-(?:[5-9]\d{3}|\d{5,}|\d{3,}r?em)/
const moves = ['text-indent', 'left', 'top', 'right', 'margin-left', 'margin-top']
const dot = /^[01](?:px)?$/
const nothing = /^(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?$/

/** What an element's own attributes say of it; style sheets are not read. */
export interface Sight {
  /** Nobody sees it or what is in it. What only fades in, or opens when it is clicked, is seen. */
  isHidden: boolean
  /** The text directly in it has no size; elements in it may have one. */
  isTiny: boolean
}

const seen: Sight = { isHidden: false, isTiny: false }
const hiddenFromAll: Sight = { isHidden: true, isTiny: false }

/**
 * Whether a visitor sees an element. `styles` keeps what was found out about each style: a page repeats them.
 *
 * @example
 * sightOf({ style: 'Display : NONE' }, new Map()).isHidden // => true
 */
export function sightOf(attributes: Attributes, styles: Map<string, Sight>): Sight {
  const { hidden, style } = attributes
  // `until-found`: the browser's search finds it and shows it.
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return hiddenFromAll
  if (attributes['aria-hidden']?.toLowerCase() === 'true') return hiddenFromAll
  if (!style) return seen
  const known = styles.get(style)
  if (known) return known
  const get = readStyle(style)
  const sight = { isHidden: isStyledAway(get, style), isTiny: nothing.test(get('font-size')) }
  styles.set(style, sight)
  return sight
}

type Get = (name: string) => string

/** As mail programs and browsers read it: without comments and escapes, what is important last. */
function readStyle(style: string): Get {
  const declarations = readDeclarations(style)
  const said = new Map<string, string>()
  for (const important of [false, true]) {
    for (const { name, value, isImportant } of declarations)
      if (isImportant === important) said.set(name, value)
  }
  return (name) => said.get(name) ?? ''
}

function isStyledAway(get: Get, style: string): boolean {
  if (Object.entries(unseen).some(([name, value]) => value.test(get(name)))) return true
  if (moves.some((name) => away.test(get(name)))) return true
  const isDot = [get('width'), get('height')].every((size) => dot.test(size))
  if (isDot && /hidden|clip/.test(get('overflow'))) return true
  const text = get('color')
  // A gradient seen through its text is a common heading.
  if (text === 'transparent') return !/background-clip\s*:\s*text/i.test(style)
  const ground = get('background-color') || get('background')
  return text !== '' && ground !== '' && colorOf(text) === colorOf(ground)
}

const white = new Set(['#fff', '#ffffff', 'rgb(255,255,255)', 'rgba(255,255,255,1)'])

function colorOf(value: string): string {
  const plain = value.replace(/\s+/g, '')
  return white.has(plain) ? 'white' : plain
}
