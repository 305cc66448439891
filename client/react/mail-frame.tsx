import { useMemo } from 'react'

/** The HTML of a mail as it looks. It runs nothing, loads nothing, leads nowhere, and has no part in the page. */
export function MailFrame({ title, html, className }: { title: string; html: string; className?: string }) {
  const content = useMemo(() => (typeof document === 'undefined' ? '' : inertMail(html)), [html])
  return <iframe title={title} className={className} sandbox="" srcDoc={content} />
}

/** What is left out of the picture of a mail: a connection to elsewhere is opened for some of it in spite of any policy. */
const leftOut =
  'script, style, link, meta, base, iframe, frame, object, embed, audio, video, source, template, animate, set'
/** Of what is left: attributes that name something elsewhere, or take the keyboard. */
const namesElsewhere = /^(?:href|xlink:href|srcset|background|poster|action|formaction|ping|autofocus|on.*)$/i
const policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/** A mail without what loads, leads or connects elsewhere. Where a link led, its title says. */
export function inertMail(html: string): string {
  // What stands in a template is in no page: it loads and runs nothing.
  const template = document.createElement('template')
  template.innerHTML = html
  const mail = template.content
  for (const element of mail.querySelectorAll(leftOut)) element.remove()
  for (const element of mail.querySelectorAll('*')) {
    const href = element.getAttribute('href') ?? element.getAttribute('xlink:href')
    for (const { name } of [...element.attributes])
      if (namesElsewhere.test(name)) element.removeAttribute(name)
    if (!/^data:image\//i.test(element.getAttribute('src') ?? '')) element.removeAttribute('src')
    if (href !== null) element.setAttribute('title', href)
    const { style } = element as HTMLElement
    for (const name of [...(style ?? [])]) {
      if (/(?:url|image|image-set|src)\(/i.test(style.getPropertyValue(name))) style.removeProperty(name)
    }
  }
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">${template.innerHTML}`
}
