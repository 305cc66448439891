import { parsePdf } from './parse-pdf.ts'

// A thread for one document: it can be stopped from outside, whatever the document makes it do.
self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  self.postMessage(await parsePdf(data).catch(() => undefined))
}
