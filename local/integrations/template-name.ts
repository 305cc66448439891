/** Whether an integration can have this name: its functions, tools and settings are named after it. */
export const isIntegrationName = (base: string): boolean =>
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(base) && base.length <= 40

export const nameRule = 'Use small letters, digits and single dashes, 40 at most, beginning with a letter'

/** A file of the template, with the names of another integration than `tasks` in all their spellings. */
export function renameTemplate(text: string, base: string): string {
  const words = base.split('-')
  const [first = '', ...others] = words
  const title = [`${first[0]?.toUpperCase()}${first.slice(1)}`, ...others].join(' ')
  return text
    .replaceAll('tasks-api', `${base}-api`)
    .replaceAll('tasks_', `${words.join('_')}_`)
    .replaceAll('TASKS_API', `${words.join('_').toUpperCase()}_API`)
    .replaceAll("'tasks'", `'${base}'`)
    .replaceAll(' tasks: {', others.length > 0 ? ` '${base}': {` : ` ${base}: {`)
    .replace(/\bTasks\b/g, title)
    .replaceAll('tasks.example.com', `${base}.example.com`)
}
