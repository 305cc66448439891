import { Buffer } from 'node:buffer'
import { deflateSync } from 'node:zlib'

/** A PDF with a line of text on each page, or with this content on all of them. */
export function makePdf(pages: readonly string[], content?: string): Uint8Array<ArrayBuffer> {
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')
  const objects: (string | Uint8Array)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const text of pages) {
    const resources = '/Resources << /Font << /F1 3 0 R >> >>'
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length + 2} 0 R ${resources} >>`,
      deflateSync(
        Buffer.from(content ?? `BT /F1 12 Tf 72 720 Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`),
      ),
    )
  }
  const parts = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    offsets.push(at)
    const body =
      typeof object === 'string'
        ? [Buffer.from(object)]
        : [
            Buffer.from(`<< /Length ${object.length} /Filter /FlateDecode >>\nstream\n`),
            Buffer.from(object),
            Buffer.from('\nendstream'),
          ]
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), ...body, Buffer.from('\nendobj\n')])
    parts.push(part)
    at += part.length
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`))
  return new Uint8Array(Buffer.concat(parts))
}
