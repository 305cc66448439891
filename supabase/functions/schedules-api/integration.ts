import { type Integration, integrationTool } from '../../../shared/integrations/definition/integration.ts'
import { createParameters, deleteParameters, listParameters } from './parameters.ts'
import { words } from './words.ts'

export const createSchedule = integrationTool({
  name: 'schedules_create',
  title: 'Create schedule',
  confirm: 'Do {message} by the clock[, next on {cron:next}]?',
  summary: 'Scheduled {message}, next on {output.next[0]}',
  button: 'Create schedule',
  past: 'scheduled',
  description:
    'Has this agent begin by itself, at the times of a cron expression, with a message as if the user had sent it. What needs the user then waits for them.',
  parameters: createParameters,
  effect: 'write',
  alwaysAsks: true,
  looks: true,
  action: 'create',
})

export const listSchedules = integrationTool({
  name: 'schedules_list',
  title: 'List schedules',
  summary: 'Listed the schedules: {output.schedules#schedule|schedules}',
  description:
    'Lists the schedules of the user: what each does, when it is due next, and whether it is paused.',
  parameters: listParameters,
  effect: 'read',
  private: true,
  action: 'list',
})

export const deleteSchedule = integrationTool({
  name: 'schedules_delete',
  title: 'Delete schedule',
  confirm: 'Delete the schedule[ {schedule_id:message}]?',
  summary: 'Deleted the schedule {output.message}',
  button: 'Delete schedule',
  past: 'deleted',
  description: 'Deletes a schedule of the user: nothing of it is due any more. Its conversation stays.',
  parameters: deleteParameters,
  effect: 'write',
  destructive: 'delete',
  looks: true,
  action: 'delete',
})

export const integration: Integration = {
  name: 'schedules-api',
  providers: [],
  tools: [createSchedule, listSchedules, deleteSchedule],
  words,
}
