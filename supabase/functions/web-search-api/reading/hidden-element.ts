/** Attributes of an element, as the parser returns them: names in lower case. */
export type Attributes = Readonly<Record<string, string>>

/** What a style says whose element nobody sees, wherever it stands in the attribute. */
const unseen = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)content-visibility:hidden/,
  // Out of the page: slides that wait for their turn are not that far away.
  /(?:^|;)(?:text-indent|left|top|right|margin-left|margin-top):-(?:[5-9]\d{3}|\d{5,}|\d{3,}r?em)/,
  /(?:^|;)clip:rect\((?:0(?:px)?|1px),?(?:0(?:px)?|1px)/,
  /(?:^|;)clip-path:(?:inset\((?:50|100)%|circle\(0)/,
  /(?:^|;)transform:[^;]*scale\(0\)/,
]
const narrow = /(?:^|;)(?:max-)?width:[01](?:px)?(?:;|$)/
const low = /(?:^|;)(?:max-)?height:[01](?:px)?(?:;|$)/
const clipped = /(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)/
const ink = /(?:^|;)color:([^;]+)/
const paper = /(?:^|;)background(?:-color)?:([^;]+)/
const tiny = /(?:^|;)font-size:(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?(?:;|$)/

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
  const css = declarationsOf(style)
  const sight = { isHidden: isStyledAway(css), isTiny: tiny.test(css) }
  styles.set(style, sight)
  return sight
}

function declarationsOf(style: string): string {
  return style
    .slice(0, 2_000)
    .toLowerCase()
    .replace(/\/\*.*?\*\//g, '')
    .replace(/\s+|!important/g, '')
}

function isStyledAway(css: string): boolean {
  if (
    unseen.some((declaration) => declaration.test(css)) ||
    (narrow.test(css) && low.test(css) && clipped.test(css))
  )
    return true
  const [text, ground] = [ink.exec(css)?.[1], paper.exec(css)?.[1]]
  // A gradient seen through its text is a common heading.
  if (text === 'transparent') return !css.includes('background-clip:text')
  return text !== undefined && ground !== undefined && colorOf(text) === colorOf(ground)
}

const white = new Set(['#fff', '#ffffff', 'rgb(255,255,255)', 'rgba(255,255,255,1)'])

function colorOf(value: string): string {
  return white.has(value) ? 'white' : value
}
