import { english } from '../labels/en.ts'
import { labelsBeside } from './labels.tsx'

/** The words below the nearest provider. They come with the pieces that say them, not with the page. */
export const useLabels = labelsBeside(english)
