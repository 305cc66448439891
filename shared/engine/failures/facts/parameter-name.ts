/** Rewrites `personalizations.0.to` and `messages/2/content` as `personalizations[0].to` and `messages[2].content`. */
export function formatParameter(written: string): string {
  return written
    .replace(/^[/#]+|[.:/]+$/g, '')
    .replace(/[./](\d+)(?=[./[]|$)/g, '[$1]')
    .replaceAll('/', '.')
}
