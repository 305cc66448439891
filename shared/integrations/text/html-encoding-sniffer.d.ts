declare module 'html-encoding-sniffer' {
  /** The encoding of an HTML page by the rules of the HTML standard, as a label for `TextDecoder`. */
  export default function htmlEncodingSniffer(
    bytes: Uint8Array,
    options?: { transportLayerEncodingLabel?: string; defaultEncoding?: string },
  ): string
}
