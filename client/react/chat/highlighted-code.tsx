import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import { Fragment, type ReactNode, useMemo } from 'react'

const lowlight = createLowlight({ bash, css, json, python, sql, typescript, xml, yaml })
// The TypeScript grammar reads both, and models use either name.
lowlight.registerAlias({
  typescript: ['javascript', 'js', 'jsx', 'mjs', 'cjs'],
  sql: ['postgres', 'postgresql'],
})

/** Characters that can be coloured instantly; grammars backtrack on long lines and on runs of empty ones. */
const mostCharacters = 8000
const slow = /[^\n]{400}|\n{20}/

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

/** Coloured code, if its language is one of the eight and it is short enough; otherwise plain. */
export default function HighlightedCode({ code, language }: { code: string; language: string }) {
  return useMemo(() => {
    const isPlain = code.length > mostCharacters || slow.test(code) || !lowlight.registered(language)
    return isPlain ? code : draw(lowlight.highlight(language, code, { prefix: 'askback-code-' }).children)
  }, [code, language])
}

function draw(nodes: readonly Node[]): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === 'text') return <Fragment key={index}>{node.value}</Fragment>
    if (node.type !== 'element') return null
    const names = [node.properties.className ?? []].flat().join(' ')
    return (
      <span key={index} className={names}>
        {draw(node.children as Node[])}
      </span>
    )
  })
}
