/** An address as others are appended to it: without the slashes at its end. */
export function withoutTrailingSlash(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
