import { useEffect, useState } from 'react'
import { useLabels } from './use-labels.ts'

/** The HTML of a mail as it looks. It runs nothing, loads nothing, leads nowhere, and has no part in the page. */
export function MailFrame({ title, html, className }: { title: string; html: string; className?: string }) {
  const labels = useLabels()
  const [content, setContent] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    // The parser is loaded only where there is HTML.
    import('../inert-mail.ts')
      .then(({ inertMail }) => inertMail(html))
      .catch(() => labels.mailLookUnshown)
      .then((page) => isCurrent && setContent(page))
    return () => {
      isCurrent = false
    }
  }, [html, labels])
  // Made with its content: a frame that is out of sight is slow to take what comes later.
  return content === undefined ? null : (
    <iframe title={title} className={className} sandbox="" srcDoc={content} />
  )
}
