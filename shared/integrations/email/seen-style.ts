import type { Declarations } from './style-rules.ts'

/** Red, green and blue from 0 to 255, and how much of it covers what is below. */
type Color = { red: number; green: number; blue: number; alpha: number }

/** How a text at some place of a mail looks; a colour that is not known is undefined. */
export interface SeenStyle {
  /** Nothing of the element is there, whatever its children say. */
  isGone: boolean
  isInvisible: boolean
  /** Pixels. */
  fontSize: number
  opacity: number
  color: Color | undefined
  background: Color | undefined
}

const black = { red: 0, green: 0, blue: 0, alpha: 1 }
/** A link has a colour of its own (https://html.spec.whatwg.org/multipage/rendering.html). */
const linkColor = { red: 0, green: 0, blue: 238, alpha: 1 }
const white = { red: 255, green: 255, blue: 255, alpha: 1 }

/** A page without any style. */
export const plainStyle: SeenStyle = {
  isGone: false,
  isInvisible: false,
  fontSize: 16,
  opacity: 1,
  color: black,
  background: white,
}

/** Pixels: smaller text is a few dots. */
const smallestFont = 3
/** Pixels that an element is moved by so that nobody finds it: to the left or up, and to the right or down. */
const farAway = { before: 400, after: 2000 }
/** Pixels: of text in a lower or narrower box, nobody sees enough to read it. */
const flattest = 5
/** Contrast between text and background as of WCAG, from 1 to 21: below, nobody sees a difference. */
const leastContrast = 1.2
const leastOpacity = 0.1

/** Whether a person can see a text in this style. */
export function isSeen({ isGone, isInvisible, fontSize, opacity, color, background }: SeenStyle): boolean {
  if (isGone || isInvisible || fontSize < smallestFont || opacity < leastOpacity) return false
  if (!color) return true
  if (color.alpha < leastOpacity) return false
  return !background || contrast(color, background) >= leastContrast
}

/** The style of an element inside one of the style `outer`; `rules` apply weakest first, its own attribute last. */
export function styleWithin(outer: SeenStyle, tag: string, rules: readonly Declarations[]): SeenStyle {
  const all = rules.flat()
  if (all.length === 0) return tag === 'a' ? { ...outer, color: linkColor } : outer
  const given = new Map<string, string>()
  for (const important of [false, true]) {
    for (const { name, value, isImportant } of all) {
      if (isImportant !== important) continue
      given.set(name, value)
      if (name === 'background') for (const part of ['color', 'image']) given.delete(`background-${part}`)
      if (name === 'font') given.delete('font-size')
    }
  }
  const get = (name: string) => given.get(name) ?? ''
  const visibility = get('visibility')
  const opacity = readOpacity(get('opacity'))
  return {
    isGone: outer.isGone || isGone(get),
    isInvisible:
      visibility === '' || visibility === 'inherit'
        ? outer.isInvisible
        : visibility !== 'visible' && visibility !== 'initial',
    fontSize: readFontSize(get('font-size') || fontSizeIn(get('font')), outer.fontSize),
    opacity: outer.opacity * opacity,
    color: readOwnColor(get('-webkit-text-fill-color') || get('color'), outer.color, tag),
    background: readBackground(get, outer.background),
  }
}

function isGone(get: (name: string) => string): boolean {
  if (get('display') === 'none' || get('content-visibility') === 'hidden') return true
  const isClipped = ['overflow', 'overflow-x', 'overflow-y'].some((name) => /hidden|clip/.test(get(name)))
  const isFlat = ['height', 'max-height', 'width', 'max-width'].some(
    (name) => readLength(get(name)) <= flattest,
  )
  if (isClipped && (isFlat || readLength(get('line-height')) < 0.2)) return true
  const moves = ['text-indent', 'margin-left', 'margin-top'].map(get)
  if (/absolute|fixed|relative/.test(get('position'))) moves.push(...['left', 'top', 'right'].map(get))
  moves.push(
    ...(/^translate[xy]?\(([^)]*)\)/
      .exec(get('transform'))?.[1]
      ?.split(',')
      .map((one) => one.trim()) ?? []),
  )
  if (moves.some(isFar)) return true
  if (/opacity\(0(?:\.0*)?%?\)/.test(get('filter'))) return true
  const isCut = /^rect\((?:[01](?:px)?[\s,]*){4}\)$/.test(get('clip'))
  return (
    isCut ||
    /^(?:inset\((?:50|100)%|circle\(0)/.test(get('clip-path')) ||
    /scale[xy]?\(0/.test(get('transform'))
  )
}

function isFar(move: string): boolean {
  const length = readLength(move)
  return length <= -farAway.before || (length >= farAway.after && length !== Number.POSITIVE_INFINITY)
}

/** Pixels; infinite where nothing, or a share of something, is said. */
function readLength(value: string): number {
  const found = /^([-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(px|pt|em|rem|%|vw|vh|in|cm|mm)?$/.exec(value)
  if (!found) return Number.POSITIVE_INFINITY
  const number = Number(found[1])
  return number * (found[2] === 'em' || found[2] === 'rem' ? 16 : 1)
}

function readFontSize(value: string, outer: number): number {
  const found = /^(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(px|pt|em|rem|%)?$/.exec(value)
  if (!found) return /small|medium|large/.test(value) ? 16 : outer
  const number = Number(found[1])
  const factors: Record<string, number> = { em: outer, '%': outer / 100, rem: 16, pt: 4 / 3 }
  return number * (factors[found[2] ?? ''] ?? 1)
}

/** The size in `font: bold 12px/1.5 Arial`. */
function fontSizeIn(font: string): string {
  return /(?:^|\s)(\d{1,9}(?:\.\d{0,9})?(?:px|pt|em|rem|%)?)(?=\/|\s)/.exec(font)?.[1] ?? ''
}

function readOpacity(value: string): number {
  const number = Number.parseFloat(value)
  if (Number.isNaN(number)) return 1
  return value.endsWith('%') ? number / 100 : number
}

function readOwnColor(value: string, outer: Color | undefined, tag: string): Color | undefined {
  if (value === '') return tag === 'a' ? linkColor : outer
  return /^(?:inherit|currentcolor)$/.test(value) ? outer : readColor(value)
}

/** What stands behind the text; unknown behind a picture. */
function readBackground(get: (name: string) => string, outer: Color | undefined): Color | undefined {
  const image = get('background-image') || get('background')
  if (/url\(|gradient\(|image\(/.test(image)) return undefined
  const written = get('background-color') || colorIn(get('background'))
  if (written === '' || /^(?:none|inherit|initial|unset)$/.test(written)) return outer
  const color = readColor(written)
  if (!color || color.alpha === 1) return color
  return outer && over(color, outer)
}

function colorIn(background: string): string {
  const words = background.match(/[a-z-]+\([^)]*\)|[^\s]+/g) ?? []
  return words.find((word) => readColor(word) !== undefined) ?? (background === '' ? '' : (words[0] ?? ''))
}

/** Colours by name that text is made invisible with. */
const named: Record<string, string> = {
  ...{ white: 'ffffff', snow: 'fffafa', ivory: 'fffff0', ghostwhite: 'f8f8ff', whitesmoke: 'f5f5f5' },
  ...{ floralwhite: 'fffaf0', azure: 'f0ffff', mintcream: 'f5fffa', honeydew: 'f0fff0', seashell: 'fff5ee' },
  ...{ black: '000000', red: 'ff0000', lime: '00ff00', blue: '0000ff', gray: '808080', grey: '808080' },
  ...{
    silver: 'c0c0c0',
    navy: '000080',
    green: '008000',
    maroon: '800000',
    yellow: 'ffff00',
    gainsboro: 'dcdcdc',
  },
}

/** Undefined for a colour that is not known. */
function readColor(value: string): Color | undefined {
  if (value === 'transparent') return { ...black, alpha: 0 }
  const hex = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(
    Object.hasOwn(named, value) ? `#${named[value]}` : value,
  )?.[1]
  if (hex) {
    const long = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex
    const [red = 0, green = 0, blue = 0, alpha = 255] = (long.match(/../g) ?? []).map((two) =>
      Number.parseInt(two, 16),
    )
    return { red, green, blue, alpha: alpha / 255 }
  }
  const parts = /^rgba?\(([^)]*)\)$/
    .exec(value)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean)
  if (!parts || parts.length < 3) return undefined
  const share = (part: string, whole: number) =>
    part.endsWith('%') ? (Number.parseFloat(part) / 100) * whole : Number.parseFloat(part)
  const [red = 0, green = 0, blue = 0] = parts.map((part) => share(part, 255))
  const alpha = parts[3] === undefined ? 1 : share(parts[3], 1)
  return [red, green, blue, alpha].some(Number.isNaN) ? undefined : { red, green, blue, alpha }
}

function over(top: Color, below: Color): Color {
  const mix = (name: 'red' | 'green' | 'blue') => top[name] * top.alpha + below[name] * (1 - top.alpha)
  return { red: mix('red'), green: mix('green'), blue: mix('blue'), alpha: 1 }
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(text: Color, background: Color): number {
  const [a, b] = [luminance(over(text, background)), luminance(background)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

function luminance({ red, green, blue }: Color): number {
  const linear = (value: number) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
