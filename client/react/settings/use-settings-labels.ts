import { useMemo } from 'react'
import type { Labels } from '../../labels/en.ts'
import { useIntegrationLabels } from '../labels/use-integration-labels.ts'
import { useLabels } from '../labels/use-labels.ts'

/** The labels, with the server's sentences as they are said in the integration settings, where they lead elsewhere. */
export function useSettingsLabels(): Labels {
  const labels = useLabels()
  const { said } = useIntegrationLabels()
  return useMemo(() => ({ ...labels, said: { ...labels.said, ...said } }), [labels, said])
}
