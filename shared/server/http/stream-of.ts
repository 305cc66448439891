/** A stream that takes each chunk only when it is needed: `ReadableStream.from`, which TypeScript does not know. */
export function streamOf<Chunk>(chunks: AsyncIterable<Chunk>): ReadableStream<Chunk> {
  const { from } = ReadableStream as unknown as {
    from(chunks: AsyncIterable<Chunk>): ReadableStream<Chunk>
  }
  return from.call(ReadableStream, chunks)
}
