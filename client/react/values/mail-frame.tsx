import { useEffect, useState } from 'react'
import { useLabels } from '../labels/use-labels.ts'

/** A preview of a mail's HTML, isolated from the page. It cannot run, load or open anything. */
export function MailFrame({ title, html, className }: { title: string; html: string; className?: string }) {
  const labels = useLabels()
  const [content, setContent] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    // The parser is only loaded if there is HTML.
    import('../../values/inert-mail.ts')
      .then(({ inertMail }) => inertMail(html))
      .catch(() => labels.mailLookUnshown)
      .then((page) => isCurrent && setContent(page))
    return () => {
      isCurrent = false
    }
  }, [html, labels])
  // Rendered with its content: a frame outside the viewport is slow to accept it later.
  return content === undefined ? null : (
    <iframe title={title} className={className} sandbox="" srcDoc={content} />
  )
}
