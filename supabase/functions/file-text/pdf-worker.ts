import { parsePdf } from './parse-pdf.ts'

// A thread of its own for one document: it can be ended from outside, whatever the document makes it do.
self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  self.postMessage(await parsePdf(data).catch(() => undefined))
}
