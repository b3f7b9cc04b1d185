import { useMatches } from 'react-router'

/** What each page states in the route table. */
export interface PageHandle {
  title: string
}

export const usePageHandle = (): PageHandle | undefined =>
  useMatches().at(-1)?.handle as PageHandle | undefined
