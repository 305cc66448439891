import { englishIntegrations, type IntegrationLabels } from '../../labels/en-integrations.ts'
import { labelsBeside } from './labels.tsx'

const useGiven = labelsBeside({ integrations: englishIntegrations })

/** The labels of the integration settings from the nearest provider. */
export function useIntegrationLabels(): IntegrationLabels {
  return useGiven().integrations
}
