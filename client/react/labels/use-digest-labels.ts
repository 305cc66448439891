import { type DigestLabels, englishDigests } from '../../labels/en-digests.ts'
import { labelsBeside } from './labels.tsx'

const useGiven = labelsBeside({ digests: englishDigests })

/** The labels for mails about what waits from the nearest provider. */
export function useDigestLabels(): DigestLabels {
  return useGiven().digests
}
