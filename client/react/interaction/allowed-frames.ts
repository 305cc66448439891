import { createContext } from 'react'

/**
 * Origins of pages that may show this app in a frame and have calls approved in it. A page around it could cover a card and
 * lead a click to its button, so none is trusted unless the app names it.
 */
export const AllowedFrames = createContext<readonly string[]>([])
