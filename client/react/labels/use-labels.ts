import { english } from '../../labels/en.ts'
import { labelsBeside } from './labels.tsx'

/** The labels of the nearest provider. They are loaded with the components that use them, not with the page. */
export const useLabels = labelsBeside(english)
