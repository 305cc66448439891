import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'

/**
 * A plain page of the local stack, without requests to other places. Its only script is the one of `copyable`.
 */
export function renderPage(title: string, content: Renderable): Renderable {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src '${raw(copyHash)}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
<main>${content}</main>
<script>${raw(copyScript)}</script>
</body>
</html>`
}

/** The result of the `html` tag, with every value escaped. */
export type Renderable = ReturnType<typeof html>

/** A value with a button that copies it. */
export function copyable(name: string, value: string): Renderable {
  return html`<span class="copy"><code>${value}</code> <button type="button" aria-label="Copy ${name}">Copy</button></span>`
}

/** The value stands before the button. What was done is said in the button itself. */
const copyScript = `for (const button of document.querySelectorAll('.copy button'))
  button.addEventListener('click', async () => {
    const { textContent } = button.previousElementSibling
    const done = await navigator.clipboard.writeText(textContent).then(() => true, () => false)
    button.ariaLabel = button.textContent = done ? 'Copied' : 'Not copied'
  })`
const copyHash = `sha256-${createHash('sha256').update(copyScript).digest('base64')}`

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th { text-align: left; font-weight: 500; white-space: nowrap; vertical-align: top }
th, td { padding: .3rem 1rem .3rem 0; border-bottom: 1px solid #8884 }
td { overflow-wrap: anywhere }
article { border: 1px solid #8886; border-radius: .5rem; padding: .5rem 1rem; margin: 1rem 0 }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
.quiet { opacity: .7 }
.copy { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; justify-content: space-between }
button { font: inherit; font-size: .875rem; padding: .1rem .6rem; min-height: 1.75rem; border: 1px solid #8888; border-radius: .4rem; background: none; color: inherit; cursor: pointer }
`
