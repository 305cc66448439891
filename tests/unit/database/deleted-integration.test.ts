import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeCatalogue } from '../../../local/integrations/catalogue-sql.ts'
import { integration } from '../../../supabase/functions/smtp-api/integration.ts'
import { blocksUnder } from '../../../support/readme-blocks.ts'
import { project } from '../../../support/stack.ts'
import { useDatabase } from '../../../support/use-database.ts'

const { database, db } = useDatabase()

test("an integration of a project's own is deleted as the guide says, with its connections, and nothing else is", async () => {
  const page = readFileSync(join(project, 'docs/add-to-your-project.md'), 'utf8')
  const [statements] = blocksUnder(page, 'Tools of your own').filter(({ language }) => language === 'sql')
  const [provider] = integration.providers
  const [tool] = integration.tools
  if (!statements || !provider || !tool) throw new Error('The guide, a provider or a tool is missing.')
  const tasksApi = {
    name: 'tasks-api',
    providers: [{ ...provider, id: 'tasks' }],
    tools: [
      {
        ...tool,
        specification: { ...tool.specification, name: 'tasks_create_task', providers: ['tasks'] },
      },
    ],
  }
  await database.sql.unsafe(writeCatalogue([tasksApi], 'project'))
  const userId = await db.createUser()
  for (const id of ['tasks', 'smtp']) {
    await database.sql`insert into askback.connections (user_id, provider, account) values (${userId}, ${id}, 'a@example.com')`
  }
  const left = async () => [
    await database.sql`select name from askback.tools where function in ('tasks-api', 'smtp-api') order by name`,
    await database.sql`select id from askback.integrations where function in ('tasks-api', 'smtp-api') order by id`,
    await database.sql`select provider from askback.connections order by provider`,
  ]
  const [tools = [], integrations = [], connections = []] = await left()
  expect(tools).toContainEqual({ name: 'tasks_create_task' })
  expect(connections).toHaveLength(2)

  await database.sql.unsafe(statements.text)
  expect(await left()).toEqual([
    tools.filter(({ name }) => name !== 'tasks_create_task'),
    integrations.filter(({ id }) => id !== 'tasks'),
    [{ provider: 'smtp' }],
  ])
})
