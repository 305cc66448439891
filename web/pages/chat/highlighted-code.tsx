import '../../styles/code.css'
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
// Its grammar reads both, and what a model calls them is known by either name.
lowlight.registerAlias({
  typescript: ['javascript', 'js', 'jsx', 'mjs', 'cjs'],
  sql: ['postgres', 'postgresql'],
})

/** Characters that are coloured in a moment; grammars look at long lines, and at rows of empty ones, again and again. */
const mostCharacters = 8000
const slow = /[^\n]{400}|\n{20}/

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

/** Code in colours, where its language is one of eight, and it is not too much for that; else as it is. */
export default function HighlightedCode({ code, language }: { code: string; language: string }) {
  return useMemo(() => {
    const isPlain = code.length > mostCharacters || slow.test(code) || !lowlight.registered(language)
    return isPlain ? code : draw(lowlight.highlight(language, code, { prefix: 'code-' }).children)
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
