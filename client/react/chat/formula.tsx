import { createElement, type ReactNode } from 'react'
import temml from 'temml'

/** What MathML is made of here. Nothing else of what a model writes becomes an element or an attribute. */
const elements = new Set(
  'math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none'.split(
    ' ',
  ),
)
const attributes = new Set(
  'accent accentunder columnalign columnspan depth dir display displaystyle fence form height largeop linethickness lspace mathvariant maxsize minsize movablelimits notation rowspan rspace scriptlevel separator stretchy symmetric voffset width'.split(
    ' ',
  ),
)
const styles =
  /^(?:border(?:-\w+)?(?:-(?:color|style|width))?|color|font-(?:size|style|weight)|height|margin(?:-\w+)?|padding(?:-\w+)?|text-align|vertical-align|width)$/

/** A formula as MathML, which screen readers read; as its source if it cannot be read. */
export default function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  return draw(tex, isBlock) ?? <code>{tex}</code>
}

function draw(tex: string, displayMode: boolean): ReactNode {
  try {
    const markup = temml.renderToString(tex, {
      displayMode,
      xml: true,
      throwOnError: true,
      trust: false,
      maxSize: [20, 20],
      maxExpand: 500,
    })
    const { documentElement } = new DOMParser().parseFromString(markup, 'application/xml')
    return documentElement.localName === 'math' ? copy(documentElement, 0) : undefined
  } catch {
    return undefined
  }
}

function copy(element: Element, key: number): ReactNode {
  const { localName, childNodes } = element
  const children = [...childNodes].map((node, index) =>
    node.nodeType === Node.ELEMENT_NODE ? copy(node as Element, index) : node.nodeValue,
  )
  if (!elements.has(localName)) return children
  const kept = [...element.attributes].filter(({ name }) => attributes.has(name))
  return createElement(
    localName,
    {
      key,
      ...Object.fromEntries(kept.map(({ name, value }) => [name, value])),
      style: readStyle(element.getAttribute('style') ?? ''),
    },
    ...children,
  )
}

/** Set property by property: a page may forbid styles in markup. */
function readStyle(text: string): Record<string, string> {
  const declarations = text.split(';').map((one) => one.split(':').map((part) => part.trim()))
  return Object.fromEntries(
    declarations.flatMap(([name = '', value = '']) =>
      styles.test(name) && /^[\w#.%\s-]+$/.test(value)
        ? [[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()), value]]
        : [],
    ),
  )
}
