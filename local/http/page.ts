import { html, raw } from 'hono/html'

/** A plain page of the local stack, without scripts or requests to other places. */
export function renderPage(title: string, content: Renderable): Renderable {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${content}
</body>
</html>`
}

/** The result of the `html` tag, with every value escaped. */
export type Renderable = ReturnType<typeof html>

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
`
