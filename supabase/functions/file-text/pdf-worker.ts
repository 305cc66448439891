// A thread for one document: it can be stopped from outside, whatever the document makes it do. It listens before it
// loads the library, so that no message comes too early.
self.onmessage = async ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
  const { parsePdf } = await import('./parse-pdf.ts')
  self.postMessage(await parsePdf(data).catch(() => undefined))
}
