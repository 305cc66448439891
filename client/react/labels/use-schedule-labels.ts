import { englishSchedules, type ScheduleLabels } from '../../labels/en-schedules.ts'
import { labelsBeside } from './labels.tsx'

const useGiven = labelsBeside({ schedules: englishSchedules })

/** The labels of the schedules from the nearest provider. */
export function useScheduleLabels(): ScheduleLabels {
  return useGiven().schedules
}
