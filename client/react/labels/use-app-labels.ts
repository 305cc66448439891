import { type AppLabels, englishApps } from '../../labels/en-apps.ts'
import { labelsBeside } from './labels.tsx'

const useGiven = labelsBeside({ apps: englishApps })

/** The labels for apps that connect over MCP from the nearest provider. */
export function useAppLabels(): AppLabels {
  return useGiven().apps
}
